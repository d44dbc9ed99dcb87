// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One sequence in one run of a {@link WindowAgent}: carries its definition to all shards, moves it to the present list
 * of shards, and lays out windows. Not thread-safe.
 */
final class SequenceTopUp {
    private final JdbcShards shards;
    private final Tables tables;
    private final int minOpenWindows;
    private final String name;
    private final Generation generation;
    private final Map<Shard, SequenceRow> rows = new LinkedHashMap<>();

    SequenceTopUp(JdbcShards shards, int minOpenWindows, String name, Generation generation) {
        this.shards = shards;
        this.tables = shards.tables();
        this.minOpenWindows = minOpenWindows;
        this.name = name;
        this.generation = generation;
    }

    /** Returns how many windows were inserted. */
    int run() {
        read();
        propagate();
        if (rows.values().stream().anyMatch(row -> row.generation() < generation.number() || !row.hasBase())) {
            goOver();
        }
        requireOneLayout();
        return layOut();
    }

    // --- definition

    private void read() {
        rows.clear();
        for (Shard shard : shards.all()) {
            readRow(shard).ifPresent(row -> rows.put(shard, row));
        }
    }

    private Optional<SequenceRow> readRow(Shard shard) {
        return on(shard, transaction -> tables.sequence(transaction, name));
    }

    /** Inserts the definition where a shard lacks it. */
    private void propagate() {
        SequenceRow known = anyRow();
        for (Shard shard : shards.all()) {
            if (!rows.containsKey(shard)) {
                insertIfAbsent(shard, transaction -> tables.define(transaction, name, known.first(), known.last()));
                readRow(shard).ifPresent(row -> rows.put(shard, row));
            }
        }
        rows.forEach((shard, row) -> {
            if (!row.isSameDefinition(known)) {
                throw new BlockStoreException("sequence " + name + " is defined twice: " + row + " on " + shard + ", "
                        + known + " on another; correct the row that is wrong");
            }
        });
    }

    private SequenceRow anyRow() {
        return rows.values().stream()
                .findFirst()
                .orElseThrow(() -> new BlockStoreException("sequence " + name + " was deleted while the agent ran"));
    }

    private <T> T on(Shard shard, Shard.Work<T> work) {
        return shards.call(shard, purpose(), work);
    }

    private int insertIfAbsent(Shard shard, Shard.Work<Integer> insert) {
        return shards.insertIfAbsent(shard, purpose(), insert);
    }

    private String purpose() {
        return "no windows for sequence " + name + ": ";
    }

    // --- layout

    /**
     * Ends the layout of former generations and begins the present one above all windows that these can have announced.
     * The first step raises the generation of the sequence in every shard: from then on no agent of a former generation
     * can announce a window in any of these shards, so none inserts a window above the new base.
     */
    private void goOver() {
        for (Shard shard : shards.all()) {
            on(shard, transaction -> {
                // A row that was inserted after the change was not seen by the agents of the present list.
                Generation present = ShardCheck.forAgent(shard, tables, transaction);
                if (present.number() != generation.number()) {
                    throw newerGeneration(shard, present.number());
                }
                return transaction.update(
                        "UPDATE " + tables.names()
                                + " SET generation = ?, base_value = ? WHERE sequence_name = ? AND generation < ?",
                        generation.number(),
                        SequenceRow.NO_BASE,
                        name,
                        generation.number());
            });
        }
        read();
        requireOneGeneration();
        Optional<SequenceRow> present =
                rows.values().stream().filter(SequenceRow::hasBase).findFirst();
        long base = present.map(SequenceRow::base).orElseGet(this::aboveAll);
        for (Shard shard : shards.all()) {
            if (!rowOf(shard).hasBase()) {
                present.ifPresent(row -> closeLastWindow(shard, row));
                begin(shard, base, present.isPresent() ? announcedAnywhere() : base);
            }
        }
        read();
    }

    private void begin(Shard shard, long base, long announced) {
        on(
                shard,
                transaction -> transaction.update(
                        "UPDATE " + tables.names() + " SET base_value = ?, announced_value = ?"
                                + " WHERE sequence_name = ? AND generation = ? AND base_value = ?",
                        base,
                        announced,
                        name,
                        generation.number(),
                        SequenceRow.NO_BASE));
    }

    /**
     * Inserts a shard's window of the last round as used up. The shard does not know the present layout, so it has lost
     * its rows: the window may have been used, and no agent may insert it as an open one. Windows of former rounds need
     * nothing, since no agent inserts those.
     */
    private void closeLastWindow(Shard shard, SequenceRow row) {
        Layout layout = new Layout(row, generation);
        long startOfRound = layout.startOfRoundBefore(announcedAnywhere());
        long start = startOfRound == Layout.NONE ? Layout.NONE : layout.startOf(shard.index(), startOfRound);
        if (start != Layout.NONE) {
            insertWindow(shard, start, layout.endOf(start), layout.endOf(start));
        }
    }

