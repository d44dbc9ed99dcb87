// SPDX-License-Identifier: Apache-2.0
/** Tables of the figures. */
@NullMarked
package com.noctarius.snowcast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
