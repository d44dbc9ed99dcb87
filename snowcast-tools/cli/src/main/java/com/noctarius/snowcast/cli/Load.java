// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.noctarius.snowcast.SnowcastSequencer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs threads that generate IDs, and measures the rate and the latency. */
final class Load {
    /** Durations are counted in sixteen steps per power of two, so they are accurate to about 6 %. */
    private static final int STEP_BITS = 4;

    private static final long PROGRESS_MILLIS = 200;
    private static final int KEPT_IDS = 1 << 13;

    private final IdCheck check;
    private final long durationNanos;
    private final int batch;
    private final List<SnowcastSequencer> users = new ArrayList<>();
    private long startNanos;

    Load(IdCheck check, int seconds, int batch) {
        this.check = check;
        this.durationNanos = seconds * 1_000_000_000L;
        this.batch = batch;
    }

    void add(SnowcastSequencer sequencer, int threads) {
        for (int i = 0; i < threads; i++) {
            users.add(sequencer);
        }
    }

    /** Runs all threads. If a thread fails, throws its exception, wrapped unless it is a {@code RuntimeException}. */
    Result run(Progress progress) throws IOException, InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(users.size());
        startNanos = System.nanoTime();
        long endNanos = startNanos + durationNanos;
        try {
            List<Future<long[]>> futures = new ArrayList<>();
            for (SnowcastSequencer user : users) {
                futures.add(executor.submit(() -> use(user, endNanos)));
            }
            long[] counts = new long[1 << (6 + STEP_BITS)];
            for (Future<long[]> future : futures) {
                long[] each = await(future, progress);
                Arrays.setAll(counts, i -> counts[i] + each[i]);
            }
            return new Result(
                    check.count(),
                    System.nanoTime() - startNanos,
                    Arrays.stream(counts).boxed().toList());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private long[] await(Future<long[]> future, Progress progress) throws ExecutionException, InterruptedException {
        while (true) {
            try {
                return future.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                progress.draw(count());
            }
        }
    }

    private long count() {
        synchronized (check) {
            return check.count();
        }
    }

    /** Returns the elapsed share of the duration. */
    double share() {
        return (double) (System.nanoTime() - startNanos) / durationNanos;
    }

    private long[] use(SnowcastSequencer sequencer, long endNanos) throws IOException, InterruptedException {
        long[] counts = new long[1 << (6 + STEP_BITS)];
        long[] kept = new long[Math.max(KEPT_IDS, batch)];
        int size = 0;
        long nowNanos = System.nanoTime();
        while (nowNanos - endNanos < 0) {
            if (size + batch > kept.length) {
                keep(kept, size);
                size = 0;
                nowNanos = System.nanoTime();
            }
            if (batch == 1) {
                kept[size] = sequencer.next();
            } else {
                sequencer.next(kept, size, size + batch);
            }
            long thenNanos = System.nanoTime();
            counts[step(thenNanos - nowNanos)]++;
            nowNanos = thenNanos;
            size += batch;
        }
        keep(kept, size);
        return counts;
    }

    private void keep(long[] ids, int size) throws IOException {
        synchronized (check) {
            for (int i = 0; i < size; i++) {
                check.add(ids[i], 0);
            }
        }
    }

    private static int step(long nanos) {
        long value = Math.max(1L << STEP_BITS, nanos);
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        return (power << STEP_BITS) + (int) (value >>> (power - STEP_BITS)) - (1 << STEP_BITS);
    }

    /** The result. {@code counts} has the number of calls for each step of their duration: see {@link #STEP_BITS}. */
    record Result(long ids, long nanos, List<Long> counts) {
        /** Returns a duration in nanoseconds. The given share of all calls took at most this long. */
        long latency(double share) {
            long calls = counts.stream().mapToLong(Long::longValue).sum();
            long rank = (long) Math.ceil(calls * share);
            long seen = 0;
            for (int i = 0; i < counts.size(); i++) {
                seen += counts.get(i);
                if (seen >= rank) {
                    return end(i);
                }
            }
            return 0;
        }

        long longestNanos() {
            return latency(1);
        }

        private static long end(int step) {
            int power = step >>> STEP_BITS;
            long part = (step & ((1 << STEP_BITS) - 1)) + (1L << STEP_BITS) + 1;
            return power < STEP_BITS ? 0 : part << (power - STEP_BITS);
        }
    }
}