    /** Above all windows, too: they may be of a sequence whose definition was deleted and inserted again. */
    private long aboveAll() {
        long above = Math.max(announcedAnywhere(), anyRow().first());
        for (Shard shard : shards.all()) {
            above = Math.max(above, on(shard, transaction -> tables.endOfWindows(transaction, name)));
        }
        return above;
    }

    private long announcedAnywhere() {
        return rows.values().stream().mapToLong(SequenceRow::announced).max().orElseThrow();
    }

    private void requireOneGeneration() {
        rows.forEach((shard, row) -> {
            if (row.generation() != generation.number()) {
                throw newerGeneration(shard, row.generation());
            }
        });
    }

    private ShardMismatchException newerGeneration(Shard shard, long newer) {
        return new ShardMismatchException("sequence " + name + " on " + shard + " is of generation " + newer
                + ", this agent of " + generation.number() + ": the shards were changed");
    }

    private void requireOneLayout() {
        requireOneGeneration();
        long base = anyRow().base();
        rows.forEach((shard, row) -> {
            if (row.base() != base) {
                throw new BlockStoreException("sequence " + name + " begins at " + row.base() + " on " + shard
                        + " and at " + base + " on another, in generation " + generation.number());
            }
        });
    }

    // --- windows

    private int layOut() {
        Layout layout = new Layout(anyRow(), generation);
        long announced = announcedAnywhere();
        long startOfLastRound = layout.startOfRoundBefore(announced);
        requireNoneForgot(startOfLastRound);
        // Windows that an agent announced but was killed before it inserted.
        int inserted = startOfLastRound == Layout.NONE ? 0 : insertRound(layout, startOfLastRound, announced);
        long missing = missingRounds();
        while (missing > 0 && announced < layout.sequence().end()) {
            // Not always the end of the last round: a lower last value of that time may have cut that round short.
            long start = layout.startOfRoundOf(announced);
            long end = layout.endOfRound(start);
            inserted += insertRound(layout, start, end);
            announced = end;
            missing--;
        }
        return inserted;
    }

    /**
     * Fails if a shard has not heard of the last but one round. A round is announced in all shards before the next one
     * is announced in any, so this shard knew of it once and has lost it.
     */
    private void requireNoneForgot(long startOfLastRound) {
        for (Shard shard : shards.all()) {
            // Read again, since other agents may have gone on while this one read one row after the other.
            if (rowOf(shard).announced() < startOfLastRound
                    && readRow(shard).stream().anyMatch(row -> row.announced() < startOfLastRound)) {
                throw new ShardMismatchException("sequence " + name + " on " + shard
                        + " knows less than it knew before: was it restored from a backup, or is it a replica that lags?"
                        + " It hands out integers again; stop it, and see the documentation for what to delete in it");
            }
        }
    }

    /** Announces a round in all shards before it inserts its windows; the round below is complete by then. */
    private int insertRound(Layout layout, long startOfRound, long end) {
        announce(end);
        int inserted = 0;
        for (Shard shard : shards.all()) {
            long start = layout.startOf(shard.index(), startOfRound);
            if (start != Layout.NONE && start < end) {
                inserted += insertWindow(shard, start, Math.min(layout.endOf(start), end), start);
            }
        }
        return inserted;
    }

    private SequenceRow rowOf(Shard shard) {
        SequenceRow row = rows.get(shard);
        if (row == null) {
            throw new BlockStoreException("sequence " + name + " was deleted on " + shard);
        }
        return row;
    }

    private long missingRounds() {
        long missing = 0;
        for (Shard shard : shards.all()) {
            long open = on(shard, transaction -> tables.openWindows(transaction, name));
            missing = Math.max(missing, minOpenWindows - open);
        }
        return missing;
    }

    /** Tells every shard that windows up to {@code end} may exist; fails if a shard is of a newer generation. */
    private void announce(long end) {
        for (Shard shard : shards.all()) {
            int changed = on(
                    shard,
                    transaction -> transaction.update(
                            "UPDATE " + tables.names() + " SET announced_value = ?"
                                    + " WHERE sequence_name = ? AND generation = ? AND announced_value < ?",
                            end,
                            name,
                            generation.number(),
                            end));
            if (changed == 0) {
                SequenceRow row = readRow(shard)
                        .orElseThrow(() -> new BlockStoreException("sequence " + name + " was deleted on " + shard));
                if (row.generation() != generation.number() || row.announced() < end) {
                    throw newerGeneration(shard, row.generation());
                }
            }
        }
    }

    private int insertWindow(Shard shard, long start, long end, long next) {
        return insertIfAbsent(
                shard,
                transaction -> transaction.update(
                        "INSERT INTO " + tables.windows()
                                + " (sequence_name, window_start_value, window_end_value, next_hi_value)"
                                + " VALUES (?, ?, ?, ?)",
                        name,
                        start,
                        end,
                        next));
    }
}
