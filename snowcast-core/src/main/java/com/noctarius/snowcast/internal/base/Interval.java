// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;

/** Lets something happen at most once per interval, and the first time at once. Thread-safe. */
public final class Interval {
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
