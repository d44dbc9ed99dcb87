// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.store.Block;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** One block in use, whose positions are taken by atomic updates only: each once, and in order. Thread-safe. */
final class BlockCursor {
    /** Longs between the counter and other memory: two cache lines, since processors fetch neighbours in pairs. */
    private static final int STRIDE = 16;

    /** No store gives so many; and calls that find none left must not count up to a negative number. */
    private static final long MAX_COUNT = 1L << 62;

    private final long first;
    final long step;
    final long count;
    /** The call that takes this position has the next block reserved. There is none if there are no integers. */
    final long mark;

    /**
     * One counter in the middle of unused longs: how many positions were taken. Calls that find none left count it up
     * further, without consequence. It has cache lines of its own, since a call reads the other fields after it has
     * taken a position, while other threads take the next ones.
     */
    private final AtomicLongArray taken = new AtomicLongArray(2 * STRIDE);

    private BlockCursor(long first, long step, long count, long mark) {
        this.first = first;
        this.step = step;
        this.count = count;
        this.mark = mark;
    }

    static BlockCursor empty() {
        return new BlockCursor(0, 1, 0, -1);
    }

    /** Returns a cursor at the beginning of a block, of which the share {@code prefetchThreshold} ends at the mark. */
    static BlockCursor of(Block block, double prefetchThreshold) {
        long count = Math.min(block.count(), MAX_COUNT);
        long used = (long) Math.ceil(count * prefetchThreshold);
        long mark = Math.min(Math.max(used, 1), count) - 1;
        return new BlockCursor(block.first(), block.step(), count, mark);
    }

    /** Takes positions, and returns the first of them; those at or above {@link #count} do not exist. */
    long take(long positions) {
        return taken.getAndAdd(STRIDE, positions);
    }

    /** Returns the integer at a position below {@link #count}. */
    long at(long position) {
        return first + position * step;
    }

    /** Whether these positions include the mark. */
    boolean isMarkIn(long from, long positions) {
        return from <= mark && mark - from < positions;
    }

    boolean isMarkTaken() {
        return takenCount() > mark;
    }

    long remaining() {
        return Math.max(count - taken.get(STRIDE), 0);
    }

    long takenCount() {
        return Math.min(taken.get(STRIDE), count);
    }

    /** Takes all that is left, so that no call finds any of it afterwards. Returns it, or null if there is nothing. */
    @Nullable
    Block takeRest() {
        long from = taken.getAndAccumulate(STRIDE, count, Math::max);
        return from >= count ? null : new Block(at(from), count - from, step);
    }
}
