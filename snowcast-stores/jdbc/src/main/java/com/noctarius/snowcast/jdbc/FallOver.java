// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The order in which shards are asked. A shard that failed is asked last for a while, which is random and longer with
 * each failure, until a probe has shown that it answers. A shard that lets callers wait is asked last as long as it
 * does so. Thread-safe.
 */
final class FallOver {
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_DOUBLINGS = 7;
    /** A shard that callers wait for and that has answered none of them for so long is asked last. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final int start;
    private final long probeNanos;
    private final List<State> states;

    private static final class State {
        final int index;
        /** Nanoseconds after the origin, from when it may be probed; 0 if it may be asked. */
        final AtomicLong notBefore = new AtomicLong();

        volatile int failuresInARow;

        /** Calls that wait for an answer. */
        final AtomicInteger waiting = new AtomicInteger();

        /** When it last answered, or when the first of the present callers began to wait. */
        volatile long progressNanos;

        State(int index) {
            this.index = index;
        }
    }

    private final long originNanos = System.nanoTime();

    /** Begins with all shards, and asks that of the index {@code start} first; a probe may take {@code probeNanos}. */
    FallOver(int start, int count, long probeNanos) {
        this.start = start;
        this.probeNanos = probeNanos;
        this.states = IntStream.range(0, count).mapToObj(State::new).toList();
    }

    /** Returns the indices of all shards, in the order in which to ask them. */
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
     * Returns the indices of the shards whose time as the last ones is over: the caller has to probe whether they
     * answer, while others serve. Empty if no shard serves, since all are asked then.
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

    /** Notes that a probe was answered: the shard may be asked again. */
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

    /** Notes that the wait is over, with an answer or without. */
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

    /** Notes that a shard is out of reach: it is asked last for a while. */
    void failed(int index) {
        State state = states.get(index);
        int failures = state.failuresInARow;
        state.failuresInARow = Math.min(failures + 1, MAX_DOUBLINGS);
        long bound = FIRST_BACKOFF_NANOS << failures;
        state.notBefore.set(now() + ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
    }

    private long now() {
        return System.nanoTime() - originNanos + 1;
    }
}
