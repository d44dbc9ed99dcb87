// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.TimeUnit;

/** When to sample all of something: each time, or once a minute if they are very many. Not thread-safe. */
public final class SampleInterval {
    /** So many are sampled each time; no more can be shown one by one. */
    public static final int MAX_NAMED = 1_000;

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Clock clock;
    private long sampledNanos;

    public SampleInterval(Clock clock) {
        this.clock = clock;
        this.sampledNanos = clock.nanos() - INTERVAL_NANOS; // The first sample is due.
    }

    /** Returns whether to sample so many now; if so, they count as sampled. */
    public boolean beginIfDue(long size) {
        long now = clock.nanos();
        boolean due = size <= MAX_NAMED || now - sampledNanos >= INTERVAL_NANOS;
        sampledNanos = due ? now : sampledNanos;
        return due;
    }
}
