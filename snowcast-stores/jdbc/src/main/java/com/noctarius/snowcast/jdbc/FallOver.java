// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Determines the order in which a store tries its shards. The store tries a failed shard last, until a call on the
 * shard or a probe succeeds. The time until the next probe is random, and its upper bound doubles with each failure
 * since the last successful call, up to a limit. The store also tries a shard last while callers wait too long for the
 * shard. Thread-safe.
 */
final class FallOver {
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_DOUBLINGS = 7;
    /**
     * If callers have waited for a shard for this time, and no call on the shard has ended meanwhile, the store tries
     * the shard last.
     */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int start;
    private final long probeNanos;
    private final List<State> states;

    private static final class State {
        final int index;
        /**
         * When the failed shard may be probed, in nanoseconds after {@link FallOver#originNanos}; 0 while the shard
         * does not count as failed.
         */
        final AtomicLong notBefore = new AtomicLong();

        volatile int failuresInARow;

        final AtomicInteger waiting = new AtomicInteger();

        /** The later of two times: when a call last ended, and when the first of the waiting calls began. */
        volatile long progressNanos;

        State(int index) {
            this.index = index;
        }
    }

    private final LongSupplier nanoTime;
    private final long originNanos;

    /** Begins the order with the shard {@code start}; repeats a probe that has not ended after {@code probeNanos}. */
    FallOver(int start, int count, long probeNanos, LongSupplier nanoTime) {
        this.start = start;
        this.probeNanos = probeNanos;
        this.nanoTime = nanoTime;
        this.originNanos = nanoTime.getAsLong();
        this.states = IntStream.range(0, count).mapToObj(State::new).toList();
    }

    /** Returns the indices of all shards, in the order in which to try them. */
    List<Integer> order() {
        long now = now();
        List<Integer> order = new ArrayList<>();
        List<State> later = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            State state = states.get((start + i) % states.size());
            if (mayBeAsked(state, now)) {
                order.add(state.index);
            } else {
                later.add(state);
            }
        }
        later.sort(Comparator.comparingLong(state -> state.notBefore.get()));
        later.forEach(state -> order.add(state.index));
        return order;
    }

    private static boolean mayBeAsked(State state, long now) {
        boolean letsOthersWait = state.waiting.get() > 0 && now - state.progressNanos > SLOW_NANOS;
        return state.notBefore.get() == 0 && !letsOthersWait;
    }

    /**
     * Returns the indices of the failed shards that the caller has to probe now, while other shards serve. Returns none
     * if all shards have failed, because each call then tries all shards anyway.
     */
    List<Integer> due() {
        if (states.stream().noneMatch(state -> state.notBefore.get() == 0)) {
            return List.of();
        }
        long now = now();
        return states.stream()
                .filter(state -> isDue(state, now))
                .map(state -> state.index)
                .toList();
    }

    private boolean isDue(State state, long now) {
        long notBefore = state.notBefore.get();
        return notBefore != 0 && notBefore <= now && state.notBefore.compareAndSet(notBefore, now + probeNanos);
    }

    /**
     * Notes that a probe has succeeded: the shard no longer counts as failed. The next failure still doubles the upper
     * bound of the time until the next probe, because a shard may pass each probe and fail each call.
     */
    void reachable(int index) {
        states.get(index).notBefore.set(0);
    }

    boolean isAvailable(int index) {
        return states.get(index).notBefore.get() == 0;
    }

    /** Notes that a caller begins to wait for a shard, until {@link #ended}. */
    void asked(int index) {
        State state = states.get(index);
        if (state.waiting.get() == 0) {
            state.progressNanos = now();
        }
        state.waiting.incrementAndGet();
    }

    /** Notes that a caller no longer waits for a shard, with or without an answer. */
    void ended(int index) {
        State state = states.get(index);
        state.progressNanos = now();
        state.waiting.decrementAndGet();
    }

    void answered(int index) {
        State state = states.get(index);
        state.failuresInARow = 0;
        state.notBefore.set(0);
    }

    /** Notes that a call or a probe has failed: the store tries the shard last until the shard answers. */
    void failed(int index) {
        State state = states.get(index);
        int failures = state.failuresInARow;
        state.failuresInARow = Math.min(failures + 1, MAX_DOUBLINGS);
        long bound = FIRST_BACKOFF_NANOS << failures;
        state.notBefore.set(now() + ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
    }

    private long now() {
        return nanoTime.getAsLong() - originNanos + 1;
    }
}
