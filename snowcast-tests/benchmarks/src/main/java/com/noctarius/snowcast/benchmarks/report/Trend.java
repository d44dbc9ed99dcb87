// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One figure over the days on which it was measured.
 *
 * @param wanted the goal of the figure, or the generator with which the figure is compared
 * @param isMoreBetter whether a greater figure is a better one
 */
record Trend(String what, String wanted, boolean isMoreBetter, NavigableMap<LocalDate, Double> byDate) {
    /** The generators with which snowcast's rates of IDs and of integers are compared. */
    private static final List<Comparison> COMPARISONS = Stream.of("1 thread", "2 threads", "4 threads")
            .flatMap(threads -> Stream.of(
                    new Comparison("throughput", "snowcast", "System.currentTimeMillis", threads),
                    new Comparison("throughput", "snowcast", "Agrona", threads),
                    new Comparison("throughput", "snowcast", "CosId", threads),
                    new Comparison("throughput", "snowcast", "FlakeIdGenerator, tuned", threads),
                    new Comparison("integers", "snowcast", "AtomicLong", threads),
                    new Comparison("integers", "snowcast", "CosId SegmentChainId", threads)))
            .toList();

    /** A rate, divided by the rate of another generator in the same run. */
    private record Comparison(String group, String subject, String peer, String threads) {
        String what() {
            return (group.equals("integers") ? "integers, " : "IDs, ") + subject + ", " + threads;
        }

        OptionalDouble in(Figures figures) {
            Figures rates = figures.of(group).ofMetric("rate").ofSetting(threads);
            return Goals.quotient(
                    rates.ofSubject(subject).only(), rates.ofSubject(peer).only());
        }
    }

    /**
     * Returns one trend for each goal. The goals of the newest day come first, in the order of that day; then those
     * that only earlier days have. Omits goals whose figure is not a number.
     */
    static List<Trend> ofGoals(History history) {
        Map<List<String>, Trend> trends = new LinkedHashMap<>();
        for (Map.Entry<LocalDate, Figures> day :
                history.byDate().descendingMap().entrySet()) {
            for (Goal goal : Goals.of(day.getValue())) {
                goal.value()
                        .ifPresent(value -> trends.computeIfAbsent(
                                        List.of(goal.what(), goal.goal()),
                                        key -> new Trend(
                                                goal.what(), goal.goal(), goal.isMoreBetter(), new TreeMap<>()))
                                .byDate()
                                .put(day.getKey(), value));
            }
        }
        return List.copyOf(trends.values());
    }

    static List<Trend> ofComparisons(History history) {
        List<Trend> trends = new ArrayList<>();
        for (Comparison comparison : COMPARISONS) {
            NavigableMap<LocalDate, Double> byDate = new TreeMap<>();
            history.byDate()
                    .forEach((date, figures) -> comparison.in(figures).ifPresent(ratio -> byDate.put(date, ratio)));
            if (!byDate.isEmpty()) {
                trends.add(new Trend(comparison.what(), "× " + comparison.peer(), true, byDate));
            }
        }
        return trends;
    }

    /**
     * Returns how much worse the newest figure is than the best one, as a fraction of the best. Returns 0 if both are
     * equal, and infinity if only the best is 0.
     */
    double behindTheBest() {
        double best = byDate.values().stream()
                .reduce((one, other) -> isMoreBetter ? Math.max(one, other) : Math.min(one, other))
                .orElseThrow();
        double newest = Objects.requireNonNull(byDate.lastEntry()).getValue();
        return newest == best ? 0 : Math.abs(newest - best) / Math.abs(best);
    }
}
