// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * Which windows belong to which shard: window {@code k}, counted from the base, belongs to shard {@code k mod N}, for
 * ever. So two agents that insert a window at the same time insert the same row into the same shard, whose primary key
 * refuses the second.
 */
record Layout(SequenceRow sequence, Generation generation) {
    /** Stands for "no window". */
    static final long NONE = -1;

    /**
     * Returns how many integers a round has: one window for each shard. It does not depend on the last value, so all
     * windows stay where they are when the last value is raised.
     */
    private long round() {
        long size = generation.windowSize();
        return size > Long.MAX_VALUE / generation.shardCount() ? Long.MAX_VALUE : size * generation.shardCount();
    }

    /** The start of the round that an integer belongs to. */
    long startOfRoundOf(long integer) {
        return sequence.base() + (integer - sequence.base()) / round() * round();
    }

    /** The end of the round that begins there. */
    long endOfRound(long start) {
        return start > sequence.end() - round() ? sequence.end() : start + round();
    }

    /** The start of the round that ends there, or was cut short there; {@link #NONE} if there is none. */
    long startOfRoundBefore(long end) {
        return end <= sequence.base() ? NONE : startOfRoundOf(end - 1);
    }

    /** The start of a shard's window in the round that begins there. */
    long startOf(int shardIndex, long startOfRound) {
        // Compared by division, since the product may overflow.
        if (shardIndex > (sequence.last() - startOfRound) / generation.windowSize()) {
            return NONE;
        }
        return startOfRound + shardIndex * generation.windowSize();
    }

    long endOf(long start) {
        return start > sequence.end() - generation.windowSize() ? sequence.end() : start + generation.windowSize();
    }

    /** The start of the last window that a shard can have. */
    long lastStartOf(int shardIndex) {
        if (sequence.base() > sequence.last()) {
            return NONE;
        }
        long lastRound = startOfRoundBefore(sequence.end());
        long start = startOf(shardIndex, lastRound);
        if (start == NONE && lastRound > sequence.base()) {
            start = startOf(shardIndex, lastRound - round());
        }
        return start;
    }
}
