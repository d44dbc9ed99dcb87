// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** How many calls of a sequence have waited, and how long all together. Thread-safe. */
final class Waits {
    private final String sequence;
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    Waits(String sequence) {
        this.sequence = sequence;
    }

    /** Records the wait of one call. */
    void add(long waitedNanos) {
        FlightEvents.waited("integer sequence", sequence, waitedNanos);
        count.increment();
        nanos.add(waitedNanos);
    }

    long count() {
        return count.sum();
    }

    Duration time() {
        return Duration.ofNanos(nanos.sum());
    }
}
