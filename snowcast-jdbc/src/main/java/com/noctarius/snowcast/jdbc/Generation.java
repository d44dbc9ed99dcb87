// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What a shard knows of itself since the shards were last changed.
 *
 * @param number 1 for the first list of shards, one more with each change
 * @param shardIndex which one it is
 * @param shardCount of how many
 * @param windowSize how many integers a window has
 * @param isAdopted whether every sequence has gone over to it
 * @param installation the same in all shards that belong together, and in no others
 */
record Generation(
        long number, int shardIndex, int shardCount, long windowSize, boolean isAdopted, String installation) {
    static Generation of(ResultSet row) throws SQLException {
        return new Generation(
                row.getLong(1), row.getInt(2), row.getInt(3), row.getLong(4), row.getInt(5) != 0, row.getString(6));
    }

    boolean isFor(Shard shard) {
        return shardIndex == shard.index() && shardCount == shard.count();
    }

    boolean isFor(Shard shard, long wantedWindowSize) {
        return isFor(shard) && windowSize == wantedWindowSize;
    }

    @Override
    public String toString() {
        return "shard " + shardIndex + " of " + shardCount + " with windows of " + windowSize + " since generation "
                + number;
    }
}
