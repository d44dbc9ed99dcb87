// SPDX-License-Identifier: Apache-2.0
/** Clocks, waiting, threads and metrics for all internal packages. No other internal package reads system clocks. */
@org.jspecify.annotations.NullMarked
package com.noctarius.snowcast.internal.base;
