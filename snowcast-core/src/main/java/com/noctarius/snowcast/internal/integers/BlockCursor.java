// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.store.Block;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * One block in use. Positions come only from atomic updates of one pool, so each is taken at most once, and in
 * order. Thread-safe, without a lock.
 */
final class BlockCursor {
    /** Longs between the pool and anything else: two cache lines, since neighbours are fetched in pairs. */
    private static final int STRIDE = 16;

    /** Null for a cursor that never had anything. */
    private final @Nullable Block block;

    private final long first;
    private final long step;
    /** How many integers the block has. */
    final long count;
    /** The position whose taking says that the next block is to be reserved. */
    final long mark;

    /**
     * Alone among others, how many were taken; calls that found none left count it up further, which is of no
     * consequence. A call reads the other fields after it has taken a position: beside the pool, each thread that
     * takes the next one would take their cache line away.
     */
    private final AtomicLongArray taken = new AtomicLongArray(2 * STRIDE);

    private BlockCursor(@Nullable Block block, long first, long step, long count, long mark) {
        this.block = block;
        this.first = first;
        this.step = step;
        this.count = count;
        this.mark = mark;
    }

    /** Returns a cursor without integers. */
    static BlockCursor empty() {
        return new BlockCursor(null, 0, 1, 0, 0);
    }

    /**
     * Returns a cursor at the beginning of a block.
     *
     * @param prefetchThreshold the share of the block after whose use the next one is to be reserved
     */
    static BlockCursor of(Block block, double prefetchThreshold) {
        long used = (long) Math.ceil(block.count() * prefetchThreshold);
        return new BlockCursor(
                block, block.first(), block.step(), block.count(), Math.min(Math.max(used, 1), block.count()) - 1);
    }

    /**
     * Takes positions.
     *
     * @return the first of them; those at or above {@link #count} do not exist
     */
    long take(long positions) {
        return taken.getAndAdd(STRIDE, positions);
    }

    /** Returns the integer at a position below {@link #count}. */
    long at(long position) {
        return first + position * step;
    }

    /** Whether the taking of these positions used the share after which the next block is to be reserved. */
    boolean isMarkIn(long from, long positions) {
        return from <= mark && mark - from < positions && mark < count;
    }

    /** Returns how many integers are left. */
    long remaining() {
        return Math.max(count - taken.get(STRIDE), 0);
    }

    /** Returns how many integers were taken. */
    long takenCount() {
        return Math.min(taken.get(STRIDE), count);
    }

    /** Takes all that is left: nobody can take any of it afterwards. Returns it, or null if there is nothing. */
    @Nullable
    Block takeRest() {
        long from = taken.getAndAdd(STRIDE, count);
        return block == null || from >= count ? null : block.part(from, count);
    }
}
