// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Computes how large the next block is, and how many integers must remain, from the rate at which integers are used and
 * the time that a reservation takes. Not thread-safe.
 */
final class Demand {
    /** The remaining integers must last for two reservations, because a due reservation may wait for a running one. */
    private static final int LASTS_RESERVATIONS = 2;
    /** They must also last for this additional time, because a thread may have to wait for a processor. */
    private static final long LASTS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** They must last even if the rate grows by this factor before the next block is reserved. */
    private static final int RATE_MAY_GROW_BY = 2;
    /** The part by which each reservation lowers the recorded duration of the slowest one. */
    private static final int FORGOTTEN_PART = 8;

    /** In a shorter interval, a single batch may take several blocks, which does not show the rate. */
    private static final long MIN_MEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long minSize;
    private final long maxSize;
    /** The duration for which a block should last; 0 if blocks have a fixed size. */
    private final double lastingNanos;

    private long size;
    private long slowestReservationNanos;
    private @Nullable Usage last;
    private @Nullable Usage beforeLast;

    /** How many integers had been used at a given time. */
    private record Usage(long count, long nanos) {}

    Demand(IntegerSequenceConfig config) {
        this.minSize = config.minBlockSize();
        this.maxSize = config.maxBlockSize();
        this.lastingNanos = config.blockDuration().toNanos();
        this.size = minSize;
    }

    /**
     * If integers were used since the last measurement, measures that use and adapts the block size.
     *
     * @param usedCount how many integers of all blocks were used so far
     * @param isOut whether no integer is left
     */
    void measure(long usedCount, boolean isOut, long nowNanos) {
        Usage since = last;
        if (since == null) {
            last = new Usage(usedCount, nowNanos);
        } else if (usedCount > since.count && (isOut || nowNanos - since.nanos >= MIN_MEASURED_NANOS)) {
            adaptSize(usedCount - since.count, nowNanos - since.nanos);
            beforeLast = since;
            last = new Usage(usedCount, nowNanos);
        }
    }

    /** Changes the size by at most a factor of two, because a burst or pause may be short. */
    void adaptSize(long taken, long nanos) {
        if (lastingNanos > 0 && taken > 0) {
            double wanted = taken / (double) Math.max(nanos, 1) * lastingNanos;
            double bounded = Math.min(Math.max(wanted, size / 2.0), size * 2.0);
            size = Math.min(Math.max((long) bounded, minSize), maxSize);
        }
    }

    /**
     * Records the duration of a reservation. If no integer was left, begins a new measurement, because calls that
     * waited do not show the rate.
     */
    void reserved(long usedCount, boolean isOut, long nanos, long nowNanos) {
        slowestReservationNanos = Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
        if (isOut) {
            measure(usedCount, true, nowNanos);
            last = new Usage(usedCount, nowNanos);
        }
    }

    /** Returns how many integers per nanosecond were used since the measurement before the last, or the only one. */
    double ratePerNano(long usedCount, long nowNanos) {
        Usage since = beforeLast == null ? last : beforeLast;
        return since == null ? 0 : (usedCount - since.count) / (double) Math.max(nowNanos - since.nanos, 1);
    }

    /** Returns how many integers must remain, so that they last until the next block is reserved. */
    long enough(double ratePerNano) {
        double lastsNanos = (double) slowestReservationNanos * LASTS_RESERVATIONS + LASTS_NANOS;
        return (long) Math.ceil(ratePerNano * RATE_MAY_GROW_BY * lastsNanos);
    }

    long blockSize() {
        return size;
    }

    static Duration timeToEmpty(long remaining, double ratePerNano) {
        double nanos = remaining == 0 ? 0 : remaining / ratePerNano;
        return nanos >= Long.MAX_VALUE ? IntegerSequence.Stats.ENDLESS : Duration.ofNanos((long) nanos);
    }
}
