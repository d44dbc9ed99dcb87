// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * What a shard knows of itself: one row for each list of shards.
 *
 * @param number 1 for the first list of shards, one more with each change
 * @param shardIndex the index of this shard
 * @param shardCount how many shards the list has
 * @param windowSize how many integers a window has
 * @param isAdopted whether every sequence has gone over to this generation
 * @param installation the name that all shards of an installation share with no other installation
 * @param databaseIds the databases of the list, in their order, with commas between; empty in a row of a former version
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

    /** Stands for no databases, since some kinds of databases have no empty text. */
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

    /** The lower end of so many rounds that end at an integer; 0 or above. */
    long below(long integer, long rounds) {
        long windows = rounds * shardCount;
        return windowSize > integer / windows ? 0 : integer - windows * windowSize;
    }

    /** Whether this is the list with these databases, as far as the row says. */
    boolean isOf(String wantedDatabaseIds) {
        return databaseIds.isEmpty() || databaseIds.equals(wantedDatabaseIds);
    }

    /** Whether a database stands at its place in the list, as far as the row says. */
    boolean hasAtItsPlace(String databaseId) {
        return databaseIds.isEmpty() || databases().indexOf(databaseId) == shardIndex;
    }

    /** The IDs of the databases of the list, in their order; none if the row does not say. */
    List<String> databases() {
        return databaseIds.isEmpty() ? List.of() : List.of(databaseIds.split(",", -1));
    }

    @Override
    public String toString() {
        return "shard " + shardIndex + " of " + shardCount + " with windows of " + windowSize + " since generation "
                + number + (databaseIds.isEmpty() ? "" : ", of the list [" + databaseIds + "]");
    }
}
