// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.SnowcastSequencer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Measures how old the timestamps of IDs are when the IDs are returned, at full rate, with a layout of 65,536 IDs per
 * millisecond.
 */
final class Staleness {
    static final String GROUP = "staleness";
    static final String READING = "snowcast, reading the clock";
    static final List<String> SUBJECTS = List.of("snowcast", READING);

    private static final List<Integer> THREADS = List.of(1, 2, 4, 16);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(5);
    /**
     * Measures the age of one ID in this many. The number is not 64: snowcast reads the clock for one ID in 64, and the
     * measured IDs could all be such IDs.
     */
    private static final int LOOKED_AT = 61;

    private final Effort effort;

    Staleness(Effort effort) {
        this.effort = effort;
    }

    List<Result> run(String subject) throws InterruptedException, ExecutionException {
        if (subject.equals(READING)) {
            System.setProperty("snowcast.cached.clock", "false");
        }
        List<Result> results = new ArrayList<>();
        try (Member member = Member.start()) {
            SnowcastSequencer sequencer = member.sequencer(Member.FEW_NODES);
            for (int threads : THREADS) {
                results.addAll(measure(subject, sequencer, threads));
            }
        } finally {
            System.clearProperty("snowcast.cached.clock");
        }
        return results;
    }

    private List<Result> measure(String subject, SnowcastSequencer sequencer, int threads)
            throws InterruptedException, ExecutionException {
        load(sequencer, threads, WARM_UP, new Histogram(3));
        Histogram ages = new ConcurrentHistogram(3);
        long before = tickingNanos();
        Load load = load(sequencer, threads, MEASURED, ages);
        double ticking = Math.max(tickingNanos() - before, 0) / (double) load.nanos();
        String setting = Threads.setting(threads);
        List<Result> results = new ArrayList<>(Saturation.percentiles(GROUP, subject, setting, ages, "ms", 1));
        double none = 100.0 * ages.getCountBetweenValues(0, 1) / Math.max(ages.getTotalCount(), 1);
        results.add(new Result(GROUP, subject, setting, "at most 1 ms", none, 0, "%"));
        results.add(
                new Result(GROUP, subject, setting, "IDs", load.callsPerMillisecond() * LOOKED_AT / 1e3, 0, "per µs"));
        results.add(new Result(GROUP, subject, setting, "ticking thread", ticking, 0, "cores"));
        return results;
    }

    private Load load(SnowcastSequencer sequencer, int threads, Duration duration, Histogram ages)
            throws InterruptedException, ExecutionException {
        long epochOffset = sequencer.epoch().getEpochOffset();
        IdSource looked = () -> {
            for (int i = 1; i < LOOKED_AT; i++) {
                sequencer.next();
            }
            long id = sequencer.next();
            long now = System.currentTimeMillis();
            ages.recordValue(Math.max(now - epochOffset - sequencer.timestampValue(id), 0));
            return id;
        };
        return Load.of(looked, Thread::new, threads, effort.of(duration), Load.Timing.NOTHING);
    }

    /** Returns the CPU time of the thread that updates snowcast's cached clock; 0 if there is no such thread. */
    private static long tickingNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals("snowcast.clock")) {
                nanos += Math.max(threads.getThreadCpuTime(thread.getThreadId()), 0);
            }
        }
        return nanos;
    }
}
