// SPDX-License-Identifier: Apache-2.0
/** Tables and plots of the figures. */
@NullMarked
package com.noctarius.snowcast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
