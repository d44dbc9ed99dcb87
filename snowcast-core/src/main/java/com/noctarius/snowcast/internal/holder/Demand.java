// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How fast the integers of a sequence are used, and how long a reservation takes: how large the next block has to be,
 * and whether what is in hand lasts. Not thread-safe.
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
    private static final long MIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Blocks that last longer: one call in so long a time may wake a thread. */
    private static final long MAX_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How late two threads may wake up: the one that looks, and the one that reserves. */
    private static final long WAKE_UPS_NANOS = TimeUnit.MICROSECONDS.toNanos(2 * 150);
    /** The factor by which the rate may rise unnoticed, until a look. */
    private static final int FASTER = 2;

    private final BlockSizes sizes;
    private long slowestReservationNanos;
    private @Nullable Usage lastUse;
    /** Zero until two measurements have given one. */
    private double ratePerNano;

    /** How many integers had been used at some time. */
    private record Usage(long count, long nanos) {}

    /**
     * When a thread looks at the mark of a block by itself.
     *
     * @param notBeforeNanos a call that takes the mark before this time is early, and does not leave it to the look
     */
    record PlannedLook(BlockCursor cursor, long notBeforeNanos, long dueNanos) {
        boolean isSoon(BlockCursor marked, long nowNanos) {
            return cursor == marked && nowNanos - notBeforeNanos >= 0;
        }
    }

    Demand(IntegerSequenceConfig config) {
        this.sizes = new BlockSizes(config);
    }

    /** Records how long a reservation took. */
    void reserved(long nanos) {
        slowestReservationNanos = Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
    }

    /**
     * Measures at a block's mark, or shortly after it. Later a call may have waited, which says nothing about the
     * demand.
     *
     * @param usedCount integers used so far, of all blocks
     * @param ofBlock those of the block in use
     * @param blockNanos for how long it has been in use
     */
    void measure(long usedCount, long ofBlock, long blockNanos, long nowNanos) {
        Usage last = lastUse;
        if (ofBlock == 0 || (last != null && usedCount <= last.count)) {
            return;
        }
        sizes.used(ofBlock, blockNanos);
        // From one mark to the next, so that a pause between two bursts counts: bursts alone would keep blocks for
        // nothing.
        if (last != null) {
            ratePerNano = (usedCount - last.count) / (double) Math.max(nowNanos - last.nanos, 1);
        }
        lastUse = new Usage(usedCount, nowNanos);
    }

    /** Whether so many integers last until more are there. */
    boolean isEnough(long remaining) {
        return ratePerNano * slowestReservationNanos * LASTS_RESERVATIONS <= remaining;
    }

    /**
     * Times a look at a mark, a bit later than the mark is due at the present rate; null if that might be too late.
     *
     * <p>A look may come {@code late} integers after its mark, and after a call that was as much early: that is the
     * time of {@code 2 * late} integers, in which twice as many are used if the rate doubles. What is in hand has to be
     * enough for these, and for those of a reservation at the double rate. The rest of the marked block has to be
     * enough for these.
     *
     * @param untilMark how many integers are used before the mark is taken
     * @param behindMark how many are in hand behind the mark
     */
    @Nullable
    PlannedLook lookAt(BlockCursor cursor, long untilMark, long behindMark, long nowNanos) {
        double blockNanos = cursor.count / ratePerNano;
        double spare = behindMark - FASTER * (slowestReservationNanos + WAKE_UPS_NANOS) * ratePerNano;
        double late = Math.min((double) (cursor.count - cursor.mark), spare) / (2 * FASTER);
        return blockNanos < MIN_LOOK_NANOS || blockNanos > MAX_LOOK_NANOS || late <= 0
                ? null
                : new PlannedLook(
                        cursor,
                        nowNanos + (long) ((untilMark - late) / ratePerNano),
                        nowNanos + (long) ((untilMark + late) / ratePerNano));
    }

    /** How many integers the next block is to have. */
    long blockSize() {
        return sizes.size();
    }

    /** How long so many integers last, at the rate of the block in use as far as it has one. */
    Duration timeToEmpty(long remaining, long ofBlock, long blockNanos) {
        double rate = ofBlock > 0 ? ofBlock / (double) Math.max(blockNanos, 1) : ratePerNano;
        double nanos = remaining == 0 ? 0 : remaining / rate;
        return nanos >= Long.MAX_VALUE ? IntegerSequenceStats.ENDLESS : Duration.ofNanos((long) nanos);
    }
}
