// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast the integers of a sequence are used, and how long a reservation takes. From that it computes the
 * size of the next block, and at how many remaining integers it is due. Not thread-safe.
 */
final class Demand {
    /** The remaining integers must last for two reservations: one that becomes due may have to wait for another. */
    private static final int LASTS_RESERVATIONS = 2;
    /** They must last this long in addition: a thread may have to wait that long for a processor. */
    private static final long LASTS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** They must last even if the rate doubles meanwhile, as it may for the block sizes. */
    private static final int RATE_MAY_GROW_BY = 2;
    /**
     * With each reservation, a slower one before it counts for an eighth less, so for half after five: the weight that
     * TCP gives a new round-trip time in its average (RFC 6298). It uses the slowest and not the average, because calls
     * would wait for the slowest.
     */
    private static final int FORGOTTEN_PART = 8;

    /** The minimum interval of looks, so that the watch costs little processor time. */
    private static final long MIN_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** The maximum interval of looks; the watch ends after one or two intervals without a call. */
    private static final long MAX_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final BlockSizes sizes;
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
        this.sizes = new BlockSizes(config);
    }

    /** Notes that no integer is left: until a block comes, the use says nothing about the demand. */
    void ranOut(long nowNanos) {
        if (!isOut) {
            isOut = true;
            outSinceNanos = nowNanos;
        }
    }

    /**
     * Measures the use since the last time; to be called when a reservation begins.
     *
     * @param usedCount integers used so far, of all blocks
     */
    void measure(long usedCount, long nowNanos) {
        Usage since = last;
        if (since == null) {
            last = new Usage(usedCount, nowNanos);
        } else if (usedCount > since.count) {
            sizes.adapt(usedCount - since.count, (isOut ? outSinceNanos : nowNanos) - since.nanos);
            beforeLast = since;
            last = new Usage(usedCount, nowNanos);
        }
    }

    /** Records the duration of a successful reservation. */
    void reserved(long usedCount, long nanos, long nowNanos) {
        slowestReservationNanos = Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
        if (isOut) {
            measure(usedCount, nowNanos);
            last = new Usage(usedCount, nowNanos);
            isOut = false;
        }
    }

    /** Notes how many integers were used at a look. The fastest rate between looks also decays slowly. */
    void looked(long usedCount, long nowNanos) {
        double sinceLook = rateSince(lookBefore(nowNanos), usedCount, nowNanos);
        fastestPerNano = Math.max(sinceLook, fastestPerNano - fastestPerNano / FORGOTTEN_PART);
        lastLook = new Usage(usedCount, nowNanos);
    }

    /** Whether more integers are used than at the last look. */
    boolean isUsedSinceLook(long usedCount) {
        return lastLook == null || usedCount > lastLook.count;
    }

    /** Returns the last look; null if it is too close for a rate. */
    private @Nullable Usage lookBefore(long nowNanos) {
        Usage look = lastLook;
        return look == null || nowNanos - look.nanos < MIN_LOOK_NANOS ? null : look;
    }

    /**
     * Returns how many integers are used per nanosecond: the higher of two rates, or zero if neither is known yet. One
     * is the rate since the start of the reservation before the last one, which includes pauses between bursts. The
     * other is the rate since the last look, for a burst after a pause.
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
     * Returns when to check again whether a block is due: after half of the time in which it becomes due at the fastest
     * rate, but at least half a reservation later; there are enough integers for that delay.
     *
     * @param untilDue how many integers are used until then
     */
    long nextLookNanos(double ratePerNano, long untilDue) {
        long atLeast = Math.max(slowestReservationNanos / 2, MIN_LOOK_NANOS);
        double rate = Math.max(ratePerNano, fastestPerNano);
        long half = rate == 0 ? 0 : (long) (untilDue / rate / 2);
        return Math.min(Math.max(half, atLeast), MAX_LOOK_NANOS);
    }

    /** Returns the size of the next block. */
    long blockSize() {
        return sizes.size();
    }

    static Duration timeToEmpty(long remaining, double ratePerNano) {
        double nanos = remaining == 0 ? 0 : remaining / ratePerNano;
        return nanos >= Long.MAX_VALUE ? IntegerSequenceStats.ENDLESS : Duration.ofNanos((long) nanos);
    }
}
