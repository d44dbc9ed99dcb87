// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures the rate at which integers are used, as an exponentially weighted mean. The use of an hour ago has about a
 * third of the weight of the current use. During the first hour, the rate is about the mean since the start. Not
 * thread-safe.
 */
final class ConsumptionRate {
    private static final double MEMORY_NANOS = TimeUnit.HOURS.toNanos(1);

    private final long startNanos;
    private long lastNanos;
    /**
     * The number of used integers; the earlier they were used, the less they count. It decays like {@link #nanos}, so
     * the quotient of {@code integers} and {@code nanos} is a mean.
     */
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

    /** Excludes from the mean the time since the last call of this method or {@link #used}. */
    void skipTo(long nowNanos) {
        lastNanos = nowNanos;
    }

    /** Returns the rate at the time of the last update. */
    double lastPerSecond() {
        return perSecond(lastNanos);
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
