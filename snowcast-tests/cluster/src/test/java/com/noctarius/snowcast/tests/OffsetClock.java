// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clocks, of which the wall clock is off by what a test says. Thread-safe. */
final class OffsetClock implements Clock {
    private volatile long offsetMillis;
    /** By how much the next read alone is off, beyond that; 0 if it is right. */
    private final AtomicLong misreadMillis = new AtomicLong();

    OffsetClock(long offsetMillis) {
        this.offsetMillis = offsetMillis;
    }

    /** Sets the wall clock, forward or back. */
    void setOffset(long millis) {
        offsetMillis = millis;
    }

    /** Makes one read of the wall clock wrong, as by a fault of the machine. */
    void misreadOnce(long millis) {
        misreadMillis.set(millis);
    }

    long offsetMillis() {
        return offsetMillis;
    }

    @Override
    public long millis() {
        long misread = misreadMillis.get() == 0 ? 0 : misreadMillis.getAndSet(0);
        return SystemClock.INSTANCE.millis() + offsetMillis + misread;
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
