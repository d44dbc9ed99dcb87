// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The performance goals of the project. */
final class Goals {
    private static final String SNOWCAST = "snowcast";
    private static final String AGRONA = "Agrona";
    private static final String CLOCK = "System.currentTimeMillis";
    private static final String ONE = "1 thread";
    private static final String TWO = "2 threads";
    private static final String FOUR = "4 threads";
    private static final String SIXTEEN = "16 threads";

    /** The maximum rate of a layout of 65,536 IDs per millisecond, in IDs per µs, less 2 % for measurement errors. */
    private static final double LIMIT = 65.5 * 0.98;

    private static final double KIBIBYTE = 1_024;
    private static final double DEFAULT_LEASE_MILLIS = 300_000;
    private static final double MANY = 100_000;

    private final Figures figures;
    private final Figures rates;
    private final Figures saturated;
    private final Figures virtual;
    private final Figures half;
    private final Figures stale;

    private Goals(Figures figures) {
        this.figures = figures;
        this.rates = figures.of("throughput").ofMetric("rate");
        this.saturated = figures.of("saturation").ofSubject(SNOWCAST);
        this.virtual = figures.of("virtual threads").ofSubject(SNOWCAST);
        this.half = figures.of("half the limit");
        this.stale = figures.of("staleness");
    }

    static List<Goal> of(Figures figures) {
        Goals goals = new Goals(figures);
        List<Goal> all = new ArrayList<>();
        all.addAll(goals.strict());
        all.addAll(goals.saturated());
        all.addAll(goals.virtualThreads());
        all.addAll(goals.halfTheLimit());
        all.add(goals.allocation());
        all.addAll(goals.attaching());
        all.addAll(goals.sequencers());
        all.addAll(IntegerGoals.of(figures));
        return List.copyOf(all);
    }

    private List<Goal> strict() {
        return List.of(
                strict(ONE, 2.5),
                strict(TWO, 3),
                strict(FOUR, 3),
                Goal.atMost(
                        "age of a timestamp at full rate, 128 nodes, 1 to 16 threads, p99",
                        1,
                        " ms",
                        stale.ofSubject(SNOWCAST).ofMetric("p99").greatest()),
                Goal.atMost(
                        "the ticking thread while it ticks",
                        0.02,
                        " cores",
                        stale.ofSubject(SNOWCAST).ofMetric("ticking thread").greatest()),
                Goal.atLeast(
                        "no collapse when threads outnumber processors: 4 threads",
                        0.8,
                        " × the rate of 2 threads",
                        quotient(rate(SNOWCAST, FOUR), rate(SNOWCAST, TWO))));
    }

    /** Returns the goal for a rate. A rate at the layout's limit meets the goal, whatever Agrona's rate is. */
    private Goal strict(String threads, double timesAgrona) {
        String what = "`next()`, 128 nodes, strict, " + threads;
        OptionalDouble rate = rate(SNOWCAST, threads);
        return rate.orElse(0) >= LIMIT
                ? Goal.atLeast(what, 1, " × the layout's limit", divided(rate, LIMIT))
                : Goal.atLeast(what, timesAgrona, " × Agrona", ratio(SNOWCAST, AGRONA, threads));
    }

    private List<Goal> saturated() {
        Figures cores = saturated.ofMetric("cores busy");
        Figures upToFour = upToFourThreads(cores);
        Figures waits = upToFourThreads(saturated.ofMetric("p99.9"));
        return List.of(
                Goal.atLeast(
                        "batch of 256, 128 nodes, 1 to 4 threads",
                        0.99,
                        " of 65,536 per ms",
                        figures.of("batches").ofMetric("part of the limit").least()),
                Goal.atLeast(
                        "`next()`, default layout, saturated, 1 to 16 threads",
                        0.995,
                        " of 1,024 per ms",
                        saturated.ofMetric("part of the limit").least()),
                Goal.atMost("processors busy while saturated, 1 to 4 threads", 0.15, " cores", upToFour.greatest()),
                Goal.atMost(
                        "processors busy while saturated, 16 threads",
                        0.5,
                        " cores",
                        cores.ofSetting(SIXTEEN).only()),
                Goal.atMost("p99.9 of the wait, 1 to 4 threads", 2, " ms", divided(waits.greatest(), 1_000)),
                Goal.atLeast(
                        "slowest thread while saturated, 1 to 16 threads",
                        0.8,
                        " of the mean",
                        saturated.ofMetric("slowest thread / mean").least()));
    }

    private List<Goal> virtualThreads() {
        return List.of(
                Goal.atLeast(
                        "`next()`, default layout, saturated, 1,000 virtual threads",
                        0.995,
                        " of 1,024 per ms",
                        virtual.ofMetric("part of the limit").only()),
                Goal.atLeast(
                        "slowest of 1,000 virtual threads",
                        0.8,
                        " of the mean",
                        virtual.ofMetric("slowest thread / mean").only()),
                Goal.atMost(
                        "virtual threads pinned",
                        0,
                        " times",
                        virtual.ofMetric("times pinned").only()));
    }

