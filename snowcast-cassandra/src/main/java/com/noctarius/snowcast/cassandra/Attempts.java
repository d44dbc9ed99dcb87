// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.DriverException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Counts attempts to reserve. Thread-safe. */
final class Attempts {
    private final LongAdder attempts = new LongAdder();
    private final LongAdder applied = new LongAdder();
    private final LongAdder unknown = new LongAdder();

    SerialTable.Outcome count(Supplier<SerialTable.Outcome> attempt) {
        attempts.increment();
        try {
            SerialTable.Outcome outcome = attempt.get();
            if (outcome.isApplied()) {
                applied.increment();
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
