// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Recovers a shard whose database failed over or was restored, and may have lost reservations and windows.
 *
 * <p>For each sequence, a recovery first raises the floor to an upper bound of the windows that ever existed. From then
 * on no agent, even one that was paused meanwhile, inserts a window below the floor into this shard. Then the recovery
 * marks the windows below the floor as used up. After all sequences, it writes the present server into the row of the
 * database, with one statement that changes nothing if the server has changed again. If the server had changed before
 * the recovery, no store reserves a block in this shard before this last step. {@link #withoutLoss} does only the last
 * step. Commits become durable in their order, so a process may be killed after any step, and steps may be repeated.
 * Not thread-safe.
 */
final class ShardRecovery {
    private static final System.Logger LOGGER = System.getLogger(ShardRecovery.class.getName());

    private final JdbcShards shards;
    private final Tables tables;
    private final Shard shard;
    private final DatabaseState changed;

    /** Makes a recovery of a shard whose state was read after the loss. */
    ShardRecovery(JdbcShards shards, ShardState state) {
        this.shards = shards;
        this.tables = shards.tables();
        this.shard = state.shard();
        this.changed = state.database();
    }

    /**
     * As {@link #byOthers}, in the run of an agent, while other agents may run. Throws if the dialect has no lock on
     * the floor: another agent, which has read the floor before, could insert a lost window afterwards.
     */
    void byAgent(List<ShardState> knowing) {
        if (!shard.locksFloors()) {
            throw new ShardMismatchException(shard + " may have lost windows, and its dialect has no forUpdate:"
                    + " stop all agents and stores, and run JdbcSchema.recover");
        }
        byOthers(knowing);
    }

    /**
     * Marks a shard that has lost data without a change of its server, so that no store reserves a block in it before
     * it is recovered. Does nothing if the shard was recovered since its state was read.
     */
    void refuse(String purpose) {
        shards.write(
                shard,
                purpose,
                "UPDATE " + tables.database() + " SET server_id = ? WHERE database_id = ? AND recoveries = ?"
                        + " AND {durable}",
                SharedLosses.RESTORED,
                changed.id(),
                changed.known().recoveries());
    }

    /**
     * Recovers a shard with the announced ends of other shards, which this method reads after the loss was detected.
     * The ends are upper bounds, because agents announce an end in every shard before any shard gets a window below
     * that end.
     *
     * @param knowing the shards that have upper bounds, at least one
     */
    void byOthers(List<ShardState> knowing) {
        Map<String, SequenceRow> known = new TreeMap<>();
        for (ShardState other : knowing) {
            // Throws if the other shard has lost data, too, because its announced ends may be too low.
            for (SequenceRow row : shards.call(
                    other.shard(),
                    other.database().known(),
                    purpose(),
                    transaction -> ShardCheck.unforgotten(other.shard(), tables, transaction, tables::sequences))) {
                known.merge(row.name(), row, (one, two) -> one.announced() >= two.announced() ? one : two);
            }
        }
        known.values().forEach(this::defineIfAbsent);
        Map<String, Long> bounds = new TreeMap<>();
        for (String name : names(known.keySet())) {
            SequenceRow row = known.get(name);
            long own = call(transaction -> tables.bound(transaction, name));
            if (row == null) {
                requireUnused(name, own);
            }
            bounds.put(name, Math.max(row == null ? 0 : row.announced(), own));
        }
        bounds.forEach((name, bound) -> close(name, bound, bound));
        claim(nowSeconds());
        LOGGER.log(
                System.Logger.Level.WARNING,
                "the windows of " + shard + " were closed, and it serves again from new ones: "
                        + (changed.hasChanged() ? changed.change(shard) : "it had lost some windows or reservations"));
    }

    /**
     * Throws if a sequence of this shard, which no other shard knows, may have had windows: all other shards have lost
     * the sequence, so nothing shows how far this shard has used it.
     */
    private void requireUnused(String name, long own) {
        boolean isLaidOut = call(transaction -> tables.sequence(transaction, name))
                .filter(row -> own > 0 || row.generation() > 0)
                .isPresent();
        if (isLaidOut) {
            throw new ShardMismatchException(shard + " cannot be recovered from the other shards, which have lost"
                    + " sequence " + name + ": call recover with the highest integer in use of every sequence");
        }
    }

    /**
     * Recovers a shard with an operator's data: for every sequence of any shard that can be reached, the highest
     * integer in use, or a higher one. A sequence that only other shards have is needed, too, because afterwards this
     * shard counts as one that knows the bounds of all sequences.
     *
     * @param states the announced ends of all other shards are announced here, too, even if they have lost data
     */
    void byHand(Map<String, Long> highest, ShardState.All states) {
        List<SequenceRow> known = states.reached().values().stream()
                .filter(other -> other.shard() != shard)
                .flatMap(other ->
                        shards.call(other.shard(), other.database().known(), purpose(), tables::sequences).stream())
                .toList();
        List<String> names = names(known.stream().map(SequenceRow::name).toList());
        if (!highest.keySet().containsAll(names)) {
            throw new IllegalArgumentException(
                    "the highest integer in use must be given for each of " + names + ": " + highest);
        }
        Map<String, Long> above = new HashMap<>();
        highest.forEach((name, integer) -> above.put(name, integer + 1)); // The highest integer may begin a window.
        Map<String, Long> announced = new HashMap<>(above);
        known.forEach(row -> announced.merge(row.name(), row.announced(), Math::max));
        requireDefined(above.keySet(), known, states.away().values());
        above.forEach((name, bound) -> close(name, bound, announced.getOrDefault(name, bound)));
        claim(nowSeconds());
    }

    /**
     * Defines the given sequences that this shard has lost and another shard has. Throws if a given sequence stays
     * undefined, because a later definition would begin at the first value again.
     */
    private void requireDefined(Set<String> names, List<SequenceRow> known, Collection<BlockStoreException> away) {
        known.stream().filter(row -> names.contains(row.name())).forEach(this::defineIfAbsent);
        for (String name : names) {
            if (call(transaction -> tables.sequence(transaction, name)).isEmpty()) {
                String undefined = "sequence " + name + " is not defined on " + shard + ": check the name."
                        + " If the shard has lost the sequence, define it with its former values, then recover the shard";
                throw away.isEmpty()
                        ? new IllegalArgumentException(undefined)
                        : new BlockStoreException(
                                undefined + "; other shards may have it: "
                                        + away.stream()
                                                .map(Throwable::getMessage)
                                                .collect(Collectors.joining("; ")),
                                away.iterator().next());
            }
        }
    }

    /** Returns whether the shard has a window of any sequence, and no agent has stored the server meanwhile. */
    boolean hasWindowsOfADump() {
        return call(transaction -> transaction.first(
                        "SELECT sequence_name FROM " + tables.windows() + " WHERE EXISTS (SELECT 1 FROM "
                                + tables.database() + " d WHERE d.server_id = ?)"
                                + transaction.dialect().firstRowOnly(),
                        row -> true,
                        LeaseTables.NEW))
                .isPresent();
    }

    /** Writes the present server into the row of the database, and leaves all windows open. */
    void withoutLoss() {
        claim(0);
    }

    /** Returns the names of all sequences of this shard and of other shards, in order. */
    private List<String> names(Collection<String> ofOthers) {
        SortedSet<String> all = new TreeSet<>(ofOthers);
        all.addAll(call(tables::namesAndOpenWindows));
        return List.copyOf(all);
    }

    /** Inserts a lost sequence into this shard with a floor, before an agent inserts the definition without a floor. */
    private void defineIfAbsent(SequenceRow row) {
        shards.copy(shard, changed.known(), purpose(), row, row.announced());
    }

    /** Marks all windows that begin below a bound as used up. Agents will insert no such window again. */
    private void close(String name, long bound, long announced) {
        write(
                "UPDATE " + tables.names() + " SET announced_value = GREATEST(announced_value, ?),"
                        + " floor_value = GREATEST(floor_value, ?) WHERE sequence_name = ? AND {durable} AND {same}",
                announced,
                bound,
                name);
        write(
                "UPDATE " + tables.windows() + " SET next_hi_value = window_end_value WHERE sequence_name = ?"
                        + " AND next_hi_value < window_end_value AND window_start_value < ? AND {durable} AND {same}",
                name,
                bound);
    }

    /**
     * Returns the least number of a recovery. A restore resets the number, so counting alone could repeat a number that
     * stores remember; then they would take the recovered shard for one that has lost its data again.
     */
    private static long nowSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(SystemClock.INSTANCE.millis());
    }

    /**
     * Writes the present server, and raises the number of recoveries to at least {@code leastNumber}. Throws if this
     * had no effect, because the server has changed again, or its process was restarted, since {@code changed} was
     * read. Does not throw if another recovery has done both meanwhile.
     */
    private void claim(long leastNumber) {
        write(
                "UPDATE " + tables.database() + " SET server_id = ?, recoveries = GREATEST(recoveries + 1, ?)"
                        + " WHERE server_id = ? AND {server} = ? AND {started} = ? AND {durable} AND database_id = ?",
                changed.present(),
                leastNumber,
                changed.known().serverId(),
                changed.present(),
                changed.started());
        DatabaseState present = call(transaction -> ShardCheck.database(shard, tables, transaction));
        if (present.hasChanged()) {
            throw new ShardMismatchException(
                    present.change(shard) + " during the recovery, so the shard is not recovered: repeat the call");
        }
        if (present.known().recoveries() <= changed.known().recoveries()) {
            throw new ShardMismatchException("the server of " + shard
                    + " was restarted during the recovery, so the shard" + " is not recovered: repeat the call");
        }
    }

    private <T> T call(Shard.Work<T> work) {
        return shards.call(shard, changed.known(), purpose(), work);
    }

    private void write(String sql, Object... values) {
        shards.write(shard, changed.known(), purpose(), sql, values);
    }

    private String purpose() {
        return shard + " was not recovered: ";
    }
}
