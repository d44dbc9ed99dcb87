// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A cached wall clock for high rates of IDs, at which reading the clock would cost more than the rest of a call. At
 * such a rate, one thread <em>ticks</em>: it writes the present millisecond every {@value #TICK_MILLIS} ms. The ticking
 * ends after {@value #IDLE_TICKS} ticks without a high rate.
 *
 * <p>The cached time is the time of the last tick or {@link #read}. Calls of {@link #read} therefore correct the cached
 * time while the ticking thread gets no processor time. Thread-safe.
 */
public final class CachedClock {
    /** Returned by {@link #millis} when no thread ticks; not a valid time with any epoch. */
    static final long STOPPED = Long.MIN_VALUE / 2;

    private static final int TICK_MILLIS = 2;
    private static final int IDLE_TICKS = 25;

    /** The index of the time in its array. Processors fetch two cache lines, so two before and after are unused. */
    private static final int AT = 16;

    private final Clock clock;
    private final long highRate;
    private final Executor threads;

    /** The cached time. Nothing else must be written near it, because at a high rate of IDs, every call reads it. */
    private final AtomicLongArray present = new AtomicLongArray(2 * AT + 1);

    private final AtomicBoolean isTicking = new AtomicBoolean();
    private volatile boolean isWanted;
    /** Used by the ticking thread only. */
    private int idleTicks;

    /**
     * Makes a clock that does not tick yet.
     *
     * @param highRate the clock ticks at this rate and above, in IDs per millisecond
     * @param threads runs the ticking thread
     */
    public CachedClock(Clock clock, long highRate, Executor threads) {
        this.clock = clock;
        this.highRate = highRate;
        this.threads = threads;
        present.set(AT, STOPPED);
    }

    /** Returns the cached time in milliseconds since 1970; {@link #STOPPED} if no thread ticks. */
    public long millis() {
        return present.get(AT);
    }

    /** Reads the wall clock. While a thread ticks, also corrects the cached time. */
    public long read() {
        long seen = present.get(AT);
        long now = clock.millis();
        if (seen != now && seen != STOPPED) {
            // Do not overwrite a later tick or STOPPED. If this time replaced STOPPED, no thread would update it.
            present.compareAndSet(AT, seen, now);
        }
        return now;
    }

    /**
     * Starts or prolongs the ticking if the given number of IDs per millisecond is a high rate; returns whether it is.
     */
    public boolean startIfWorth(long idsPerMilli) {
        if (idsPerMilli < highRate) {
            return false;
        }
        isWanted = true;
        if (isTicking.compareAndSet(false, true)) {
            try {
                threads.execute(this::run);
            } catch (OutOfMemoryError e) {
                isTicking.set(false); // No thread can be created. Calls read the clock, as at a low rate.
            }
        }
        return true;
    }

    private void run() {
        try {
            while (tick()) {
                try {
                    clock.parkUntil(millis() + TICK_MILLIS);
                } catch (InterruptedException e) {
                    // An interrupt does not end the thread; the next tick just comes earlier.
                }
            }
        } catch (RuntimeException | Error e) { // For example a full heap.
            present.set(AT, STOPPED);
            isTicking.set(false); // A later call starts another thread.
            throw e;
        }
    }

    /** Does one tick: writes the present time. The last tick writes {@link #STOPPED} and returns false. */
    public boolean tick() {
        idleTicks = isWanted ? 0 : idleTicks + 1;
        isWanted = false;
        boolean goesOn = idleTicks < IDLE_TICKS;
        present.set(AT, goesOn ? clock.millis() : STOPPED);
        isTicking.set(goesOn);
        return goesOn;
    }
}
