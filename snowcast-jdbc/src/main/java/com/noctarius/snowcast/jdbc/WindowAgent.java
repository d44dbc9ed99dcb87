// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Lays out windows, so that every shard has some that are open for every sequence. It has no state: it may run from time to
 * time, in one process or in all of them, at one time or not, and may be killed at any point.
 *
 * <p>Every run looks at all sequences of all shards. One that was defined by a row in one shard is carried to the others;
 * one that was laid out for a former list of shards goes over to the present one; and where a shard has fewer open windows
 * than wanted, every shard gets another one. A run refuses while a shard cannot be reached.
 *
 * <p>Integers repeat under no interleaving of agents: window {@code k} belongs to shard {@code k mod N}, so the primary key
 * refuses the second of two that insert it; and a round of windows is announced in every shard before the first of them is
 * inserted in any, so every shard that is left knows an upper bound of all windows. The idea of windows and a stateless
 * agent is that of "Designing a Distributed Hi-Lo Strategy" (2008), which chose them otherwise.
 *
 * <p>Thread-safe.
 */
public final class WindowAgent {
    private final JdbcShards shards;
    private final Tables tables;
    private final int minOpenWindows;

    /**
     * Makes an agent.
     *
     * @param shards all shards, in their order
     * @param minOpenWindows how many open windows every shard is to have, of every sequence; 1 to 1,000. They must last
     *     until the next run, also if one shard fails
     * @throws NullPointerException if {@code shards} is null
     * @throws IllegalArgumentException if {@code minOpenWindows} is out of range
     */
    public WindowAgent(JdbcShards shards, int minOpenWindows) {
        if (minOpenWindows < 1 || minOpenWindows > 1_000) {
            throw new IllegalArgumentException("minOpenWindows must be 1 to 1000: " + minOpenWindows);
        }
        this.shards = shards;
        this.tables = shards.tables();
        this.minOpenWindows = minOpenWindows;
    }

    /**
     * What a run did.
     *
     * @param sequences how many sequences there are
     * @param windows how many windows were inserted
     */
    public record TopUp(int sequences, int windows) {}

