// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jcstress;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.TickedTime;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A wall clock that stands still and jumps to the end of a wait for it. Waits for other threads are real ones. */
final class RaceClock implements Clock {
    private final AtomicLong millis;
    private final TickedTime ticked;

    RaceClock(long millis) {
        this(millis, Long.MAX_VALUE);
    }

    /** The race ticks the time, from so many slots per millisecond on. */
    RaceClock(long millis, long highRate) {
        this.millis = new AtomicLong(millis);
        this.ticked = new TickedTime(this, highRate, task -> {});
    }

    @Override
    public TickedTime ticked() {
        return ticked;
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
