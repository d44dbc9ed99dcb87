// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The present millisecond, written by one thread as long as IDs are asked for at a high rate, when a read of the clock
 * would cost more than the rest of a call. After {@value #IDLE_TICKS} ticks without such a rate the thread ends.
 *
 * <p>The cached time is what the clock showed at the last tick or {@link #read}. When the ticking thread gets no
 * processor, reads correct it. Thread-safe.
 */
public final class CachedClock {
    /** What {@link #millis} returns when no thread ticks. No epoch lies so far away that it becomes a time. */
    static final long STOPPED = Long.MIN_VALUE / 2;

    private static final int TICK_MILLIS = 2;
    private static final int IDLE_TICKS = 25;

    /** Where the present stands in its array: two cache lines on either side, since processors fetch them in pairs. */
    private static final int AT = 16;

    private final Clock clock;
    private final long highRate;
    private final Executor threads;

    /** Read by every call at a high rate; so nothing else is to be written next to it. */
    private final AtomicLongArray present = new AtomicLongArray(2 * AT + 1);

    private final AtomicBoolean isTicking = new AtomicBoolean();
    private volatile boolean isWanted;
    /** Of the ticking thread. */
    private int idleTicks;

    /**
     * Makes a stopped time.
     *
     * @param highRate from how many IDs per millisecond on it ticks
     * @param threads runs the ticking thread
     */
    public CachedClock(Clock clock, long highRate, Executor threads) {
        this.clock = clock;
        this.highRate = highRate;
        this.threads = threads;
        present.set(AT, STOPPED);
    }

    /**
     * Returns the wall clock, in milliseconds since 1970, as it was ticked last; {@link #STOPPED} if no thread ticks.
     */
    public long millis() {
        return present.get(AT);
    }

    /** Reads the clock, and corrects the cached time. */
    public long read() {
        long seen = present.get(AT);
        long now = clock.millis();
        if (seen != now && seen != STOPPED) {
            // Not over a later tick, nor over the stop: a time that no thread ticks any more would stay forever.
            present.compareAndSet(AT, seen, now);
        }
        return now;
    }

    /** Makes the time tick if so many IDs in a millisecond are a high rate; returns whether they are. */
    public boolean startIfWorth(long idsPerMilli) {
        if (idsPerMilli < highRate) {
            return false;
        }
        isWanted = true;
        if (isTicking.compareAndSet(false, true)) {
            try {
                threads.execute(this::run);
            } catch (OutOfMemoryError e) {
                isTicking.set(false); // The process can have no more threads: calls read the clock, as at a low rate.
            }
        }
        return true;
    }

    private void run() {
        while (tick()) {
            try {
                clock.parkUntil(millis() + TICK_MILLIS);
            } catch (InterruptedException e) {
                // An interrupt does not end it: it ticks once more.
            }
        }
    }

    /** What the ticking thread does again and again: writes the present; returns false once it has stopped. */
    public boolean tick() {
        idleTicks = isWanted ? 0 : idleTicks + 1;
        isWanted = false;
        boolean goesOn = idleTicks < IDLE_TICKS;
        present.set(AT, goesOn ? clock.millis() : STOPPED);
        isTicking.set(goesOn);
        return goesOn;
    }
}
