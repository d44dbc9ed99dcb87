// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Attempts of a process to reserve: how many there were, and when the next one is due. Counts are read by other threads; all
 * else is done by whose turn it is.
 */
final class Attempts {
    /** An agreement of datacenters that are far apart takes several hundred milliseconds. */
    private static final long MAX_WAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private long dueNanos = System.nanoTime();

    /**
     * Gives way to others after a reservation that succeeded: about as long as it took. Otherwise a process that reserves
     * without a break would always be first, since nobody else hears sooner of what it has just changed.
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
