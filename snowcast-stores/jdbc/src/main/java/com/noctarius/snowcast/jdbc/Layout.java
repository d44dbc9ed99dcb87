// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

/**
 * The assignment of windows to {@code N} shards. Window {@code k}, counted from {@link SequenceRow#base}, always
 * belongs to shard {@code k mod N}. Two agents that insert the same window at the same time therefore insert the same
 * row into the same shard, and the primary key rejects the second row.
 */
record Layout(SequenceRow sequence, Generation generation) {
    /** Returned in place of the start of a window that does not exist. */
    static final long NONE = -1;

    /**
     * Returns how many integers a round has; {@link Long#MAX_VALUE} if the number is higher. A round has one window of
     * each shard. The number does not depend on the last value, so no window moves when the last value is raised.
     */
    private long round() {
        long size = generation.windowSize();
        return size > Long.MAX_VALUE / generation.shardCount() ? Long.MAX_VALUE : size * generation.shardCount();
    }

    /** Returns how many rounds there are. The last value may cut the last round short. */
    long rounds() {
        return sequence.base() > sequence.last() ? 0 : roundOf(sequence.last()) + 1;
    }

    /** Returns the number of the round of an integer at or above the base. */
    long roundOf(long integer) {
        return (integer - sequence.base()) / round();
    }

    /** Returns the integer after the last integer of an existing round. */
    long endOfRound(long number) {
        long start = sequence.base() + number * round();
        return start > sequence.end() - round() ? sequence.end() : start + round();
    }

    /** Returns the start of a shard's window in an existing round; {@link #NONE} if it is above the last value. */
    long startOf(int shardIndex, long number) {
        long startOfRound = sequence.base() + number * round();
        // Compare by division, because the product may overflow.
        if (shardIndex > (sequence.last() - startOfRound) / generation.windowSize()) {
            return NONE;
        }
        return startOfRound + shardIndex * generation.windowSize();
    }

    long endOf(long start) {
        return start > sequence.end() - generation.windowSize() ? sequence.end() : start + generation.windowSize();
    }

    /**
     * Returns the first round in which the shard's window begins at or above an integer. If the shard has no such
     * window, because it would begin above the last value, returns a round without a window of the shard.
     */
    long firstRoundFrom(int shardIndex, long integer) {
        if (integer <= sequence.base()) {
            return 0;
        }
        long number = roundOf(integer);
        long start = number < rounds() ? startOf(shardIndex, number) : NONE;
        return start == NONE || start >= integer ? number : number + 1;
    }

    /** Returns the start of the last window that a shard can have; {@link #NONE} if it can have none. */
    long lastStartOf(int shardIndex) {
        long last = rounds() - 1;
        if (last < 0) {
            return NONE;
        }
        long start = startOf(shardIndex, last);
        return start == NONE && last > 0 ? startOf(shardIndex, last - 1) : start;
    }

    /** Returns whether no window of a shard can begin at or above the shard's {@link SequenceRow#floor}. */
    boolean isPastLast(int shardIndex, long floor) {
        long start = lastStartOf(shardIndex);
        return start == NONE || start < floor;
    }
}
