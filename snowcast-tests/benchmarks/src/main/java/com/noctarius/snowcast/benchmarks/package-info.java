// SPDX-License-Identifier: Apache-2.0
/** How fast snowcast is, compared with libraries that do the same. */
@NullMarked
package com.noctarius.snowcast.benchmarks;

import org.jspecify.annotations.NullMarked;
