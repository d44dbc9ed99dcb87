// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/**
 * One figure.
 *
 * @param group what was measured, such as {@code "throughput"}: the figures of a group were taken in the same run
 * @param subject what it was measured on, such as {@code "snowcast"} or {@code "Agrona"}
 * @param setting under which conditions, such as {@code "2 threads"}
 * @param metric which of the group's figures, such as {@code "rate"}
 * @param value the figure
 * @param error half of its confidence interval of 99.9 %, or 0 where it was measured once
 * @param unit its unit, such as {@code "ops/µs"}
 */
public record Result(
        String group, String subject, String setting, String metric, double value, double error, String unit) {}
