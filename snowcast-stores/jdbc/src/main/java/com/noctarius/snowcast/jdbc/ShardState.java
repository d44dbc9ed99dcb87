// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a shard, as its tables show it.
 *
 * @param generations the generations that it stores, the newest first
 */
record ShardState(Shard shard, List<Generation> generations, DatabaseState database) {
    Generation newest() {
        return generations.get(0);
    }

    /**
     * Returns whether this shard has an upper bound of the windows in all shards. It has the bound if its server has
     * not changed, and if every sequence has moved to a generation that it stores: to {@code newest}, or to the one
     * before. Generation 1 has no former list, so if {@code newest} is 1, no sequence needs to have moved.
     */
    boolean knowsBounds(long newest) {
        return !database.hasChanged()
                && (newest == 1
                        || generations.stream()
                                .anyMatch(generation -> generation.isAdopted() && generation.number() >= newest - 1));
    }

    /** The states of the reachable shards, and why the others are unreachable. */
    record All(Map<Shard, ShardState> reached, Map<Shard, BlockStoreException> away) {
        /** Reads the states; throws if no shard is reachable, or a database is not the configured shard. */
        static All of(JdbcShards shards, String purpose) {
            Map<Shard, ShardState> reached = new LinkedHashMap<>();
            Map<Shard, BlockStoreException> away = new LinkedHashMap<>();
            for (Shard shard : shards.all()) {
                try {
                    reached.put(
                            shard,
                            shards.call(
                                    shard,
                                    purpose,
                                    transaction -> ShardCheck.forAgent(shard, shards.tables(), transaction)));
                } catch (ShardMismatchException e) {
                    throw e;
                } catch (BlockStoreException e) {
                    away.put(shard, e);
                }
            }
            if (reached.isEmpty()) {
                throw away.values().iterator().next();
            }
            return new All(reached, away);
        }

        /** Returns the newest generation of all reachable shards; throws if it differs between them. */
        Generation agreed() {
            ShardState first = reached.values().iterator().next();
            reached.forEach((shard, state) -> {
                Generation present = state.newest();
                ShardCheck.requireSameInstallation(
                        shard, present.installation(), first.newest().installation());
                if (present.number() != first.newest().number()
                        || present.windowSize() != first.newest().windowSize()) {
                    throw new ShardMismatchException("a change of the shards is not complete, run it again: "
                            + first.shard() + " is " + first.newest() + ", " + shard + " is " + present);
                }
                ShardCheck.requireSameList(first.shard(), first.newest(), shard, present);
            });
            return first.newest();
        }

        /**
         * Returns the reachable shards that have an upper bound of all windows; none if these are fewer than half of
         * the list. Fewer than half may all have been left out by a later change that the other shards have lost; then
         * their bounds may be too low. At least half cannot all have been left out, because a change of the list keeps
         * more than half of the databases.
         *
         * @param except a shard that may have lost data, whatever its state shows; null if there is none
         */
        List<Shard> knowing(long newest, @Nullable Shard except) {
            List<Shard> knowing = reached.values().stream()
                    .filter(state -> state.knowsBounds(newest) && state.shard() != except)
                    .map(ShardState::shard)
                    .toList();
            return 2 * knowing.size() < reached.size() + away.size() ? List.of() : knowing;
        }
    }
}
