// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How fast the integers of a sequence are used, and how long a reservation takes: how large the next block has to be,
 * and with how many integers left in hand it has to be reserved. Not thread-safe.
 */
final class Demand {
    /** What is in hand has to last for two reservations: one that becomes necessary may have to wait for another. */
    private static final int LASTS_RESERVATIONS = 2;
    /** And so long in addition: a thread that is to look or to reserve may get a processor only after that time. */
    private static final long LASTS_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** All that even if the rate doubles meanwhile, as it may for the block sizes. */
    private static final int RATE_MAY_GROW_BY = 2;
    /**
     * With each reservation a slower one before it counts for an eighth less, so for half after five: the weight that
     * TCP gives a new round-trip time in its average (RFC 6298). The slowest, and not the average, is what calls would
     * wait for.
     */
    private static final int FORGOTTEN_PART = 8;

    /** The watch is to cost little of a processor. */
    private static final long MIN_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** So long after its last call, or twice as long, a sequence is no longer watched. */
    private static final long MAX_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final BlockSizes sizes;
    private long slowestReservationNanos;
    private @Nullable Usage last;
    private @Nullable Usage beforeLast;
    private @Nullable Usage lastLook;
    private double fastestPerNano;
    private boolean isOut;
    private long outSinceNanos;

    /** How many integers had been used at some time. */
    private record Usage(long count, long nanos) {}

    Demand(IntegerSequenceConfig config) {
        this.sizes = new BlockSizes(config);
    }

    /** Notes that nothing is left: what is used until a block comes says nothing about the demand. */
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

    /** Records how long a reservation took that has just brought a block. */
    void reserved(long usedCount, long nanos, long nowNanos) {
        slowestReservationNanos = Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
        if (isOut) {
            measure(usedCount, nowNanos);
            last = new Usage(usedCount, nowNanos);
            isOut = false;
        }
    }

    /** Notes how many integers were used at a look. Of the rates between looks the fastest is forgotten slowly, too. */
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
     * Returns how many integers are used in a nanosecond: the higher of two rates, or zero if neither is known yet. One
     * is that from the beginning of the reservation before the last one until now: so a pause between two bursts
     * counts. The other is that since the last look, for a burst after a pause.
     */
    double ratePerNano(long usedCount, long nowNanos) {
        return Math.max(
                rateSince(beforeLast == null ? last : beforeLast, usedCount, nowNanos),
                rateSince(lookBefore(nowNanos), usedCount, nowNanos));
    }

    private static double rateSince(@Nullable Usage since, long usedCount, long nowNanos) {
        return since == null ? 0 : (usedCount - since.count) / (double) Math.max(nowNanos - since.nanos, 1);
    }

    /** How many integers have to be in hand, so that they last until more are there. */
    long enough(double ratePerNano) {
        double lastsNanos = (double) slowestReservationNanos * LASTS_RESERVATIONS + LASTS_NANOS;
        return (long) Math.ceil(ratePerNano * RATE_MAY_GROW_BY * lastsNanos);
    }

    /**
     * Returns after how long to look again whether a block is due: at half the time in which it becomes due at the
     * fastest rate; but seldom enough for a look to be half a reservation late, for which there are enough in hand.
     *
     * @param untilDue how many integers are used until then
     */
    long nextLookNanos(double ratePerNano, long untilDue) {
        long atLeast = Math.max(slowestReservationNanos / 2, MIN_LOOK_NANOS);
        double rate = Math.max(ratePerNano, fastestPerNano);
        long half = rate == 0 ? 0 : (long) (untilDue / rate / 2);
        return Math.min(Math.max(half, atLeast), MAX_LOOK_NANOS);
    }

    /** How many integers the next block is to have. */
    long blockSize() {
        return sizes.size();
    }

    static Duration timeToEmpty(long remaining, double ratePerNano) {
        double nanos = remaining == 0 ? 0 : remaining / ratePerNano;
        return nanos >= Long.MAX_VALUE ? IntegerSequenceStats.ENDLESS : Duration.ofNanos((long) nanos);
    }
}
