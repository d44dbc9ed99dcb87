// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsyncCallsConcurrencyTest {
    private static final int THREADS = 4;
    private static final int CALLS = 20_000;

    @AutoClose("shutdownNow")
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    /** A source of increasing values. At random, its methods return no value, or {@code nextOrWait} throws. */
    private static final class MoodySource {
        private final AtomicLong values = new AtomicLong();
        private final Random random;

        MoodySource(long seed) {
            this.random = new Random(seed);
        }

        private synchronized int mood() {
            return random.nextInt(8);
        }

        OptionalLong tryNext() {
            return mood() == 0 ? OptionalLong.of(values.incrementAndGet()) : OptionalLong.empty();
        }

        OptionalLong nextOrWait() throws InterruptedException {
            int mood = mood();
            if (mood == 0) {
                throw new InterruptedException("at times");
            }
            return mood < 3 ? OptionalLong.empty() : OptionalLong.of(values.incrementAndGet());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyCallEndsAndNoValueComesTwice(long seed) throws Exception {
        MoodySource source = new MoodySource(seed);
        // With an even seed, a failure of nextOrWait fails all calls that were queued when nextOrWait was called; with
        // an odd seed, only the first of these calls.
        Duration maxWait = seed % 2 == 0 ? Duration.ZERO : Duration.ofHours(1);
        AsyncCalls calls = new AsyncCalls(source::tryNext, source::nextOrWait, SystemClock.INSTANCE, maxWait);
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        List<Future<long[]>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long ofThread = seed * THREADS + i;
            callers.add(executor.submit(() -> call(calls, new Random(ofThread), seen)));
        }
        long got = 0;
        long cancelled = 0;
        for (Future<long[]> caller : callers) {
            long[] counts = caller.get(8, TimeUnit.MINUTES);
            got += counts[0];
            cancelled += counts[1];
        }
        assertThat(seen).hasSize(Math.toIntExact(got));
        assertThat(cancelled).as("a race at all").isPositive();
        assertThat(source.values.get() - got).as("gaps").isBetween(0L, cancelled);
    }

    /**
     * Makes the calls of one thread. Returns how many of them got a value, and how many were cancelled before they got
     * one.
     */
    private static long[] call(AsyncCalls calls, Random random, Set<Long> seen) throws Exception {
        List<CompletableFuture<Long>> stages = new ArrayList<>();
        long last = 0;
        long cancelled = 0;
        for (int i = 0; i < CALLS; i++) {
            CompletableFuture<Long> stage = calls.next();
            stages.add(stage);
            if (random.nextInt(3) == 0) {
                cancelled += stage.cancel(false) ? 1 : 0;
            } else if (random.nextInt(20) == 0) {
                last = greater(last, stage);
            }
        }
        long got = 0;
        for (CompletableFuture<Long> stage : stages) {
            Long value = stage.handle((number, failure) -> number).get(8, TimeUnit.MINUTES);
            if (value != null) {
                assertThat(seen.add(value)).as("once: %s", value).isTrue();
                got++;
            }
        }
        return new long[] {got, cancelled};
    }

    /**
     * Returns the value of a call, or {@code last} if the call failed. An earlier call got the value {@code last}
     * before this call began, so the value of this call must be greater.
     */
    private static long greater(long last, CompletableFuture<Long> stage) throws Exception {
        Long value = stage.handle((number, failure) -> number).get(8, TimeUnit.MINUTES);
        if (value == null) {
            return last;
        }
        assertThat(value).isGreaterThan(last);
        return value;
    }
}
