// SPDX-License-Identifier: Apache-2.0
/** Formats the figures of benchmarks as tables. */
@NullMarked
package com.noctarius.snowcast.benchmarks.report;

import org.jspecify.annotations.NullMarked;
