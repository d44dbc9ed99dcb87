// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds a list of shards that is recorded in every shard of a store. While a list changes, a shard may have two: the
 * present and the previous one. A store whose shards have no list in common would take integers from two layouts.
 * Thread-safe.
 */
final class CommonList {
    private final Map<Shard, List<String>> lists = new LinkedHashMap<>();

    /**
     * Adds the lists of a shard.
     *
     * @param generations the shard's rows that fit the store's list, the newest first
     * @throws ShardMismatchException if it has no list in common with the shards that were added before
     */
    synchronized void require(Shard shard, List<Generation> generations) {
        List<String> ofShard =
                generations.stream().map(Generation::databaseIds).distinct().toList();
        if (ofShard.contains("")) {
            // A row of a former version, which has no list.
            return;
        }
        List<String> common = new ArrayList<>(ofShard);
        lists.forEach((other, known) -> {
            if (other != shard) {
                common.retainAll(known);
            }
        });
        if (common.isEmpty()) {
            throw new ShardMismatchException("the shards are of different lists: " + shard + " is of " + ofShard
                    + ", others are of " + lists.values() + "; one of the lists must be given up");
        }
        lists.put(shard, ofShard);
    }
}
