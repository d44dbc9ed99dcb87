// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/** A benchmark that {@link ThroughputRun} runs. */
record Subject(String method, String title) {}
