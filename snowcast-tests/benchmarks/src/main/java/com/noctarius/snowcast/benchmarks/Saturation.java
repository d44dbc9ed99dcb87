// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.SnowcastLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import org.HdrHistogram.Histogram;

/**
 * Measures rate, CPU time, fairness and waits of threads that request more than the layout's 1,024 IDs per millisecond.
 */
final class Saturation {
    static final String GROUP = "saturation";

    private static final List<Integer> THREADS = List.of(1, 2, 4, 16);
    private static final Duration WARM_UP = Duration.ofMillis(1_500);
    private static final Duration COUNTED = Duration.ofSeconds(5);
    private static final Duration TIMED = Duration.ofSeconds(3);

    private final Effort effort;

    Saturation(Effort effort) {
        this.effort = effort;
    }

    List<Result> run(Contender contender) throws InterruptedException, ExecutionException {
        List<Result> results = new ArrayList<>();
        try (Contender.Source source = contender.open()) {
            for (int threads : THREADS) {
                results.addAll(measure(
                        GROUP, contender.title(), Threads.setting(threads), source.ids(), Thread::new, threads));
            }
        }
        return results;
    }

    List<Result> measure(String group, String subject, String setting, IdSource ids, ThreadFactory factory, int threads)
            throws InterruptedException, ExecutionException {
        Load.of(ids, factory, threads, effort.of(WARM_UP), Load.Timing.EACH_CALL);
        Load.of(ids, factory, threads, effort.of(WARM_UP), Load.Timing.NOTHING);
        Load counted = Load.of(ids, factory, threads, effort.of(COUNTED), Load.Timing.NOTHING);
        Load timed = Load.of(ids, factory, threads, effort.of(TIMED), Load.Timing.EACH_CALL);
        double partOfLimit = counted.callsPerMillisecond() / SnowcastLayout.DEFAULT.idsPerMillisecond();
        List<Result> results = new ArrayList<>();
        results.add(new Result(group, subject, setting, "part of the limit", partOfLimit, 0, ""));
        results.add(new Result(group, subject, setting, "cores busy", counted.coresBusy(), 0, "cores"));
        results.add(new Result(group, subject, setting, "slowest thread / mean", counted.fairness(), 0, ""));
        results.addAll(percentiles(group, subject, setting, timed.waits(), "µs", 1e3));
        return results;
    }

    static List<Result> percentiles(
            String group, String subject, String setting, Histogram nanos, String unit, double nanosPerUnit) {
        return List.of(
                new Result(group, subject, setting, "p50", nanos.getValueAtPercentile(50) / nanosPerUnit, 0, unit),
                new Result(group, subject, setting, "p99", nanos.getValueAtPercentile(99) / nanosPerUnit, 0, unit),
                new Result(group, subject, setting, "p99.9", nanos.getValueAtPercentile(99.9) / nanosPerUnit, 0, unit),
                new Result(group, subject, setting, "max", nanos.getMaxValue() / nanosPerUnit, 0, unit));
    }
}
