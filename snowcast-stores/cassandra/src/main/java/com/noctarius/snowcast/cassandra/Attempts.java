// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The attempts of a process to reserve blocks: their counts, how long they take, and when the next reservation is due.
 * Any thread may read the counts; all else is for the thread that holds the sequence's turn.
 */
final class Attempts {
    /** So many reservations one after the other, if others wait. */
    private static final int RESERVATIONS_PER_TURN = 4;
    /** A process without a collision for that many reservations after one is alone. */
    private static final int RESERVATIONS_UNTIL_ALONE = 256;
    /** A process that lost pauses for as long as so many attempts take, at most. */
    private static final int ATTEMPTS_PER_PAUSE = 4;
    /** An attempt takes several round trips, and datacenters may be far apart. */
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long MAX_WAY_NANOS = 2 * MAX_PAUSE_NANOS;

    private static final int REMEMBERED = 15;

    private final LongSupplier nanoTime;
    private final Supplier<? extends RandomGenerator> random;
    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    /** How long the last attempts took that were answered: those without an answer took as long as they were given. */
    private final long[] tookNanos = new long[REMEMBERED];

    private int answered;
    private int sinceCollision = RESERVATIONS_UNTIL_ALONE;
    private long dueNanos;

    Attempts() {
        this(System::nanoTime, ThreadLocalRandom::current);
    }

    Attempts(LongSupplier nanoTime, Supplier<? extends RandomGenerator> random) {
        this.nanoTime = nanoTime;
        this.random = random;
        this.dueNanos = nanoTime.getAsLong();
    }

    /**
     * Gives way to other processes after each turn, if there was a collision lately. Otherwise a process that reserves
     * without a break would always be first, since it knows its own change before all others do; and its attempts, which
     * succeed, would never tell it of those who lose. So the pause is long enough for them to come back, to fail once
     * more, and to succeed with what they learn by that: then this process is the one that has a collision. A
     * process without collisions does not wait.
     */
    void giveWay(Deadline deadline) {
        deadline.pause(wayNanos(deadline));
    }

    /** Returns how long to give way now; half of the time, at least, is for attempts. */
    long wayNanos(Deadline deadline) {
        return Math.max(Math.min(dueNanos - nanoTime.getAsLong(), deadline.remainingNanos() / 2), 0);
    }

    /** Returns how long a process that lost may pause: in a longer pause it would miss that others give way. */
    long maxPauseNanos() {
        return answered == 0 ? Backoff.MAX_PAUSE_NANOS : Math.min(ATTEMPTS_PER_PAUSE * medianNanos(), MAX_PAUSE_NANOS);
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
                sinceCollision = 0;
            }
            return outcome;
        } catch (DriverException e) {
            unknown.increment();
            throw e;
        }
    }

    private long nextWayNanos() {
        if (sinceCollision == RESERVATIONS_UNTIL_ALONE) {
            return 0;
        }
        sinceCollision++;
        // A turn without a collision is followed by one as long as all before: a process that waits may have been late.
        if (sinceCollision < RESERVATIONS_PER_TURN || Integer.bitCount(sinceCollision) != 1) {
            return 0;
        }
        long pauseOfOthers = maxPauseNanos();
        return Math.min(pauseOfOthers + 2 * medianNanos() + random.get().nextLong(pauseOfOthers + 1), MAX_WAY_NANOS);
    }

    ReservationStats stats() {
        return new ReservationStats(attempts.sum(), applied.sum(), unknown.sum());
    }
}
