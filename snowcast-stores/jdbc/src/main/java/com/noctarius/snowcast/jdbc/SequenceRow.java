// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A shard's row of a sequence.
 *
 * @param generation the generation of the list of shards that determines the layout of the windows; 0 before the first
 *     layout
 * @param base the first integer of that layout; {@link #NO_BASE} while it is unknown
 * @param announced an upper bound of the ends of all windows of this layout, in any shard
 * @param complete a value that {@code announced} has reached in every shard
 * @param floor no agent inserts a window that begins below this integer into this shard any more
 */
record SequenceRow(
        String name, long first, long last, long generation, long base, long announced, long complete, long floor) {
    static final long NO_BASE = -1;

    /** The highest integer of any sequence. */
    static final long HIGHEST = Long.MAX_VALUE - 1;

    /** The columns, in the order of the components. */
    static final String COLUMNS = "sequence_name, lowest_value, highest_value, generation, base_value, announced_value,"
            + " complete_value, floor_value";

    static SequenceRow of(ResultSet row) throws SQLException {
        return new SequenceRow(
                row.getString(1),
                row.getLong(2),
                row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7),
                row.getLong(8));
    }

    /**
     * Returns the last integer to store for the last value of a definition. The tables cannot have
     * {@code Long.MAX_VALUE}, because {@link #end} must be a {@code long}, so this value stands for the one below it.
     *
     * @throws IllegalArgumentException if the definition has no integer that the tables can have
     */
    static long last(String name, long firstValue, long lastValue) {
        long last = Math.min(lastValue, HIGHEST);
        if (firstValue < 0 || last < firstValue) {
            throw new IllegalArgumentException("sequence " + name + ": firstValue must be 0 to " + HIGHEST
                    + ", and lastValue at least firstValue: " + firstValue + ", " + lastValue);
        }
        return last;
    }

    boolean hasBase() {
        return base != NO_BASE;
    }

    /** Returns the integer after the last integer of the sequence. */
    long end() {
        return last + 1;
    }

    boolean isSameDefinition(SequenceRow other) {
        return first == other.first && last == other.last;
    }

    @Override
    public String toString() {
        return name + " from " + first + " to " + last;
    }
}
