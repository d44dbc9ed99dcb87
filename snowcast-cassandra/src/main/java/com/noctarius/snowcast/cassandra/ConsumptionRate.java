// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How many integers are used in a second: a mean in which what was an hour ago counts about a third of what is now. Until it
 * has seen hours, a mean over what it has seen. Not thread-safe.
 */
final class ConsumptionRate {
    private static final double MEMORY_NANOS = TimeUnit.HOURS.toNanos(1);

    private final long startNanos;
    private long lastNanos;
    /** Both decay together, so their quotient is a mean from the start on. */
    private double integers;

    private double nanos;

    ConsumptionRate(long nowNanos) {
        this.startNanos = nowNanos;
        this.lastNanos = nowNanos;
    }

    void used(long count, long nowNanos) {
        double decay = decaySinceLast(nowNanos);
        integers = integers * decay + count;
        nanos = nanos * decay + MEMORY_NANOS * (1 - decay);
        lastNanos = nowNanos;
    }

    double perSecond(long nowNanos) {
        double decay = decaySinceLast(nowNanos);
        double weight = nanos * decay + MEMORY_NANOS * (1 - decay);
        return weight <= 0 ? 0 : integers * decay / weight * TimeUnit.SECONDS.toNanos(1);
    }

    Duration observed(long nowNanos) {
        return Duration.ofNanos(nowNanos - startNanos);
    }

    private double decaySinceLast(long nowNanos) {
        return Math.exp(-Math.max(nowNanos - lastNanos, 0) / MEMORY_NANOS);
    }
}