    private List<Goal> halfTheLimit() {
        OptionalDouble timer = p50("nothing");
        return List.of(
                Goal.atMost(
                        "`next()` at half the limit, p50, less the timer's own",
                        2,
                        " × a clock read",
                        quotient(difference(p50(SNOWCAST), timer), difference(p50(CLOCK), timer))),
                Goal.reported("`next()` at half the limit, p99.9", "beside Agrona's and CosId's", tails()));
    }

    private String tails() {
        Figures tails = half.ofMetric("p99.9");
        return Stream.of(SNOWCAST, AGRONA, "CosId")
                .filter(subject -> !tails.ofSubject(subject).isEmpty())
                .map(subject -> subject + " "
                        + Figures.text(tails.ofSubject(subject).only().orElseThrow()) + " ns")
                .collect(Collectors.joining(", "));
    }

    /** Rounds to a tenth of a byte, because threads in the background allocate, too. */
    private Goal allocation() {
        OptionalDouble most = figures.of("throughput").ofMetric("allocation").results().stream()
                .filter(result -> result.subject().startsWith(SNOWCAST))
                .mapToDouble(result -> Math.rint(result.value() * 10) / 10)
                .max();
        return Goal.atMost("allocation per ID, every path but `next(int)`", 0, " bytes", most);
    }

    private List<Goal> attaching() {
        Figures attach = figures.of("attach");
        OptionalDouble rate = attach.ofMetric("attaches and detaches").greatest();
        return List.of(
                Goal.atMost(
                        "attach and detach, one member, p50",
                        1.5,
                        " × a no-op partition operation",
                        attach.ofSetting("1 JVM, 1 member")
                                .ofMetric("p50 / p50 of a no-op, backed up")
                                .greatest()),
                Goal.atLeast("attaches and detaches, one member", 10_000, " per second", rate));
    }

    private List<Goal> sequencers() {
        Figures sequencers = figures.of("sequencers");
        Figures renewals = figures.of("renewals").ofSetting("1 JVM, 3 members, 100000 attachments");
        Figures holders = figures.of("holders");
        return List.of(
                Goal.atMost(
                        "100,000 sequencers, heap of a table with 3 holders, per copy",
                        KIBIBYTE,
                        " bytes",
                        sequencers
                                .ofMetric("heap per copy of the table")
                                .ofSetting("3 holders")
                                .only()),
                Goal.atMost(
                        "100,000 attachments, renewals, all members together",
                        1,
                        " % of a core at the default lease",
                        divided(
                                renewals.ofMetric("further CPU of all members per lease of 20 s")
                                        .only(),
                                DEFAULT_LEASE_MILLIS / 100)),
                Goal.atMost(
                        "8,192 holders of one sequencer, attach of the last 1,024",
                        2,
                        " × that of the first 1,024",
                        quotient(
                                holders.ofSetting("holders 7169 to 8192")
                                        .ofMetric("attach")
                                        .only(),
                                holders.ofSetting("holders 1 to 1024")
                                        .ofMetric("attach")
                                        .only())),
                Goal.atMost(
                        "threads of an idle sequencer, 100,000 in 3 JVMs",
                        0.001,
                        " threads each",
                        divided(
                                figures.of("background")
                                        .ofMetric("further threads")
                                        .only(),
                                MANY)),
                Goal.atMost(
                        "100,000 sequencers, longest piece on a partition's thread, on a processor",
                        10_000,
                        " µs",
                        figures.of("pieces").ofMetric("longest on a processor").greatest()));
    }

    private OptionalDouble ratio(String subject, String other, String threads) {
        return quotient(rate(subject, threads), rate(other, threads));
    }

    private OptionalDouble rate(String subject, String threads) {
        return rates.ofSubject(subject).ofSetting(threads).only();
    }

    private OptionalDouble p50(String subject) {
        return half.ofSubject(subject).ofMetric("p50").only();
    }

    private static Figures upToFourThreads(Figures figures) {
        return new Figures(figures.results().stream()
                .filter(result -> !result.setting().equals(SIXTEEN))
                .toList());
    }

    static OptionalDouble quotient(OptionalDouble value, OptionalDouble divisor) {
        return divisor.isEmpty() ? divisor : divided(value, divisor.getAsDouble());
    }

    private static OptionalDouble divided(OptionalDouble value, double divisor) {
        return value.isEmpty() ? value : OptionalDouble.of(value.getAsDouble() / divisor);
    }

    private static OptionalDouble difference(OptionalDouble value, OptionalDouble other) {
        return value.isEmpty() || other.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(value.getAsDouble() - other.getAsDouble());
    }
}
