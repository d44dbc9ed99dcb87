// SPDX-License-Identifier: Apache-2.0
/** Basics of all other packages: the clocks of the system, which only this package reads, waiting, threads, metrics. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.base;
