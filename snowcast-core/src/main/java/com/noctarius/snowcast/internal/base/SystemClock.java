// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The clocks of the operating system. */
public final class SystemClock implements Clock {
    public static final SystemClock INSTANCE = new SystemClock();

    /** A test puts its clock under this key into the user context of a member or client. */
    public static final String REPLACEMENT_KEY = "snowcast:clock";

    /** The system property that enables the cached clock for high rates of IDs: {@code true} by default. */
    public static final String CACHED_CLOCK = "snowcast.cached.clock";

    /** From this many IDs per millisecond on, reading the clock for each ID costs more than the ticking thread. */
    private static final long HIGH_RATE = 2_048;

    private static final CachedClock CACHED = new CachedClock(INSTANCE, HIGH_RATE, Threads.named("snowcast.clock"));

    private SystemClock() {}

    /** Returns the clock that a test has put into a user context, or the system's clock if there is none. */
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
    public CachedClock cachedClock() {
        String isCached = System.getProperty(CACHED_CLOCK, "true");
        return switch (isCached) {
            case "true" -> CACHED;
            case "false" -> Clock.super.cachedClock();
            default -> throw new IllegalArgumentException(CACHED_CLOCK + " must be true or false: " + isCached);
        };
    }

    @Override
    public void parkUntil(long millis) throws InterruptedException {
        // Park for nanoseconds: whole milliseconds would be half a millisecond too long on average.
        Instant now = Instant.now();
        long aheadMillis = millis - now.getEpochSecond() * 1_000;
        long aheadNanos = TimeUnit.MILLISECONDS.toNanos(aheadMillis) - now.getNano();
        // Limit the park: the clock may have been set back by years since the caller read it.
        parkNanos(Math.min(aheadNanos, TimeUnit.MILLISECONDS.toNanos(250)));
    }

    @Override
    public void parkNanos(long nanos) throws InterruptedException {
        if (nanos == WaitQueue.UNTIL_WOKEN) {
            LockSupport.park(this);
        } else if (nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
