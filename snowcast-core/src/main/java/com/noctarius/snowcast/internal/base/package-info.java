// SPDX-License-Identifier: Apache-2.0
/** Code for all internal packages: clocks, waiting, threads, metrics. No other internal package reads system clocks. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.base;
