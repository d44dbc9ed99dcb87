// SPDX-License-Identifier: Apache-2.0
/** What all other packages use: the clocks of the system, which are read here only, waiting, threads and metrics. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.base;
