// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Runs the benchmarks of a class with JMH, in rounds. Each round runs every benchmark once, in its own JVM. If the
 * machine is slow for some minutes, all benchmarks are slower, and their ratios change little.
 */
final class ThroughputRun {
    static final String RATE = "rate";
    static final String ALLOCATION = "allocation";

    private static final List<Integer> THREADS = List.of(1, 2, 4);
    private static final int ROUNDS = 2;
    private static final int WARM_UPS = 2;
    private static final int ITERATIONS = 5;
    private static final Duration WARM_UP = Duration.ofMillis(700);
    private static final Duration ITERATION = Duration.ofMillis(500);
    private static final double CONFIDENCE = 0.999;

    private final String group;
    private final Class<?> benchmarks;
    private final List<Subject> subjects;
    private final Effort effort;

    ThroughputRun(String group, Class<?> benchmarks, List<Subject> subjects, Effort effort) {
        this.group = group;
        this.benchmarks = benchmarks;
        this.subjects = subjects;
        this.effort = effort;
    }

    List<Result> run() throws RunnerException {
        List<Result> results = new ArrayList<>();
        for (int threads : THREADS) {
            Map<Subject, Scores> scores = new LinkedHashMap<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (Subject subject : subjects) {
                    Progress.say(group + ", " + Threads.setting(threads) + ", round " + (round + 1) + " of " + ROUNDS
                            + ": " + subject.title());
                    measure(subject, threads, scores.computeIfAbsent(subject, key -> new Scores()));
                }
            }
            scores.forEach((subject, found) -> results.addAll(found.results(group, subject, threads)));
        }
        return results;
    }

    private void measure(Subject subject, int threads, Scores scores) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("^" + benchmarks.getName() + "\\." + subject.method() + "$")
                .threads(threads)
                .forks(1)
                .warmupIterations(WARM_UPS)
                .warmupTime(time(WARM_UP))
                .measurementIterations(ITERATIONS)
                .measurementTime(time(ITERATION))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        for (RunResult run : new Runner(options).run()) {
            run.getBenchmarkResults().forEach(scores::add);
        }
    }

    private TimeValue time(Duration duration) {
        return TimeValue.milliseconds(effort.of(duration).toMillis());
    }

    /** The results of all iterations of one benchmark, from all rounds. */
    private static final class Scores {
        private final ListStatistics rates = new ListStatistics();
        private final ListStatistics allocations = new ListStatistics();

        void add(BenchmarkResult fork) {
            for (IterationResult iteration : fork.getIterationResults()) {
                rates.addValue(iteration.getPrimaryResult().getScore());
                allocations.addValue(
                        Objects.requireNonNull(iteration.getSecondaryResults().get("gc.alloc.rate.norm"))
                                .getScore());
            }
        }

        List<Result> results(String group, Subject subject, int threads) {
            String setting = Threads.setting(threads);
            return List.of(
                    new Result(
                            group,
                            subject.title(),
                            setting,
                            RATE,
                            rates.getMean(),
                            rates.getMeanErrorAt(CONFIDENCE),
                            "ops/µs"),
                    // Use the median, because background work after the start of a member affects few iterations.
                    new Result(group, subject.title(), setting, ALLOCATION, allocations.getPercentile(50), 0, "B/op"));
        }
    }
}
