// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The rows of one sequence in all shards, as they were last read. Not thread-safe. */
final class SequenceRows {
    private final JdbcShards shards;
    private final ShardState.All states;
    private final Generation generation;
    private final String name;
    private final Map<Shard, SequenceRow> rows = new LinkedHashMap<>();

    SequenceRows(JdbcShards shards, ShardState.All states, String name) {
        this.shards = shards;
        this.states = states;
        this.generation = states.agreed();
        this.name = name;
    }

    // --- reading

    /** Replaces all rows by the present rows; throws if a shard fails. */
    void readAll() {
        rows.clear();
        states.reached().keySet().forEach(this::read);
    }

    void read(Shard shard) {
        present(shard).ifPresent(row -> rows.put(shard, row));
    }

    /** Reads and returns a shard's present row, without keeping it. */
    Optional<SequenceRow> present(Shard shard) {
        return shards.call(
                shard,
                states.database(shard),
                purpose(),
                transaction -> shards.tables().sequence(transaction, name));
    }

    String purpose() {
        return "no windows for sequence " + name + ": ";
    }

    // --- the rows

    /** Returns the shards that can be used and have the sequence, each with its row. */
    Map<Shard, SequenceRow> all() {
        rows.keySet().retainAll(states.reached().keySet());
        return rows;
    }

    SequenceRow any() {
        return all().values().stream()
                .findFirst()
                .orElseThrow(() -> new BlockStoreException("sequence " + name + " was deleted while the agent ran"));
    }

    SequenceRow of(Shard shard) {
        SequenceRow row = rows.get(shard);
        if (row == null) {
            throw deleted(shard);
        }
        return row;
    }

    BlockStoreException deleted(Shard shard) {
        return new BlockStoreException("sequence " + name + " was deleted on " + shard);
    }

    /** Returns the highest end that any shard has announced. */
    long announcedAnywhere() {
        return all().values().stream().mapToLong(SequenceRow::announced).max().orElseThrow();
    }

    // --- what all must agree on

    void requireOneDefinition() {
        SequenceRow known = any();
        all().forEach((shard, row) -> {
            if (!row.isSameDefinition(known)) {
                throw new BlockStoreException("sequence " + name + " is defined twice: " + row + " on " + shard + ", "
                        + known + " on another; correct the row that is wrong");
            }
        });
    }

    void requireOneGeneration() {
        all().forEach((shard, row) -> {
            if (row.generation() != generation.number()) {
                throw otherGeneration(shard, row.generation());
            }
        });
    }

    ShardMismatchException otherGeneration(Shard shard, long other) {
        return new ShardMismatchException("sequence " + name + " on " + shard + " has generation " + other
                + ", but the list of this agent has generation " + generation.number()
                + ": the shards were changed");
    }

    void requireOneLayout() {
        requireOneGeneration();
        long base = any().base();
        all().forEach((shard, row) -> {
            if (row.base() != base) {
                throw new BlockStoreException("sequence " + name + " begins at " + row.base() + " on " + shard
                        + " and at " + base + " on another, in generation " + generation.number());
            }
        });
    }
}
