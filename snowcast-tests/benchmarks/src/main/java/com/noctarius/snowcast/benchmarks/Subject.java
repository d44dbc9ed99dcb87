// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/**
 * A benchmark that {@link ThroughputRun} runs.
 *
 * @param method the benchmark's method
 * @param title the name in tables
 */
record Subject(String method, String title) {}
