// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that one list of shards is recorded in every shard of a store. While the list is being changed, a shard may
 * record two lists, the present and the previous one. If the shards had no list in common, the store would take
 * integers from two layouts, which may overlap. Thread-safe.
 */
final class CommonList {
    private final Map<Shard, List<String>> lists = new LinkedHashMap<>();

    /**
     * Adds the lists that a shard records.
     *
     * @param generations the shard's generations that fit the store's list, the newest first
     * @throws ShardMismatchException if the shard has no list in common with the shards that were added before it
     */
    synchronized void require(Shard shard, List<Generation> generations) {
        List<String> ofShard =
                generations.stream().map(Generation::databaseIds).distinct().toList();
        if (ofShard.contains("")) {
            // A row that a former version wrote does not have the list.
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
