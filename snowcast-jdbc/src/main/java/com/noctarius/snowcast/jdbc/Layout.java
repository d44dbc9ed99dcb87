// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * Which windows belong to which shard: counted from the base, number {@code k} belongs to shard {@code k mod N}, for ever.
 * So two agents that insert a window at a time insert the same row into the same shard, and its primary key refuses the
 * second.
 */
record Layout(SequenceRow sequence, Generation generation) {
    /** Where a shard has no window. */
    static final long NONE = -1;

    /** How many integers a round has, that is a window for each shard; all there are, if that is less. */
    private long round() {
        long size = generation.windowSize();
        return size > sequence.end() / generation.shardCount() ? sequence.end() : size * generation.shardCount();
    }

    /** The end of the round that begins there. */
    long endOfRound(long start) {
        return start > sequence.end() - round() ? sequence.end() : start + round();
    }

    /** The start of the round that ends there; {@link #NONE} if that is not the end of one. */
    long startOfRoundBefore(long end) {
        if (end <= sequence.base()) {
            return NONE;
        }
        return sequence.base() + (end - 1 - sequence.base()) / round() * round();
    }

    /** The start of a shard's window in the round that begins there. */
    long startOf(int shardIndex, long startOfRound) {
        // Not multiplied before it is known to fit.
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
