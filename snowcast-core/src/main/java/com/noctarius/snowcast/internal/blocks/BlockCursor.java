// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.store.Block;
import org.jspecify.annotations.Nullable;

/**
 * One block in use. Calls take its positions only with atomic updates, so each is taken once, and in order.
 * Thread-safe.
 *
 * <p>It extends the counter of positions, so that a call needs no further read to find the counter.
 */
@SuppressWarnings("serial")
final class BlockCursor extends PaddedCounter {
    /** No store gives this many. A limit, because calls that find none left must not count up to a negative number. */
    private static final long MAX_COUNT = 1L << 62;

    private final long first;
    private final long step;
    final long count;
    /** How many integers the sequence had in the blocks before this one. */
    private final long before;

    /** The next block; null if there is none yet, or some time after the sequence has moved to it. */
    volatile @Nullable BlockCursor next;

    /** Whether the call that moves to the next block has to start the watch. */
    volatile boolean beginsWatch;

    private BlockCursor(long first, long step, long count, long before) {
        this.first = first;
        this.step = step;
        this.count = count;
        this.before = before;
    }

    static BlockCursor empty() {
        return new BlockCursor(0, 1, 0, 0);
    }

    /** Returns a cursor at the beginning of a block that follows this one. */
    BlockCursor followedBy(Block block) {
        return new BlockCursor(block.first(), block.step(), Math.min(block.count(), MAX_COUNT), end());
    }

    /** How many integers the sequence had in all blocks up to this one. */
    long end() {
        return before + count;
    }

    /** Takes positions, and returns the first of them; positions at or above {@link #count} do not exist. */
    long take(long positions) {
        return getAndAdd(positions);
    }

    /** Returns the integer at a position below {@link #count}. */
    long at(long position) {
        return first + position * step;
    }

    /** Returns at most the given number of integers, from a position below {@link #count} on. */
    Block from(long position, long atMost) {
        return new Block(at(position), Math.min(atMost, count - position), step);
    }

    long remaining() {
        return Math.max(count - get(), 0);
    }

    /** Takes and returns the rest of the block, so that no call gets any of it afterwards; null if nothing is left. */
    @Nullable
    Block takeRest() {
        long from = getAndAccumulate(count, Math::max);
        return from >= count ? null : from(from, count);
    }
}
