// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The attempts of a process to reserve blocks: their counts, and how long they take.
 * Any thread may read the counts; all else is for the thread that holds the sequence's turn.
 */
final class Attempts {
    private static final int REMEMBERED = 15;

    private final LongSupplier nanoTime;
    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    /** How long the last attempts took that were answered: those without an answer took as long as they were given. */
    private final long[] tookNanos = new long[REMEMBERED];

    private int answered;
    private long postNanos;

    Attempts() {
        this(System::nanoTime);
    }

    Attempts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether an attempt is likely to be answered before the deadline; what it may have reserved is lost otherwise. */
    boolean hasTime(Deadline deadline) {
        return deadline.remainingNanos() > medianNanos();
    }

    /**
     * Returns after which time to look whether another client has made the change: about half of the time that it takes.
     * A client that others reserve for makes no attempts, so what it knows of those is out of date: it goes by its posts.
     */
    long lookNanos() {
        return Math.min(2 * postNanos, medianNanos());
    }

    void post(Runnable post) {
        long start = nanoTime.getAsLong();
        post.run();
        postNanos = nanoTime.getAsLong() - start;
    }

    /** Returns how long an attempt takes; 0 if none was answered yet. */
    long medianNanos() {
        int known = Math.min(answered, REMEMBERED);
        long[] sorted = Arrays.copyOf(tookNanos, known);
        Arrays.sort(sorted);
        return known == 0 ? 0 : sorted[known / 2];
    }

    boolean count(BooleanSupplier attempt) {
        attempts.increment();
        long start = nanoTime.getAsLong();
        try {
            boolean isApplied = attempt.getAsBoolean();
            tookNanos[answered % REMEMBERED] = nanoTime.getAsLong() - start;
            // From REMEMBERED on it only tells where the next one goes.
            answered = answered == 2 * REMEMBERED - 1 ? REMEMBERED : answered + 1;
            if (isApplied) {
                applied.increment();
            }
            return isApplied;
        } catch (DriverException e) {
            unknown.increment();
            throw e;
        }
    }

    ReservationStats stats() {
        return new ReservationStats(attempts.sum(), applied.sum(), unknown.sum());
    }
}
