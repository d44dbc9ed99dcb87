// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The clocks of the operating system. */
public final class SystemClock implements Clock {
    public static final SystemClock INSTANCE = new SystemClock();

    /** Where tests put another clock: under this key into the user context of a member's or client's configuration. */
    public static final String REPLACEMENT_KEY = "snowcast:clock";

    private SystemClock() {}

    /** Returns the clock that a test put into a user context, else the system's. */
    public static Clock unlessReplacedIn(Map<String, Object> userContext) {
        return userContext.get(REPLACEMENT_KEY) instanceof Clock replacement ? replacement : INSTANCE;
    }

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
