// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The top-up of one sequence in one run of a {@link WindowAgent}: copies the definition of the sequence to all shards,
 * moves the sequence to the present list of shards, and announces and inserts windows. While a shard is unreachable, a
 * run only inserts windows that every shard has announced before. A <em>round</em> is one window of each shard, as in
 * {@link Layout}. Not thread-safe.
 */
final class SequenceTopUp {
    /** At most this many rounds are announced in advance for each wanted open window. */
    private static final int AHEAD = 4;
    /**
     * At most 1/100 of the remaining rounds is announced in advance, because a change of the list skips the integers of
     * announced rounds that have no windows yet.
     */
    private static final int LEAST_PART_AHEAD = 100;
    /**
     * To count the open windows, a run reads only this many rounds below the highest window, because there may be
     * millions of used windows.
     */
    private static final long LOOK_BACK_ROUNDS = 4_000;

    /** How many windows a run inserts into a shard at most; the next run continues. */
    private static final int MAX_WINDOWS = 1_000;

    private final JdbcShards shards;
    private final Tables tables;
    private final ShardState.All states;
    private final String name;
    private final Generation generation;
    private final SequenceRows rows;

    /** Every shard has announced an end of at least this value. */
    private long complete;

    private int inserted;
    private final Set<Shard> stuck = new HashSet<>();
    /** The first failure, thrown at the end of the run. */
    private @Nullable BlockStoreException failure;

    SequenceTopUp(JdbcShards shards, ShardState.All states, String name) {
        this.shards = shards;
        this.tables = shards.tables();
        this.states = states;
        this.name = name;
        this.generation = states.agreed();
        this.rows = new SequenceRows(shards, states, name);
    }

    /**
     * Runs the top-up; returns how many windows were inserted. {@code wanted} is given the number of open windows of
     * the shard that has the fewest; it returns the number of open windows that every shard should have.
     */
    int run(LongUnaryOperator wanted) {
        states.forEach(state -> rows.read(state.shard()));
        if (known().isEmpty()) {
            return 0;
        }
        if (states.away().isEmpty()) {
            propagate();
            if (known().stream().anyMatch(row -> row.generation() < generation.number() || !row.hasBase())) {
                goOver();
            }
        } else if (known().size() < states.reached().size() || known().stream().anyMatch(row -> !row.hasBase())) {
            // Only an agent that reaches all shards can begin a layout.
            return 0;
        }
        rows.requireOneDefinition();
        rows.requireOneLayout();
        complete = known().stream().mapToLong(SequenceRow::complete).max().orElseThrow();
        states.forEach(this::requireNotForgotten);
        return known().isEmpty() ? 0 : layOut(wanted);
    }

    private Collection<SequenceRow> known() {
        return rows.all().values();
    }

    // --- definition

    /** Inserts the definition into each shard that lacks it. */
    private void propagate() {
        SequenceRow known = rows.any();
        rows.requireOneDefinition();
        for (Shard shard : shards.all()) {
            if (!rows.all().containsKey(shard)) {
                shards.copy(shard, states.database(shard), purpose(), known, 0);
                rows.read(shard);
            }
        }
    }

    private <T> T on(Shard shard, Shard.Work<T> work) {
        return shards.call(shard, states.database(shard), purpose(), work);
    }

    /** Writes only into the tables whose state this run has read, because other tables may have other windows. */
    private int write(Shard shard, String sql, Object... values) {
        return shards.write(shard, states.database(shard), purpose(), sql, values);
    }

    private String purpose() {
        return rows.purpose();
    }

    // --- layout

    /**
     * Ends the layout of former generations, and begins the present layout above all windows that agents of former
     * generations can have announced. First raises the generation of the sequence in every shard. From then on, agents
     * of former generations cannot announce a window in these shards, so they insert no window above the new base.
     */
    private void goOver() {
        for (Shard shard : shards.all()) {
            // Skip a shard that has a newer list, because the sequence may have been defined for that list.
            write(
                    shard,
                    "UPDATE " + tables.names() + " SET generation = ?, base_value = ?, complete_value = 0"
                            + " WHERE sequence_name = ? AND generation < ? AND NOT EXISTS (SELECT 1 FROM "
                            + tables.shard() + " g WHERE g.generation > ?) AND {durable} AND {same}",
                    generation.number(),
                    SequenceRow.NO_BASE,
                    name,
                    generation.number(),
                    generation.number());
        }
        rows.readAll();
        rows.requireOneGeneration();
        Shard first = shards.all().get(0);
        if (base().isEmpty()) {
            // Two agents may compute two bases, so both take the base that is in the first shard afterwards.
            long base = aboveAll();
            begin(first, base, base);
            rows.read(first);
        }
        long base = base().orElseThrow(() -> recoveredMeanwhile(first));
        for (Shard shard : shards.all()) {
            if (!rows.of(shard).hasBase()) {
                begin(shard, base, rows.announcedAnywhere());
            }
        }
        rows.readAll();
    }

