// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.store.Block;
import org.jspecify.annotations.Nullable;

/**
 * A reserved block, and the first position in it that is not taken. Calls take positions only by atomic updates, so
 * each position is taken once, and in order. Extends the counter of positions, because a call would need one more read
 * to find a separate counter. Thread-safe.
 */
@SuppressWarnings("serial")
final class BlockCursor extends PaddedCounter {
    /** Limits the size of a block: calls beyond its end still increment the position, which must not overflow. */
    private static final long MAX_COUNT = 1L << 62;

    private final long first;
    private final long step;
    final long count;
    /** The position whose taker has to call {@link BlockSupply#want}; -1 in an empty block. */
    final long prefetchAt;
    /** The next block; null until that block is reserved, and after {@link BlockSupply} has unlinked this one. */
    volatile @Nullable BlockCursor next;

    private BlockCursor(long first, long step, long count, long prefetchAt) {
        this.first = first;
        this.step = step;
        this.count = count;
        this.prefetchAt = prefetchAt;
    }

    static BlockCursor empty() {
        return new BlockCursor(0, 1, 0, -1);
    }

    /**
     * Returns a cursor at the beginning of a block.
     *
     * @param prefetchThreshold the share of the block up to and including {@link #prefetchAt}; above 0, at most 1
     */
    static BlockCursor of(Block block, double prefetchThreshold) {
        long count = Math.min(block.count(), MAX_COUNT);
        long prefetchAt = Math.min((long) Math.ceil(count * prefetchThreshold), count) - 1;
        return new BlockCursor(block.first(), block.step(), count, prefetchAt);
    }

    /** Takes positions and returns the first of them. Positions at or above {@link #count} are not in the block. */
    long take(long positions) {
        return getAndAdd(positions);
    }

    /** Returns the integer at a position below {@link #count}. */
    long at(long position) {
        return first + position * step;
    }

    long remaining() {
        return Math.max(count - get(), 0);
    }

    /** Returns how many integers follow {@link #prefetchAt}; -1 if that position is taken. */
    long leftAfterPrefetchAt() {
        return get() <= prefetchAt ? count - 1 - prefetchAt : -1;
    }

    /** Takes and returns the rest of the block, so that later calls get nothing of it; null if nothing is left. */
    @Nullable
    Block takeRest() {
        long from = getAndAccumulate(count, Math::max);
        return from >= count ? null : new Block(at(from), count - from, step);
    }
}
