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

    /** How many rounds there are, the last one cut short by the last value. */
    long rounds() {
        return sequence.base() > sequence.last() ? 0 : roundOf(sequence.last()) + 1;
    }

    /** The number of the round that an integer belongs to, which is the base or above. */
    long roundOf(long integer) {
        return (integer - sequence.base()) / round();
    }

    /** The end of a round that there is. */
    long endOfRound(long number) {
        long start = sequence.base() + number * round();
        return start > sequence.end() - round() ? sequence.end() : start + round();
    }

    /** The start of a shard's window in a round that there is; {@link #NONE} if the last value is below it. */
    long startOf(int shardIndex, long number) {
        long startOfRound = sequence.base() + number * round();
        // Compared by division, since the product may overflow.
        if (shardIndex > (sequence.last() - startOfRound) / generation.windowSize()) {
            return NONE;
        }
        return startOfRound + shardIndex * generation.windowSize();
    }

    long endOf(long start) {
        return start > sequence.end() - generation.windowSize() ? sequence.end() : start + generation.windowSize();
    }

    /** The first round that begins at an integer or above, or whose window of a shard does; there may be none such. */
    long firstRoundFrom(int shardIndex, long integer) {
        if (integer <= sequence.base()) {
            return 0;
        }
        long number = roundOf(integer);
        long start = number < rounds() ? startOf(shardIndex, number) : NONE;
        return start == NONE || start >= integer ? number : number + 1;
    }

    /** The start of the last window that a shard can have. */
    long lastStartOf(int shardIndex) {
        long last = rounds() - 1;
        if (last < 0) {
            return NONE;
        }
        long start = startOf(shardIndex, last);
        return start == NONE && last > 0 ? startOf(shardIndex, last - 1) : start;
    }

    /** Whether no window of a shard is missing forever: the last one is there, or may not be inserted any more. */
    boolean isPastLast(int shardIndex, long floor) {
        long start = lastStartOf(shardIndex);
        return start == NONE || start < floor;
    }
}