    /** Returns the base of the layout; empty if no shard has one. */
    private Optional<Long> base() {
        return known().stream().filter(SequenceRow::hasBase).findFirst().map(SequenceRow::base);
    }

    /**
     * Writes the base of the layout into a shard. If other shards have announced windows of this layout, this shard had
     * the layout, too, and has lost it. Its windows up to the announced end may have been used, so the floor prevents
     * agents from inserting them again.
     */
    private void begin(Shard shard, long base, long announced) {
        write(
                shard,
                "UPDATE " + tables.names() + " SET base_value = ?, announced_value = GREATEST(announced_value, ?),"
                        + " floor_value = GREATEST(floor_value, ?)"
                        + " WHERE sequence_name = ? AND generation = ? AND base_value = ? AND {durable} AND {same}",
                base,
                announced,
                announced,
                name,
                generation.number(),
                SequenceRow.NO_BASE);
    }

    /**
     * Returns an integer above all announced and all inserted windows. A sequence that was deleted and defined again
     * may have windows that its row does not announce. Throws if a shard has lost data, because its lost announced end
     * may have been higher.
     */
    private long aboveAll() {
        long above = Math.max(rows.announcedAnywhere(), rows.any().first());
        for (Shard shard : shards.all()) {
            above = Math.max(
                    above,
                    on(
                            shard,
                            transaction -> ShardCheck.unforgotten(
                                    shard, tables, transaction, known -> tables.bound(known, name))));
        }
        return above;
    }

    /**
     * Throws if the shard's announced end is below the value {@code complete} of any shard. Every shard had announced
     * that value. The shard has therefore lost data without a change of its server, and may have issued integers twice
     * since. If other shards have upper bounds of the windows, closes the windows of this shard before it throws, or,
     * if the dialect has no lock on the floor, lets all stores refuse this shard.
     */
    private void requireNotForgotten(ShardState state) {
        Shard shard = state.shard();
        SequenceRow row = rows.all().get(shard);
        if (row != null
                && row.announced() < complete
                // Read again, because other agents may have changed the rows since this agent began to read them.
                && rows.present(shard).stream().anyMatch(present -> present.announced() < complete)) {
            takeBack(state);
        }
    }

    private void takeBack(ShardState state) {
        Shard shard = state.shard();
        String problem = "sequence " + name + " on " + shard
                + " has lost announced windows: was the database restored from a backup, or is it a replica that lags?"
                + " Integers may have been issued twice. ";
        List<ShardState> knowing = states.knowing(generation.number(), shard);
        if (knowing.isEmpty()) {
            throw new ShardMismatchException(problem + "See the documentation, and run JdbcSchema.recover");
        }
        ShardRecovery recovery = new ShardRecovery(shards, state);
        if (!shard.locksFloors()) {
            recovery.refuse(problem);
            throw new ShardMismatchException(
                    problem + "Stores refuse the shard now: stop all agents and stores, and run JdbcSchema.recover");
        }
        recovery.byAgent(knowing);
        throw new ShardMismatchException(problem + "Its windows were closed, and it serves again from new ones");
    }

    // --- windows

    /** How many open windows a shard has, and the round of its next window. */
    private record Present(long open, long nextRound) {
        /** Returns the last round whose window this shard needs. */
        long lastNeeded(long wanted) {
            return nextRound - 1 + Math.max(0, wanted - open);
        }
    }

    private int layOut(LongUnaryOperator wanted) {
        Layout layout = new Layout(rows.any(), generation);
        Map<Shard, Present> present = new LinkedHashMap<>();
        states.forEach(state -> present(state.shard(), layout).ifPresent(open -> present.put(state.shard(), open)));
        if (present.isEmpty()) {
            return 0;
        }
        long leastOpen =
                present.values().stream().mapToLong(Present::open).min().orElseThrow();
        long openWindows = wanted.applyAsLong(leastOpen);
        long needed = present.values().stream()
                .mapToLong(shard -> shard.lastNeeded(openWindows))
                .max()
                .orElseThrow();
        long last = Math.min(needed, layout.rounds() - 1);
        if (last >= 0 && states.away().isEmpty()) {
            unlessStuck(null, () -> announce(layout, last, openWindows));
        }
        insert(layout, present, last);
        if (failure != null) {
            throw failure;
        }
        return inserted;
    }

    /**
     * Runs a step. If the step fails, keeps the first failure for the end of the run, so that other shards get their
     * windows. For example, a paused process may hold a lock in the shard. A {@link ShardMismatchException} ends the
     * run at once.
     */
    private void unlessStuck(@Nullable Shard shard, Runnable step) {
        try {
            step.run();
        } catch (ShardMismatchException e) {
            throw e;
        } catch (BlockStoreException e) {
            failure = failure == null ? e : failure;
            if (shard != null) {
                stuck.add(shard);
            }
        }
    }

