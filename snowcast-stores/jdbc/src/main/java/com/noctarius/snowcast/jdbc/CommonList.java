// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that the shards of a store record one common list of shards. Shards that record no list are not checked.
 * During a change of the list, a shard may record two lists that fit the store: the present and the previous list.
 * Without a common list, the store would take integers from two lists, whose windows may overlap. Thread-safe.
 */
final class CommonList {
    private final Map<Shard, List<String>> lists = new LinkedHashMap<>();

    /**
     * Replaces the known lists of a shard by those that the shard records now. Does nothing if one of
     * {@code generations} contains no list.
     *
     * @param generations the shard's generations that fit the store's list, the newest first
     * @throws ShardMismatchException if no list is common to this shard and the other shards whose lists are known
     */
    synchronized void require(Shard shard, List<Generation> generations) {
        List<String> ofShard =
                generations.stream().map(Generation::databaseIds).distinct().toList();
        if (ofShard.contains("")) {
            // A row that a former version or a migration script wrote does not contain the list.
            return;
        }
        List<String> common = new ArrayList<>(ofShard);
        lists.forEach((other, known) -> {
            if (other != shard) {
                common.retainAll(known);
            }
        });
        if (common.isEmpty()) {
            throw new ShardMismatchException("the shards belong to different lists: " + shard + " belongs to " + ofShard
                    + ", other shards to " + lists.values() + "; give this process the shards of one list only");
        }
        lists.put(shard, ofShard);
    }
}
