// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A cached clock: one thread writes the present millisecond while IDs are requested at a high rate, at which a read of
 * the clock would cost more than the rest of a call. After {@value #IDLE_TICKS} ticks without such a rate the thread
 * ends.
 *
 * <p>The cached time is that of the last tick or {@link #read}. If the ticking thread gets no processor time, reads
 * correct it. Thread-safe.
 */
public final class CachedClock {
    /** Returned by {@link #millis} when no thread ticks. It is no valid time with any epoch. */
    static final long STOPPED = Long.MIN_VALUE / 2;

    private static final int TICK_MILLIS = 2;
    private static final int IDLE_TICKS = 25;

    /** The index of the time in its array: two cache lines on either side, because processors fetch them in pairs. */
    private static final int AT = 16;

    private final Clock clock;
    private final long highRate;
    private final Executor threads;

    /** Every call reads it at a high rate, so nothing else must be written near it. */
    private final AtomicLongArray present = new AtomicLongArray(2 * AT + 1);

    private final AtomicBoolean isTicking = new AtomicBoolean();
    private volatile boolean isWanted;
    /** Used by the ticking thread only. */
    private int idleTicks;

    /**
     * Makes a stopped time.
     *
     * @param highRate the number of IDs per millisecond from which it ticks
     * @param threads runs the ticking thread
     */
    public CachedClock(Clock clock, long highRate, Executor threads) {
        this.clock = clock;
        this.highRate = highRate;
        this.threads = threads;
        present.set(AT, STOPPED);
    }

    /** Returns the wall clock at the last tick, in milliseconds since 1970; {@link #STOPPED} if no thread ticks. */
    public long millis() {
        return present.get(AT);
    }

    /** Reads the clock, and corrects the cached time. */
    public long read() {
        long seen = present.get(AT);
        long now = clock.millis();
        if (seen != now && seen != STOPPED) {
            // Do not overwrite a later tick or the stop: a time that no thread ticks any more would stay forever.
            present.compareAndSet(AT, seen, now);
        }
        return now;
    }

    /** Starts the ticking if the given number of IDs per millisecond is a high rate; returns whether it is. */
    public boolean startIfWorth(long idsPerMilli) {
        if (idsPerMilli < highRate) {
            return false;
        }
        isWanted = true;
        if (isTicking.compareAndSet(false, true)) {
            try {
                threads.execute(this::run);
            } catch (OutOfMemoryError e) {
                isTicking.set(false); // No more threads: calls read the clock, as at a low rate.
            }
        }
        return true;
    }

    private void run() {
        while (tick()) {
            try {
                clock.parkUntil(millis() + TICK_MILLIS);
            } catch (InterruptedException e) {
                // An interrupt does not end the thread; the next tick just comes earlier.
            }
        }
    }

    /** One tick of the ticking thread: writes the present time; returns false once it has stopped. */
    public boolean tick() {
        idleTicks = isWanted ? 0 : idleTicks + 1;
        isWanted = false;
        boolean goesOn = idleTicks < IDLE_TICKS;
        present.set(AT, goesOn ? clock.millis() : STOPPED);
        isTicking.set(goesOn);
        return goesOn;
    }
}
