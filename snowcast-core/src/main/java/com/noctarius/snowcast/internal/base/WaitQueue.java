// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A queue of threads that wait for conditions; time or another thread makes a condition true. Waiting threads are
 * parked, not blocked on a lock, so that {@link #wake} never waits and virtual threads are not pinned. No wake-up is
 * lost, because a thread adds itself to the queue before it checks the condition. Thread-safe.
 */
public final class WaitQueue {
    /** In place of a time until the next check: only another thread makes the condition true. */
    public static final long UNTIL_WOKEN = Long.MAX_VALUE;

    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private final Clock clock;

    public WaitQueue(Clock clock) {
        this.clock = clock;
    }

    /**
     * Parks the thread until a condition is true; returns false if it is not true after {@code atMost}.
     *
     * @param nanosLeft returns 0 or less if the condition is true, else in how many nanoseconds to check it again
     */
    public boolean await(LongSupplier nanosLeft, Duration atMost) throws InterruptedException {
        long deadline = clock.nanos() + atMost.toNanos();
        waiting.add(Thread.currentThread());
        try {
            long nanos;
            while ((nanos = nanosLeft.getAsLong()) > 0) {
                long remaining = deadline - clock.nanos();
                if (remaining <= 0) {
                    return false;
                }
                clock.parkNanos(Math.min(nanos, remaining));
            }
            return true;
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /** Like {@link #await(LongSupplier, Duration)}, and counts the wait. */
    public boolean await(LongSupplier nanosLeft, Duration atMost, Waits waits) throws InterruptedException {
        long startNanos = waits.begin(clock);
        try {
            return await(nanosLeft, atMost);
        } finally {
            waits.end(clock, startNanos);
        }
    }

    /** Returns whether a thread waits. */
    public boolean isInUse() {
        return !waiting.isEmpty();
    }

    /** Makes all waiting threads check their conditions; to be called after a condition has become true. */
    public void wake() {
        waiting.forEach(LockSupport::unpark);
    }

    /** Counts waits when they begin, and adds up their durations when they end. Thread-safe. */
    public static final class Waits {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        /** Begins a wait; returns its start time for {@link #end}. */
        public long begin(Clock clock) {
            count.increment();
            return clock.nanos();
        }

        public void end(Clock clock, long sinceNanos) {
            nanos.add(clock.nanos() - sinceNanos);
        }

        public long count() {
            return count.sum();
        }

        public Duration time() {
            return Duration.ofNanos(nanos.sum());
        }
    }
}
