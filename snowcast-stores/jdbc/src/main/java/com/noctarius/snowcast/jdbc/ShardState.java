// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
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

    /**
     * The states of the shards that can be used, and why the others cannot: they are unreachable, are rejected, or a
     * step has failed. Not thread-safe.
     */
    record All(Map<Shard, ShardState> reached, Map<Shard, BlockStoreException> away) {
        /** Reads the states; throws if no shard can be used. */
        static All of(JdbcShards shards, String purpose) {
            All all = new All(new LinkedHashMap<>(), new LinkedHashMap<>());
            for (Shard shard : shards.all()) {
                try {
                    all.reached.put(
                            shard,
                            shards.call(
                                    shard,
                                    purpose,
                                    transaction -> ShardCheck.forAgent(shard, shards.tables(), transaction)));
                } catch (BlockStoreException e) {
                    all.away.put(shard, e);
                }
            }
            if (all.reached.isEmpty()) {
                throw all.away.values().iterator().next();
            }
            return all;
        }

        /** Runs a step for each shard that can be used. If the step fails, the shard can no longer be used. */
        void forEach(Consumer<ShardState> step) {
            for (ShardState state : List.copyOf(reached.values())) {
                try {
                    step.accept(state);
                } catch (BlockStoreException e) {
                    reached.remove(state.shard());
                    away.put(state.shard(), e);
                }
            }
        }

        /** Returns the tables of a shard that can be used. */
        Database database(Shard shard) {
            return Objects.requireNonNull(reached.get(shard)).database().known();
        }

        /** Returns the newest generation of all these shards; throws if it differs between them. */
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
        List<ShardState> knowing(long newest, @Nullable Shard except) {
            List<ShardState> knowing = reached.values().stream()
                    .filter(state -> state.knowsBounds(newest) && state.shard() != except)
                    .toList();
            return 2 * knowing.size() < reached.size() + away.size() ? List.of() : knowing;
        }
    }
}
