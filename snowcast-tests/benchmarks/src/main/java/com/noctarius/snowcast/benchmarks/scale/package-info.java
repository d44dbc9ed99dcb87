// SPDX-License-Identifier: Apache-2.0
/** What the coordination costs, and how that grows with sequencers, holders and members. */
@NullMarked
package com.noctarius.snowcast.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
