// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A generation (version) of the list of shards, as a row of a shard stores it.
 *
 * @param number 1 for the first list of shards, increased by one with each change
 * @param shardIndex the index of the shard that stores the row
 * @param shardCount how many shards the list has
 * @param windowSize how many integers a window has
 * @param isAdopted whether every sequence has moved to this generation
 * @param installation the name that all shards of an installation share, and that no other installation has
 * @param databaseIds the IDs of the databases of the list, in order, separated by commas; empty if the row has none,
 *     because a former version or a migration script wrote it
 */
record Generation(
        long number,
        int shardIndex,
        int shardCount,
        long windowSize,
        boolean isAdopted,
        String installation,
        String databaseIds) {
    /** The columns, in the order of the components. */
    static final String COLUMNS =
            "generation, shard_index, shard_count, window_size, adopted, installation, database_ids";

    /** Stored in place of missing database IDs, because some databases do not distinguish an empty text from NULL. */
    static final String NO_IDS = "-";

    static Generation of(ResultSet row) throws SQLException {
        String ids = row.getString(7);
        return new Generation(
                row.getLong(1),
                row.getInt(2),
                row.getInt(3),
                row.getLong(4),
                row.getInt(5) != 0,
                row.getString(6),
                NO_IDS.equals(ids) ? "" : ids);
    }

    boolean isFor(Shard shard) {
        return shardIndex == shard.index() && shardCount == shard.count();
    }

    /**
     * Returns {@code integer} minus the given number of rounds, but at least 0. A round has one window of each shard.
     */
    long below(long integer, long rounds) {
        long windows = rounds * shardCount;
        return windowSize > integer / windows ? 0 : integer - windows * windowSize;
    }

    /** Returns whether this is the list of the given databases; true if the row has no database IDs. */
    boolean isOf(String wantedDatabaseIds) {
        return databaseIds.isEmpty() || databaseIds.equals(wantedDatabaseIds);
    }

    /** Returns whether the list has the given database at this shard's index; true if the row has no database IDs. */
    boolean hasAtItsPlace(String databaseId) {
        return databaseIds.isEmpty() || databases().indexOf(databaseId) == shardIndex;
    }

    /** Returns the IDs of the databases of the list, in order; empty if the row has no database IDs. */
    List<String> databases() {
        return databaseIds.isEmpty() ? List.of() : List.of(databaseIds.split(",", -1));
    }

    @Override
    public String toString() {
        return "shard " + shardIndex + " of " + shardCount + " with windows of " + windowSize + " since generation "
                + number + (databaseIds.isEmpty() ? "" : ", of the list [" + databaseIds + "]");
    }
}
