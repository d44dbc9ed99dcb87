// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The attempts of a process to reserve blocks: their counts, and when the next reservation is due. Any thread may read
 * the counts; all else is for the thread that holds the sequence's turn.
 */
final class Attempts {
    /** Several round trips between datacenters that are far apart take several hundred milliseconds. */
    private static final long MAX_WAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private long dueNanos = System.nanoTime();

    /**
     * Gives way to other processes after a reservation that succeeded, for about as long as it took. Otherwise a
     * process that reserves without a break would always be first, since it knows its own change before all others do.
     */
    void giveWay(Deadline deadline) {
        deadline.pause(dueNanos - System.nanoTime());
    }

    SerialTable.Outcome count(Supplier<SerialTable.Outcome> attempt) {
        attempts.increment();
        long start = System.nanoTime();
        try {
            SerialTable.Outcome outcome = attempt.get();
            if (outcome.isApplied()) {
                applied.increment();
                long now = System.nanoTime();
                dueNanos = now + ThreadLocalRandom.current().nextLong(Math.min(2 * (now - start), MAX_WAY_NANOS) + 1);
            }
            return outcome;
        } catch (DriverException e) {
            unknown.increment();
            throw e;
        }
    }

    ReservationStats stats() {
        return new ReservationStats(attempts.sum(), applied.sum(), unknown.sum());
    }
}
