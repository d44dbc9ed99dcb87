// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/**
 * What {@link ThroughputRun} measures.
 *
 * @param method the benchmark's method
 * @param title the name in tables
 */
record Subject(String method, String title) {}
