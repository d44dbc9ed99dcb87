// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;

/** The wall clock and the monotonic clock, which tests replace. */
public interface Clock {
    /** Returns the wall clock in milliseconds since 1970. It may jump, and may run backwards. */
    long millis();

    /** Returns the wall clock as the median of three reads, so that a single wrong read has no effect. */
    default long medianMillis() {
        long first = millis();
        long second = millis();
        long third = millis();
        return Math.max(Math.min(first, second), Math.min(Math.max(first, second), third));
    }

    /** Returns a monotonic time in nanoseconds, of arbitrary origin. */
    long nanos();

    /**
     * Parks the thread. If the wall clock makes no step, returns at the latest when that clock shows {@code millis}.
     * May return earlier: the caller must check the time and call again.
     */
    void parkUntil(long millis) throws InterruptedException;

    /** Parks the thread for at most {@code nanos}; may return earlier, as {@link #parkUntil} may. */
    void parkNanos(long nanos) throws InterruptedException;

    /** Returns the cached clock for high rates of IDs; by default one that never ticks. */
    default CachedClock cachedClock() {
        return new CachedClock(this, Long.MAX_VALUE, Runnable::run);
    }

    /** Lets something happen at most once per interval, and the first time at once. Thread-safe. */
    final class Interval {
        private final Clock clock;
        private final long nanos;
        /** Guarded by the monitor. */
        private long begunNanos;

        public Interval(Clock clock, Duration length) {
            this.clock = clock;
            this.nanos = length.toNanos();
            this.begunNanos = clock.nanos() - nanos;
        }

        /** Returns whether the interval is over. If it is, the next one begins. */
        public synchronized boolean beginIfOver() {
            long now = clock.nanos();
            boolean isOver = now - begunNanos >= nanos;
            begunNanos = isOver ? now : begunNanos;
            return isOver;
        }
    }
}
