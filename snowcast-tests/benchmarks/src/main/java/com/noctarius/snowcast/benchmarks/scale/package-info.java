// SPDX-License-Identifier: Apache-2.0
/** Measures what coordination costs, and how the cost grows with the number of sequencers, holders and members. */
@NullMarked
package com.noctarius.snowcast.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
