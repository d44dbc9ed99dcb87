// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The attempts of a process to reserve blocks: their counts, how long they take, and when the next reservation is due.
 * Any thread may read the counts; all else is for the thread that holds the sequence's turn.
 */
final class Attempts {
    /** Several round trips between datacenters that are far apart take several hundred milliseconds. */
    private static final long MAX_WAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** After a collision there is somebody else for so many reservations at least. */
    private static final int RESERVATIONS_THAT_GIVE_WAY = 8;

    private static final int REMEMBERED = 15;

    private final LongSupplier nanoTime;
    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    /** How long the last attempts took that were answered: those without an answer took as long as they were given. */
    private final long[] tookNanos = new long[REMEMBERED];

    private int answered;
    private int givesWay;
    private long dueNanos;

    Attempts() {
        this(System::nanoTime);
    }

    Attempts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.dueNanos = nanoTime.getAsLong();
    }

    /**
     * Gives way to other processes after a reservation that succeeded, for about as long as one takes, if there was a
     * collision lately. Otherwise a process that reserves without a break would always be first, since it knows its own
     * change before all others do. A process that meets nobody does not wait.
     */
    void giveWay(Deadline deadline) {
        deadline.pause(pauseNanos());
    }

    long pauseNanos() {
        return Math.max(dueNanos - nanoTime.getAsLong(), 0);
    }

    /** Whether an attempt is likely to be answered before the deadline; what it may have reserved is lost otherwise. */
    boolean hasTime(Deadline deadline) {
        return deadline.remainingNanos() > medianNanos();
    }

    /** Returns how long an attempt takes; 0 if none was answered yet. */
    long medianNanos() {
        int known = Math.min(answered, REMEMBERED);
        long[] sorted = Arrays.copyOf(tookNanos, known);
        Arrays.sort(sorted);
        return known == 0 ? 0 : sorted[known / 2];
    }

    SerialTable.Outcome count(Supplier<SerialTable.Outcome> attempt) {
        attempts.increment();
        long start = nanoTime.getAsLong();
        try {
            SerialTable.Outcome outcome = attempt.get();
            long now = nanoTime.getAsLong();
            tookNanos[answered % REMEMBERED] = now - start;
            // From REMEMBERED on it only tells where the next one goes.
            answered = answered == 2 * REMEMBERED - 1 ? REMEMBERED : answered + 1;
            if (outcome.isApplied()) {
                applied.increment();
                dueNanos = now + nextWayNanos();
            } else {
                givesWay = RESERVATIONS_THAT_GIVE_WAY;
            }
            return outcome;
        } catch (DriverException e) {
            unknown.increment();
            throw e;
        }
    }

    private long nextWayNanos() {
        if (givesWay == 0) {
            return 0;
        }
        givesWay--;
        return ThreadLocalRandom.current().nextLong(Math.min(2 * medianNanos(), MAX_WAY_NANOS) + 1);
    }

    ReservationStats stats() {
        return new ReservationStats(attempts.sum(), applied.sum(), unknown.sum());
    }
}