    private Optional<Present> present(Shard shard, Layout layout) {
        return Optional.ofNullable(rows.all().get(shard))
                .map(row -> on(shard, transaction -> {
                    long start = tables.lastWindow(transaction, name, row.base());
                    long open = tables.openWindows(
                            transaction, name, generation.below(Math.max(start, row.base()), LOOK_BACK_ROUNDS));
                    long next = start == Layout.NONE ? 0 : layout.roundOf(start) + 1;
                    return new Present(open, Math.max(next, layout.firstRoundFrom(shard.index(), row.floor())));
                }));
    }

    /**
     * Announces in every shard the end up to which windows may exist from now on; throws if a shard has another
     * generation. Announces more windows than are needed, so that agents can insert some while a shard is unreachable.
     * Does nothing if enough windows are announced already.
     */
    private void announce(Layout layout, long last, long openWindows) {
        long ahead = Math.min(AHEAD * openWindows, (layout.rounds() - 1 - last) / LEAST_PART_AHEAD);
        if (complete >= layout.endOfRound(last + ahead / 2)) {
            return;
        }
        long end = Math.max(rows.announcedAnywhere(), layout.endOfRound(last + ahead));
        for (Shard shard : shards.all()) {
            announce(shard, end);
        }
        for (Shard shard : shards.all()) {
            markComplete(shard, end);
        }
        complete = end;
    }

    /**
     * Writes into one shard that every shard has announced an end. Throws if this shard has lost the announcement: it
     * was recovered with the bounds of other shards, which this agent had not told yet.
     */
    private void markComplete(Shard shard, long end) {
        int changed = write(
                shard,
                "UPDATE " + tables.names() + " SET complete_value = ?"
                        + " WHERE sequence_name = ? AND generation = ? AND complete_value < ?"
                        + " AND announced_value >= ? AND {durable} AND {same}",
                end,
                name,
                generation.number(),
                end,
                end);
        if (changed == 0 && presentRow(shard).complete() < end) {
            throw recoveredMeanwhile(shard);
        }
    }

    private static ShardMismatchException recoveredMeanwhile(Shard shard) {
        return new ShardMismatchException(shard + " was recovered meanwhile: try again");
    }

    /** Returns a shard's present row; throws if it was deleted or has another generation. */
    private SequenceRow presentRow(Shard shard) {
        SequenceRow row = rows.present(shard).orElseThrow(() -> rows.deleted(shard));
        if (row.generation() != generation.number()) {
            throw rows.otherGeneration(shard, row.generation());
        }
        return row;
    }

    /**
     * Announces an end in one shard, unless the shard has announced the end already. Throws if the shard has another
     * generation. A new announcement also fails if the server has changed, because the shard may then have lost the
     * latest list.
     */
    private void announce(Shard shard, long end) {
        int changed = write(
                shard,
                "UPDATE " + tables.names() + " SET announced_value = ?"
                        + " WHERE sequence_name = ? AND generation = ? AND announced_value < ?"
                        + " AND EXISTS (SELECT 1 FROM " + tables.database() + " d WHERE d.server_id = {server})"
                        + " AND {durable} AND {same}",
                end,
                name,
                generation.number(),
                end);
        if (changed == 0 && presentRow(shard).announced() < end) {
            DatabaseState state = on(shard, transaction -> ShardCheck.database(shard, tables, transaction));
            throw state.hasChanged() ? new ShardMismatchException(state.change(shard)) : recoveredMeanwhile(shard);
        }
    }

    /** Inserts the windows up to a round, as far as all shards have announced them. */
    private void insert(Layout layout, Map<Shard, Present> present, long last) {
        for (int i = 0; i < MAX_WINDOWS; i++) {
            for (Map.Entry<Shard, Present> entry : present.entrySet()) {
                Shard shard = entry.getKey();
                long round = entry.getValue().nextRound() + i;
                long start = round > last ? Layout.NONE : layout.startOf(shard.index(), round);
                if (start != Layout.NONE && layout.endOf(start) <= complete && !stuck.contains(shard)) {
                    unlessStuck(shard, () -> inserted += insertWindow(shard, start, layout.endOf(start)));
                }
            }
        }
    }

    /**
     * Inserts a window, unless the window exists, the sequence has moved to another list, or the window begins below
     * the floor. Unless the dialect's {@code forUpdate} is empty, the statement locks the row of the sequence, so that
     * the floor does not change meanwhile.
     */
    private int insertWindow(Shard shard, long start, long end) {
        return write(
                shard,
                "INSERT INTO " + tables.windows()
                        + " (sequence_name, window_start_value, window_end_value, next_hi_value)"
                        + " SELECT n.sequence_name, ?, ?, ? FROM " + tables.names() + " n"
                        + " WHERE n.sequence_name = ? AND n.generation = ? AND n.floor_value <= ?"
                        + " AND NOT EXISTS (SELECT 1 FROM " + tables.windows() + " w"
                        + " WHERE w.sequence_name = ? AND w.window_start_value = ?) AND {durable} AND {same}{for update}",
                start,
                end,
                start,
                name,
                generation.number(),
                start,
                name,
                start);
    }
}
