// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The performance goals of integer sequences. */
final class IntegerGoals {
    private static final String SNOWCAST = "snowcast";
    private static final String BATCH = "snowcast, batch of 100";
    private static final String ATOMIC_LONG = "AtomicLong";
    private static final String SEGMENT_CHAIN = "CosId SegmentChainId";
    private static final String SEGMENT = "CosId SegmentId";
    private static final String ONE = "1 thread";
    private static final List<String> THREADS = List.of(ONE, "2 threads", "4 threads");
    private static final String BY_SEGMENT_CHAIN = " × SegmentChainId";

    private final Figures rates;
    private final Figures slowStore;

    private IntegerGoals(Figures figures) {
        this.rates = figures.of("integers").ofMetric("rate");
        this.slowStore = figures.of("slow store");
    }

    static List<Goal> of(Figures figures) {
        IntegerGoals goals = new IntegerGoals(figures);
        List<Goal> all = new ArrayList<>(goals.rates());
        all.addAll(goals.slowStore());
        return List.copyOf(all);
    }

    private List<Goal> rates() {
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atLeast(
                "integers, `next()`, strict, 1 thread", 0.8, " × AtomicLong", ratio(SNOWCAST, ATOMIC_LONG, ONE)));
        for (String threads : THREADS) {
            goals.add(Goal.atLeast(
                    "integers, `next()`, strict, " + threads,
                    1,
                    BY_SEGMENT_CHAIN,
                    ratio(SNOWCAST, SEGMENT_CHAIN, threads)));
        }
        for (String threads : THREADS) {
            goals.add(Goal.atLeast(
                    "integers, `next(100)`, " + threads, 5, BY_SEGMENT_CHAIN, ratio(BATCH, SEGMENT_CHAIN, threads)));
        }
        return goals;
    }

    private List<Goal> slowStore() {
        Figures own = slowStore.ofSubject(SNOWCAST);
        return List.of(
                Goal.atMost(
                        "integers, store takes 2 ms, a block lasts 5 ms, calls that wait",
                        0,
                        " calls",
                        own.ofMetric("waits, by its stats").only()),
                Goal.atMost(
                        "integers, store takes 2 ms, a block lasts 5 ms, p99.9",
                        1,
                        " µs",
                        own.ofMetric("p99.9").only()),
                Goal.reported("the same", "beside CosId's", tails()));
    }

    private String tails() {
        Figures tails = slowStore.ofMetric("p99.9");
        return Stream.of(SNOWCAST, SEGMENT_CHAIN, SEGMENT)
                .filter(subject -> !tails.ofSubject(subject).isEmpty())
                .map(subject -> subject + " "
                        + Figures.text(tails.ofSubject(subject).only().orElseThrow()) + " µs")
                .collect(Collectors.joining(", "));
    }

    private OptionalDouble ratio(String subject, String other, String threads) {
        return Goals.quotient(rate(subject, threads), rate(other, threads));
    }

    private OptionalDouble rate(String subject, String threads) {
        return rates.ofSubject(subject).ofSetting(threads).only();
    }
}
