// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast the integers of a sequence are used, and how long a reservation takes. Computes from these how
 * large the next block is, how many integers must remain, and when the next check is due. Not thread-safe.
 */
final class Demand {
    /** The remaining integers must last for two reservations, because a due reservation may wait for a running one. */
    private static final int LASTS_RESERVATIONS = 2;
    /**
     * The remaining integers must also last for this additional time, because a thread may have to wait for a
     * processor.
     */
    private static final long LASTS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** The remaining integers must last even if the rate grows by this factor before the next block is reserved. */
    private static final int RATE_MAY_GROW_BY = 2;
    /**
     * Each new measurement lowers the recorded duration of the slowest reservation, or the recorded fastest rate, by an
     * eighth. If the new value is higher than the result, the new value is recorded instead. Five such steps leave
     * about half.
     */
    private static final int FORGOTTEN_PART = 8;

    /** The minimum interval of checks, so that checks cost little processor time. */
    private static final long MIN_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** The maximum interval of checks. The checks usually end one or two intervals after the last call. */
    private static final long MAX_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long minSize;
    private final long maxSize;
    /** The duration for which a block should last; 0 if blocks have a fixed size. */
    private final double lastingNanos;

    private long size;
    private long slowestReservationNanos;
    private @Nullable Usage last;
    private @Nullable Usage beforeLast;
    private @Nullable Usage lastLook;
    private double fastestPerNano;
    private boolean isOut;
    private long outSinceNanos;

    /** How many integers had been used at a given time. */
    private record Usage(long count, long nanos) {}

    Demand(IntegerSequenceConfig config) {
        this.minSize = config.minBlockSize();
        this.maxSize = config.maxBlockSize();
        this.lastingNanos = config.blockDuration().toNanos();
        this.size = minSize;
    }

    /** Records that no integer is left. Until the next block comes, calls wait, so the use does not show the demand. */
    void ranOut(long nowNanos) {
        if (!isOut) {
            isOut = true;
            outSinceNanos = nowNanos;
        }
    }

    /**
     * If integers were used since the last measurement, measures that use and adapts the block size. To be called when
     * a reservation begins.
     *
     * @param usedCount how many integers of all blocks were used so far
     */
    void measure(long usedCount, long nowNanos) {
        Usage since = last;
        if (since == null) {
            last = new Usage(usedCount, nowNanos);
        } else if (usedCount > since.count) {
            adaptSize(usedCount - since.count, (isOut ? outSinceNanos : nowNanos) - since.nanos);
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

    /** Records the duration of a successful reservation. If no integer was left, begins a new measurement. */
    void reserved(long usedCount, long nanos, long nowNanos) {
        slowestReservationNanos = Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
        if (isOut) {
            measure(usedCount, nowNanos);
            last = new Usage(usedCount, nowNanos);
            isOut = false;
        }
    }

    /**
     * Records how many integers were used so far, and updates the fastest rate. To be called when a check is scheduled
     * or a reservation begins.
     */
    void looked(long usedCount, long nowNanos) {
        double sinceLook = rateSince(lookBefore(nowNanos), usedCount, nowNanos);
        fastestPerNano = Math.max(sinceLook, fastestPerNano - fastestPerNano / FORGOTTEN_PART);
        lastLook = new Usage(usedCount, nowNanos);
    }

    boolean isUsedSinceLook(long usedCount) {
        return lastLook == null || usedCount > lastLook.count;
    }

    /**
     * Returns the use at the last check; null before the first check, or if the last check is too recent to compute a
     * rate.
     */
    private @Nullable Usage lookBefore(long nowNanos) {
        Usage look = lastLook;
        return look == null || nowNanos - look.nanos < MIN_LOOK_NANOS ? null : look;
    }

    /**
     * Returns how many integers are used per nanosecond: the higher of two rates, or zero if neither is known yet. The
     * first rate is measured since the last measurement but one, or since the only measurement, and includes pauses
     * between bursts. The second rate is measured since the last check, and shows a burst after a pause.
     */
    double ratePerNano(long usedCount, long nowNanos) {
        return Math.max(
                rateSince(beforeLast == null ? last : beforeLast, usedCount, nowNanos),
                rateSince(lookBefore(nowNanos), usedCount, nowNanos));
    }

    private static double rateSince(@Nullable Usage since, long usedCount, long nowNanos) {
        return since == null ? 0 : (usedCount - since.count) / (double) Math.max(nowNanos - since.nanos, 1);
    }

    /** Returns how many integers must remain, so that they last until the next block is reserved. */
    long enough(double ratePerNano) {
        double lastsNanos = (double) slowestReservationNanos * LASTS_RESERVATIONS + LASTS_NANOS;
        return (long) Math.ceil(ratePerNano * RATE_MAY_GROW_BY * lastsNanos);
    }

    /**
     * Returns the delay until the next check of whether a block is due: half of the time in which a block becomes due
     * at the fastest rate. The minimum delay is half of the duration of the slowest reservation, or
     * {@link #MIN_LOOK_NANOS} if that is longer. The minimum also applies while no rate is known. The delay is never
     * longer than {@link #MAX_LOOK_NANOS}. A check that is late by half of a reservation does no harm, because a block
     * is due while the remaining integers still last for two reservations.
     *
     * @param untilDue how many integers can be used before the block is due
     */
    long nextLookNanos(double ratePerNano, long untilDue) {
        long atLeast = Math.max(slowestReservationNanos / 2, MIN_LOOK_NANOS);
        double rate = Math.max(ratePerNano, fastestPerNano);
        long half = rate == 0 ? 0 : (long) (untilDue / rate / 2);
        return Math.min(Math.max(half, atLeast), MAX_LOOK_NANOS);
    }

    long blockSize() {
        return size;
    }

    static Duration timeToEmpty(long remaining, double ratePerNano) {
        double nanos = remaining == 0 ? 0 : remaining / ratePerNano;
        return nanos >= Long.MAX_VALUE ? IntegerSequenceStats.ENDLESS : Duration.ofNanos((long) nanos);
    }
}
