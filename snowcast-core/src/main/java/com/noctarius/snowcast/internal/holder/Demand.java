// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

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
    /**
     * What is in hand has to last for two reservations in a row, since one that becomes necessary may have to wait for
     * one under way; and that also if the rate doubles meanwhile, as it may for the block sizes.
     */
    private static final int LASTS_RESERVATIONS = 2 * 2;
    /**
     * With each reservation a slower one before it counts for an eighth less, so for half after five: the weight that
     * TCP gives a new round-trip time in its average (RFC 6298). The slowest, and not the average, is what calls would
     * wait for.
     */
    private static final int FORGOTTEN_PART = 8;

    /** Blocks that last less are used up too fast for a timer. */
    private static final long MIN_BLOCK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** So long after its last call, or twice as long, a sequence is no longer watched. */
    private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How late two threads may wake up: the one that watches, and the one that reserves. */
    private static final long WAKE_UPS_NANOS = TimeUnit.MICROSECONDS.toNanos(2 * 150);
    /** The factor by which the rate may rise unnoticed, until a check. */
    private static final int FASTER = 2;

    private final BlockSizes sizes;
    private long slowestReservationNanos;
    private @Nullable Usage last;
    private @Nullable Usage beforeLast;
    private boolean isOut;
    private long outSinceNanos;

    /** How many integers had been used at some time. */
    private record Usage(long count, long nanos) {}

    /**
     * When the background checks next whether a block is due.
     *
     * @param callsAhead how many integers calls may use after the block is due, before they have it reserved themselves
     */
    record NextCheck(long delayNanos, long callsAhead) {}

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
            sizes.used(usedCount - since.count, (isOut ? outSinceNanos : nowNanos) - since.nanos);
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

    /**
     * Returns how many integers are used in a nanosecond, from the beginning of the reservation before the last one
     * until now. So a pause between two bursts counts: bursts alone would keep blocks for nothing. Zero if it is not
     * known yet.
     */
    double ratePerNano(long usedCount, long nowNanos) {
        Usage since = beforeLast == null ? last : beforeLast;
        return since == null ? 0 : (usedCount - since.count) / (double) Math.max(nowNanos - since.nanos, 1);
    }

    /** How many integers have to be in hand, so that they last until more are there. */
    long enough(double ratePerNano) {
        return (long) Math.ceil(ratePerNano * slowestReservationNanos * LASTS_RESERVATIONS);
    }

    /**
     * Plans a check halfway to the time at which the next block is due, so that a rate that rises is noticed; where
     * that time is close, a bit later than it. Null if there is to be none.
     *
     * <p>The check that comes later leaves calls to use up to half of what is in hand then. The rest has to be enough
     * for a reservation at the double rate.
     *
     * @param left how many integers are in hand
     * @param dueAt with how many the next block is due
     * @param ofBlock how many the last block in hand has
     */
    @Nullable
    NextCheck nextCheck(double ratePerNano, long left, long dueAt, long ofBlock) {
        double reservation = FASTER * (slowestReservationNanos + WAKE_UPS_NANOS) * ratePerNano;
        long callsAhead = (long) Math.min(dueAt / 2.0, dueAt - reservation);
        if (left <= dueAt || callsAhead <= 0 || ratePerNano == 0 || ofBlock / ratePerNano < MIN_BLOCK_NANOS) {
            return null;
        }
        double untilDue = (left - dueAt) / ratePerNano;
        double slack = callsAhead / ratePerNano;
        return untilDue > Math.min(slack, MAX_DELAY_NANOS)
                ? new NextCheck((long) Math.min(untilDue / 2, MAX_DELAY_NANOS), 0)
                : new NextCheck((long) (untilDue + Math.min(slack / 4, MAX_DELAY_NANOS)), callsAhead);
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
