// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The result of threads that call one source in a loop for some time.
 *
 * @param nanos the duration of the measurement
 * @param cpuNanos the CPU time that all threads of this JVM used during the measurement
 * @param calls for each thread, how many of its calls returned
 * @param waits how long the calls took, in nanoseconds; empty if the calls were not timed
 */
record Load(long nanos, long cpuNanos, List<Long> calls, Histogram waits) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int SIGNIFICANT_DIGITS = 3;

    static Load of(IdSource source, ThreadFactory factory, int threads, Duration duration, Timing timing)
            throws InterruptedException, ExecutionException {
        Gate gate = new Gate(threads);
        List<FutureTask<Share>> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<Share> worker =
                    new FutureTask<>(() -> timing == Timing.EACH_CALL ? timed(source, gate) : counted(source, gate));
            workers.add(worker);
            factory.newThread(worker).start();
        }
        gate.ready.await();
        long cpuBefore = SYSTEM.getProcessCpuTime();
        long begin = System.nanoTime();
        gate.start.countDown();
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        long nanos = System.nanoTime() - begin;
        long cpuNanos = SYSTEM.getProcessCpuTime() - cpuBefore;
        gate.stop = true;
        Histogram waits = histogram();
        List<Long> calls = new ArrayList<>();
        for (FutureTask<Share> worker : workers) {
            Share share = worker.get();
            calls.add(share.calls());
            share.waits().forEach(waits::add);
        }
        return new Load(nanos, cpuNanos, List.copyOf(calls), waits);
    }

    private static Share counted(IdSource source, Gate gate) throws InterruptedException {
        gate.pass();
        long calls = 0;
        long ids = 0;
        while (!gate.stop) {
            ids ^= source.next();
            calls++;
        }
        gate.used = ids;
        return new Share(calls, List.of());
    }

    private static Share timed(IdSource source, Gate gate) throws InterruptedException {
        Histogram waits = histogram();
        gate.pass();
        long ids = 0;
        while (!gate.stop) {
            long begin = System.nanoTime();
            ids ^= source.next();
            waits.recordValue(System.nanoTime() - begin);
        }
        gate.used = ids;
        return new Share(waits.getTotalCount(), List.of(waits));
    }

    static Histogram histogram() {
        return new Histogram(SIGNIFICANT_DIGITS);
    }

    double callsPerMillisecond() {
        return calls.stream().mapToLong(Long::longValue).sum() / (nanos / 1e6);
    }

    double coresBusy() {
        return (double) cpuNanos / nanos;
    }

    /** Returns the calls of the slowest thread, divided by the mean: 1 is fair. Returns 1 if there were no calls. */
    double fairness() {
        LongSummaryStatistics all = calls.stream().mapToLong(Long::longValue).summaryStatistics();
        return all.getSum() == 0 ? 1 : all.getMin() / all.getAverage();
    }

    /**
     * Whether calls are timed. To time a call often takes longer than the call itself, so timing would distort the
     * rate.
     */
    enum Timing {
        EACH_CALL,
        NOTHING
    }

    /** The result of one thread, with one histogram if the calls were timed. */
    private record Share(long calls, List<Histogram> waits) {}

    /** Makes all threads start at the same time, and makes them end. */
    private static final class Gate {
        private final CountDownLatch ready;
        private final CountDownLatch start = new CountDownLatch(1);
        private volatile boolean stop;

        /** Written so that the compiler cannot remove the calls. */
        @SuppressWarnings("unused")
        private volatile long used;

        Gate(int threads) {
            this.ready = new CountDownLatch(threads);
        }

        void pass() throws InterruptedException {
            ready.countDown();
            start.await();
        }
    }
}
