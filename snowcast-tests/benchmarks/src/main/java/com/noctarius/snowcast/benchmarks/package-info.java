// SPDX-License-Identifier: Apache-2.0
/** Benchmarks that compare snowcast with other libraries for the same purpose. */
@NullMarked
package com.noctarius.snowcast.benchmarks;

import org.jspecify.annotations.NullMarked;
