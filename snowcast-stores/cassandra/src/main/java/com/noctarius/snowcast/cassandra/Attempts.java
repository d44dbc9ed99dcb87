// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Counts a process's attempts to reserve blocks of one sequence, and measures how long they take. Any thread may call
 * {@link #stats}; only the thread that holds the lock of the {@link SharedRow} may call the other methods.
 */
final class Attempts {
    /** A client reads the row again if the last call of {@link #looks} was longer ago than this many attempts take. */
    private static final int ATTEMPTS_PER_LOOK = 16;

    private final LongSupplier nanoTime;
    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    /**
     * How long attempts take. An attempt that throws an exception is not measured, because it may have taken the whole
     * time-out.
     */
    private final Took attempt = new Took();

    private final Took post = new Took();
    private long lookedNanos;

    /**
     * The median of the last three measured durations, so that one slow measurement has no effect. Missing durations
     * count as 0.
     */
    private static final class Took {
        private long nanos;
        private long lastNanos;
        private long lastButOneNanos;

        void add(long newNanos) {
            long shorter = Math.min(lastNanos, lastButOneNanos);
            long longer = Math.max(lastNanos, lastButOneNanos);
            nanos = Math.max(shorter, Math.min(longer, newNanos));
            lastButOneNanos = lastNanos;
            lastNanos = newNanos;
        }
    }

    Attempts() {
        this(System::nanoTime);
    }

    Attempts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Returns whether an attempt is likely to be answered before the deadline. An attempt that is answered later may
     * have reserved integers, which become a gap.
     */
    boolean hasTime(Deadline deadline) {
        return deadline.remainingNanos() > attempt.nanos;
    }

    /**
     * Returns whether it is time to read the row again. Another client may have posted a request since the last call of
     * {@link #looks}.
     */
    boolean isLookDue() {
        return attempt.nanos > 0 && nanoTime.getAsLong() - lookedNanos > ATTEMPTS_PER_LOOK * attempt.nanos;
    }

    void looks() {
        lookedNanos = nanoTime.getAsLong();
    }

    void post(Runnable request) {
        long start = nanoTime.getAsLong();
        request.run();
        post.add(nanoTime.getAsLong() - start);
    }

    long postNanos() {
        return post.nanos;
    }

    boolean count(BooleanSupplier change) {
        attempts.increment();
        long start = nanoTime.getAsLong();
        try {
            boolean isApplied = change.getAsBoolean();
            attempt.add(nanoTime.getAsLong() - start);
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
