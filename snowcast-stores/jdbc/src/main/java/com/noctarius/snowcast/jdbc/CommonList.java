// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The list that the shards of a store have in common: each of them may know two, the present one and the one before. A
 * store whose shards have none in common would take integers from two layouts. Thread-safe.
 */
final class CommonList {
    private final Map<Shard, List<String>> lists = new LinkedHashMap<>();

    /**
     * Enters what a shard says of itself.
     *
     * @param generations the rows that the store's list may be, the newest first
     * @throws ShardMismatchException if it has no list in common with the shards that were entered before
     */
    synchronized void require(Shard shard, List<Generation> generations) {
        List<String> ofShard =
                generations.stream().map(Generation::databaseIds).distinct().toList();
        if (ofShard.contains("")) {
            // A row of a former version, which does not say.
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
