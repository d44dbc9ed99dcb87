// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

/**
 * One measured figure.
 *
 * @param group the kind of measurement, such as {@code "throughput"}; all figures of a group come from one run, except
 *     those of {@link Machine#GROUP}
 * @param subject what was measured, usually a generator, such as {@code "snowcast"} or {@code "Agrona"}
 * @param setting the conditions, such as {@code "2 threads"}
 * @param metric the name of the figure within its group, such as {@code "rate"}
 * @param error half the width of the value's 99.9 % confidence interval, or 0 if none was computed
 * @param unit the unit of the value, such as {@code "ops/µs"}
 */
public record Result(
        String group, String subject, String setting, String metric, double value, double error, String unit) {}
