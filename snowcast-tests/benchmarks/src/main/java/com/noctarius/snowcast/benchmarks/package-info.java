// SPDX-License-Identifier: Apache-2.0
/** How fast snowcast is, beside others that do the like. */
@NullMarked
package com.noctarius.snowcast.benchmarks;

import org.jspecify.annotations.NullMarked;
