// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The clocks of the operating system. */
public final class SystemClock implements Clock {
    public static final SystemClock INSTANCE = new SystemClock();

    private SystemClock() {}

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void parkUntil(long millis) throws InterruptedException {
        // The wall clock to the nanosecond: a park measured in whole milliseconds would oversleep by half of one.
        Instant now = Instant.now();
        long aheadMillis = millis - now.getEpochSecond() * 1_000;
        parkNanos(TimeUnit.MILLISECONDS.toNanos(aheadMillis) - now.getNano());
    }

    @Override
    public void parkNanos(long nanos) throws InterruptedException {
        if (nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
