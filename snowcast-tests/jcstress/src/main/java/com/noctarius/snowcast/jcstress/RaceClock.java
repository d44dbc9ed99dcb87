// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import com.noctarius.snowcast.internal.base.CachedClock;
import com.noctarius.snowcast.internal.base.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A wall clock whose time does not advance by itself. A call that waits until a time sets the clock to that time, and
 * returns at once. Waits for other threads take real time.
 */
final class RaceClock implements Clock {
    private final AtomicLong millis;
    private final CachedClock cached;

    RaceClock(long millis) {
        this(millis, Long.MAX_VALUE);
    }

    /** Creates a clock whose cached clock is used from {@code highRate} slots per millisecond on. */
    RaceClock(long millis, long highRate) {
        this.millis = new AtomicLong(millis);
        this.cached = new CachedClock(this, highRate, task -> {});
    }

    @Override
    public CachedClock cachedClock() {
        return cached;
    }

    @Override
    public long millis() {
        return millis.get();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void parkUntil(long end) {
        millis.accumulateAndGet(end, Math::max);
    }

    @Override
    public void parkNanos(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }
}
