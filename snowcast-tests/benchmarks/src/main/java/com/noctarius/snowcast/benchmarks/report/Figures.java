// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import com.noctarius.snowcast.benchmarks.Result;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/** A list of figures, with methods that select figures from it and format them. */
record Figures(List<Result> results) {
    Figures {
        results = List.copyOf(results);
    }

    Figures of(String group) {
        return new Figures(
                results.stream().filter(result -> result.group().equals(group)).toList());
    }

    Figures ofSubject(String subject) {
        return new Figures(results.stream()
                .filter(result -> result.subject().equals(subject))
                .toList());
    }

    Figures ofSubjects(List<String> subjects) {
        return new Figures(results.stream()
                .filter(result -> subjects.contains(result.subject()))
                .toList());
    }

    Figures ofMetric(String metric) {
        return new Figures(results.stream()
                .filter(result -> result.metric().equals(metric))
                .toList());
    }

    Figures ofSetting(String setting) {
        return new Figures(results.stream()
                .filter(result -> result.setting().equals(setting))
                .toList());
    }

    List<String> groups() {
        return distinct(Result::group);
    }

    List<String> subjects() {
        return distinct(Result::subject);
    }

    List<String> settings() {
        return distinct(Result::setting);
    }

    List<String> metrics() {
        return distinct(Result::metric);
    }

    private List<String> distinct(Function<Result, String> part) {
        return results.stream().map(part).distinct().toList();
    }

    /** Returns the value if there is exactly one figure; otherwise empty. */
    OptionalDouble only() {
        return results.size() == 1 ? OptionalDouble.of(results.get(0).value()) : OptionalDouble.empty();
    }

    OptionalDouble least() {
        return results.stream().mapToDouble(Result::value).min();
    }

    OptionalDouble greatest() {
        return results.stream().mapToDouble(Result::value).max();
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    /** Returns a number with about three significant digits. */
    static String text(double value) {
        double size = Math.abs(value);
        if (size >= 100) {
            return format("%,.0f", value);
        }
        if (size >= 10) {
            return format("%.1f", value);
        }
        if (size >= 1) {
            return format("%.2f", value);
        }
        return size < 0.0005 ? "0" : format("%.3f", value);
    }

    /** Returns a figure with its error, if it has one. */
    static String text(Result result) {
        boolean exact = result.error() == 0 || Double.isNaN(result.error());
        return exact ? text(result.value()) : text(result.value()) + " ± " + text(result.error());
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
