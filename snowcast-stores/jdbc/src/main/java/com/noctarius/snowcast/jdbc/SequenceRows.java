// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rows of one sequence in all shards, as they were last read. Not thread-safe. */
final class SequenceRows {
    private final JdbcShards shards;
    private final Tables tables;
    private final Generation generation;
    private final String name;
    private final Map<Shard, SequenceRow> rows = new LinkedHashMap<>();

    SequenceRows(JdbcShards shards, Generation generation, String name) {
        this.shards = shards;
        this.tables = shards.tables();
        this.generation = generation;
        this.name = name;
    }

    // --- reading

    /** Replaces all rows by the present rows of the given shards. */
    void read(Set<Shard> reached) {
        rows.clear();
        reached.forEach(this::read);
    }

    void read(Shard shard) {
        present(shard).ifPresent(row -> rows.put(shard, row));
    }

    /** Reads and returns a shard's present row, without keeping it. */
    Optional<SequenceRow> present(Shard shard) {
        return shards.call(shard, purpose(), transaction -> tables.sequence(transaction, name));
    }

    String purpose() {
        return "no windows for sequence " + name + ": ";
    }

    // --- the rows

    /** Returns the shards that have the sequence, each with its row. */
    Map<Shard, SequenceRow> all() {
        return rows;
    }

    SequenceRow any() {
        return rows.values().stream()
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
        return rows.values().stream().mapToLong(SequenceRow::announced).max().orElseThrow();
    }

    // --- what all must agree on

    void requireOneDefinition() {
        SequenceRow known = any();
        rows.forEach((shard, row) -> {
            if (!row.isSameDefinition(known)) {
                throw new BlockStoreException("sequence " + name + " is defined twice: " + row + " on " + shard + ", "
                        + known + " on another; correct the row that is wrong");
            }
        });
    }

    void requireOneGeneration() {
        rows.forEach((shard, row) -> {
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
        rows.forEach((shard, row) -> {
            if (row.base() != base) {
                throw new BlockStoreException("sequence " + name + " begins at " + row.base() + " on " + shard
                        + " and at " + base + " on another, in generation " + generation.number());
            }
        });
    }
}
