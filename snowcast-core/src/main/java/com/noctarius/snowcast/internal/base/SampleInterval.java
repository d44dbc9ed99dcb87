// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;

/** Decides when to sample objects for metrics: at each reading, or once a minute if there are many. Not thread-safe. */
public final class SampleInterval {
    /**
     * If there are at most this many objects, each reading samples all of them. No more than this many objects can have
     * metrics of their own.
     */
    public static final int MAX_NAMED = 1_000;

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Clock clock;
    private long sampledNanos;

    public SampleInterval(Clock clock) {
        this.clock = clock;
        this.sampledNanos = clock.nanos() - INTERVAL_NANOS; // The first sample is due.
    }

    /** Returns whether to sample the given number of objects now. A sample restarts the interval. */
    public boolean beginIfDue(long size) {
        long now = clock.nanos();
        boolean due = size <= MAX_NAMED || now - sampledNanos >= INTERVAL_NANOS;
        sampledNanos = due ? now : sampledNanos;
        return due;
    }
}
