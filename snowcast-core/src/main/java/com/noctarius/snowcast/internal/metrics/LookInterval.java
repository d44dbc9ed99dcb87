// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.metrics;

import com.noctarius.snowcast.internal.clock.Clock;
import java.util.concurrent.TimeUnit;

/**
 * When to look at all of something for metrics: each time, or once a minute if they are very many, since a look then takes
 * a while. Not thread-safe.
 */
public final class LookInterval {
    /** So many are looked at each time, and shown one by one. */
    public static final int MAX_NAMED = 1_000;

    private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Clock clock;
    private long lookedNanos;

    /** Makes one whose first look is due. */
    public LookInterval(Clock clock) {
        this.clock = clock;
        this.lookedNanos = clock.nanos() - INTERVAL_NANOS;
    }

    /** Whether to look at so many now; if so, they count as looked at. */
    public boolean isDue(long size) {
        long now = clock.nanos();
        boolean due = size <= MAX_NAMED || now - lookedNanos >= INTERVAL_NANOS;
        lookedNanos = due ? now : lookedNanos;
        return due;
    }
}
