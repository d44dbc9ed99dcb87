// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.SystemClock;

/** The system's clocks, of which the wall clock is off by what a test says. Thread-safe. */
final class OffsetClock implements Clock {
    private volatile long offsetMillis;

    OffsetClock(long offsetMillis) {
        this.offsetMillis = offsetMillis;
    }

    /** Sets the wall clock, forward or back. */
    void setOffset(long millis) {
        offsetMillis = millis;
    }

    long offsetMillis() {
        return offsetMillis;
    }

    @Override
    public long millis() {
        return SystemClock.INSTANCE.millis() + offsetMillis;
    }

    @Override
    public long nanos() {
        return SystemClock.INSTANCE.nanos();
    }

    @Override
    public void parkUntil(long millis) throws InterruptedException {
        SystemClock.INSTANCE.parkUntil(millis - offsetMillis);
    }

    @Override
    public void parkNanos(long nanos) throws InterruptedException {
        SystemClock.INSTANCE.parkNanos(nanos);
    }
}