    /**
     * Brings all sequences on all shards to the wanted number of open windows. Blocks at most as long as the time-outs say
     * for each statement; an interrupt does not end it.
     *
     * @return what was done
     * @throws ShardMismatchException if a database is not the shard it is taken for, or the list of shards is not the
     *     present one; nothing was changed
     * @throws BlockStoreException if a shard cannot be reached, which the message names, or the definitions of a sequence
     *     contradict each other; the other sequences were brought up nevertheless if it is about some
     */
    public TopUp topUp() {
        List<Generation> generations = new ArrayList<>();
        SortedSet<String> names = new TreeSet<>();
        for (Shard shard : shards.all()) {
            generations.add(on(shard, "", transaction -> ShardCheck.forAgent(shard, tables, transaction)));
            on(shard, "", tables::sequences).forEach(row -> names.add(row.name()));
        }
        Generation generation = agreed(generations);
        List<BlockStoreException> failures = new ArrayList<>();
        int windows = 0;
        for (String name : names) {
            try {
                windows += new SequenceTopUp(name, generation).run();
            } catch (BlockStoreException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw together(failures);
        }
        markAdopted(generations);
        return new TopUp(names.size(), windows);
    }

    private Generation agreed(List<Generation> generations) {
        Generation first = generations.get(0);
        for (Shard shard : shards.all()) {
            Generation other = generations.get(shard.index());
            ShardCheck.requireSameInstallation(shard, other.installation(), first.installation());
            if (other.number() != first.number() || other.windowSize() != first.windowSize()) {
                throw new ShardMismatchException(
                        "a change of the shards is not complete, run it again: " + generations);
            }
        }
        return first;
    }

    private static BlockStoreException together(List<BlockStoreException> failures) {
        BlockStoreException first = failures.get(0);
        if (failures.size() == 1) {
            return first;
        }
        BlockStoreException all = new BlockStoreException(
                failures.size() + " sequences failed, one of them: " + first.getMessage(), first);
        failures.stream().skip(1).forEach(all::addSuppressed);
        return all;
    }

    private void markAdopted(List<Generation> generations) {
        for (Shard shard : shards.all()) {
            Generation generation = generations.get(shard.index());
            if (!generation.isAdopted()) {
                on(
                        shard,
                        "",
                        transaction -> transaction.update(
                                "UPDATE " + tables.shard() + " SET adopted = 1 WHERE generation = ?",
                                generation.number()));
            }
        }
    }

    private <T> T on(Shard shard, String name, Shard.Work<T> work) {
        try {
            return shard.call(work);
        } catch (SQLException e) {
            throw new BlockStoreException(
                    "no windows" + (name.isEmpty() ? "" : " for sequence " + name) + ": " + shard + " in " + shards
                            + " cannot be reached or refuses: " + e.getMessage(),
                    e);
        }
    }

    /** One sequence in one run. */
    private final class SequenceTopUp {
        private final String name;
        private final Generation generation;
        private final Map<Shard, SequenceRow> rows = new LinkedHashMap<>();

        SequenceTopUp(String name, Generation generation) {
            this.name = name;
            this.generation = generation;
        }

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
            return on(shard, name, transaction -> tables.sequence(transaction, name));
        }

        /** Sees to it that every shard knows the sequence. */
        private void propagate() {
            SequenceRow known = anyRow();
            for (Shard shard : shards.all()) {
                if (!rows.containsKey(shard)) {
                    insertIfAbsent(shard, transaction -> {
                        tables.define(transaction, name, known.first(), known.last());
                        return 1;
                    });
                    readRow(shard).ifPresent(row -> rows.put(shard, row));
                }
            }
            rows.forEach((shard, row) -> {
                if (!row.isSameDefinition(known)) {
                    throw new BlockStoreException("sequence " + name + " is defined twice: " + row + " on " + shard
                            + ", " + known + " on another; correct the row that is wrong");
                }
            });
        }

        private SequenceRow anyRow() {
            return rows.values().stream()
                    .findFirst()
                    .orElseThrow(
                            () -> new BlockStoreException("sequence " + name + " was deleted while the agent ran"));
        }

        private int insertIfAbsent(Shard shard, Shard.Work<Integer> insert) {
            try {
                return shard.call(insert);
            } catch (SQLException e) {
                if (Tables.isDuplicateKey(e)) {
                    return 0;
                }
                return on(shard, name, transaction -> {
                    throw e;
                });
            }
        }

        // --- layout

        /**
         * Ends the layout of former generations and begins the present one above all that they can have announced. After the
         * first step no agent of theirs can announce anything in any of these shards, so it inserts nothing above.
         */
        private void goOver() {
            for (Shard shard : shards.all()) {
                on(shard, name, transaction -> {
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
                    name,
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
         * A shard that does not know what is laid out already has lost its rows. Its window of the last round may have been used,
         * so nobody may insert it as an open one. Windows of former rounds are inserted by nobody.
         */
        private void closeLastWindow(Shard shard, SequenceRow row) {
            Layout layout = new Layout(row, generation);
            long startOfRound = layout.startOfRoundBefore(announcedAnywhere());
            long start = startOfRound == Layout.NONE ? Layout.NONE : layout.startOf(shard.index(), startOfRound);
            if (start != Layout.NONE) {
                insertWindow(shard, start, layout.endOf(start), layout.endOf(start));
            }
        }

        /** Also above windows of a sequence whose rows were deleted, and which was defined anew. */
        private long aboveAll() {
            long above = Math.max(announcedAnywhere(), anyRow().first());
            for (Shard shard : shards.all()) {
                above = Math.max(above, on(shard, name, transaction -> tables.endOfWindows(transaction, name)));
            }
            return above;
        }

        private long announcedAnywhere() {
            return rows.values().stream()
                    .mapToLong(SequenceRow::announced)
                    .max()
                    .orElseThrow();
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
            requireNoneForgot(layout.startOfRoundBefore(announced));
            int inserted = completeLastRound(layout, announced);
            int missing = missingRounds();
            while (missing > 0 && announced < layout.sequence().end()) {
                // Not always where the last one ended: that was cut short if the last value was lower then.
                long start = layout.startOfRoundOf(announced);
                long end = layout.endOfRound(start);
                inserted += insertRound(layout, start, end);
                announced = end;
                missing--;
            }
            return inserted;
        }

        /** A round is announced everywhere before the next one is anywhere: who does not know of the last but one knew of it once. */
        private void requireNoneForgot(long startOfLastRound) {
            for (Shard shard : shards.all()) {
                // Read again, since other agents may have gone on while this one read one row after the other.
                if (rowOf(shard).announced() < startOfLastRound
                        && readRow(shard).stream().anyMatch(row -> row.announced() < startOfLastRound)) {
                    throw new ShardMismatchException("sequence " + name + " on " + shard
                            + " knows less than it knew before: was it restored from a backup, or is it a replica that lags? It hands out"
                            + " integers again; stop it, and see the documentation for what to delete in it");
                }
            }
        }

        /** Inserts what an agent that was killed had announced and no more. */
        private int completeLastRound(Layout layout, long announced) {
            long start = layout.startOfRoundBefore(announced);
            return start == Layout.NONE ? 0 : insertRound(layout, start, announced);
        }

        /** No window before all shards have heard of it, and no round before the one below is complete. */
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

        private int missingRounds() {
            int missing = 0;
            for (Shard shard : shards.all()) {
                int open = on(shard, name, transaction -> tables.openWindows(transaction, name));
                missing = Math.max(missing, minOpenWindows - open);
            }
            return missing;
        }

        /** Tells every shard that windows up to there may exist, or fails if one is of a newer generation. */
        private void announce(long end) {
            for (Shard shard : shards.all()) {
                int changed = on(
                        shard,
                        name,
                        transaction -> transaction.update(
                                "UPDATE " + tables.names() + " SET announced_value = ?"
                                        + " WHERE sequence_name = ? AND generation = ? AND announced_value < ?",
                                end,
                                name,
                                generation.number(),
                                end));
                if (changed == 0) {
                    SequenceRow row = readRow(shard)
                            .orElseThrow(
                                    () -> new BlockStoreException("sequence " + name + " was deleted on " + shard));
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

    /**
     * Runs this agent from time to time, at once for the first time, until it is closed.
     *
     * @param period from the end of a run to the beginning of the next; 1 second to 1 day
     * @return the runs
     * @throws NullPointerException if {@code period} is null
     * @throws IllegalArgumentException if it is out of range
     */
    public ScheduledWindowAgent schedule(Duration period) {
        return new ScheduledWindowAgent(this, period);
    }

    @Override
    public String toString() {
        return "WindowAgent{shards=" + shards.count() + ", table=" + shards.tableName() + ", minOpenWindows="
                + minOpenWindows + '}';
    }
}
