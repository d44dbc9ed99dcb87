// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What a shard knows of itself: one row for each list of shards.
 *
 * @param number 1 for the first list of shards, one more with each change
 * @param shardIndex the index of this shard
 * @param shardCount how many shards the list has
 * @param windowSize how many integers a window has
 * @param isAdopted whether every sequence has gone over to this generation
 * @param installation the name that all shards of an installation share with no other installation
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
