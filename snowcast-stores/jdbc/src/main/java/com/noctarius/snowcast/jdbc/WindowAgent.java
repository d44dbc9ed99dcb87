// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Inserts windows of integers into the shards, so that every shard always has open windows of every sequence. All data
 * that agents need is in the tables, so agents may run from time to time, in several processes at the same time, and
 * may be killed at any point. An agent object that runs repeatedly also notices when windows are used up fast, and then
 * inserts more than the minimum.
 *
 * <p>Every run reads all sequences of all shards. It copies the definition of a sequence from one shard to the others,
 * and moves a sequence from a former list of shards to the present list. If a shard has fewer open windows than wanted,
 * the run inserts windows into that shard, and usually into every other shard. While a shard is unreachable, a run
 * inserts only windows that all shards have announced before, and throws an exception at its end.
 *
 * <p>A shard whose server has changed, because it failed over or was restored, may have lost windows and reservations.
 * If at least half of the shards are reachable and have upper bounds of the windows, a run closes all windows of the
 * changed shard and inserts new windows above the bounds. Otherwise, or if the shard's dialect has an empty
 * {@link DialectBuilder#forUpdate}, the run throws, and an operator must call {@link JdbcSchema#recover}.
 *
 * <p>Integers never repeat, however the runs of agents overlap. An agent announces windows in every shard before it
 * inserts the first of them in any shard, so every shard has an upper bound of all windows.
 *
 * <p>Thread-safe.
 */
public final class WindowAgent {
    private static final String PURPOSE = "no windows: ";
    private static final int MAX_OPEN_WINDOWS = 1_000;

    private final JdbcShards shards;
    private final Tables tables;
    private final int minOpenWindows;
    /** The present wanted number of open windows of each sequence, by its name. */
    private final Map<String, Long> openWindows = new ConcurrentHashMap<>();

    /**
     * Makes an agent.
     *
     * @param shards all shards, in their order
     * @param minOpenWindows the minimum number of open windows of every sequence in every shard, 1 to 1,000: enough to
     *     last until the next run, even if one shard fails
     * @throws NullPointerException if {@code shards} is null
     * @throws IllegalArgumentException if {@code minOpenWindows} is out of range
     */
    public WindowAgent(JdbcShards shards, int minOpenWindows) {
        if (minOpenWindows < 1 || minOpenWindows > MAX_OPEN_WINDOWS) {
            throw new IllegalArgumentException(
                    "minOpenWindows must be 1 to " + MAX_OPEN_WINDOWS + ": " + minOpenWindows);
        }
        this.shards = shards;
        this.tables = shards.tables();
        this.minOpenWindows = minOpenWindows;
    }

    /**
     * The result of a run.
     *
     * @param sequences how many sequences there are
     * @param windows how many windows were inserted
     */
    public record TopUp(int sequences, int windows) {}

    /**
     * Brings all sequences on all shards to the wanted number of open windows. Makes several calls on the shards, one
     * after the other; each blocks at most for the {@linkplain JdbcShards.Builder#callTimeout call time-out}. An
     * interrupt does not end them.
     *
     * @return how many sequences there are, and how many windows were inserted
     * @throws ShardMismatchException if a database is not the shard that it is configured as, may lose commits, or has
     *     lost windows, or if the list of shards is not the present one
     * @throws BlockStoreException if a shard cannot be reached, or if the definitions of a sequence contradict each
     *     other. The message names each shard that cannot be reached or is rejected, with the reason. The other
     *     sequences, and the other shards as far as is safe, have usually got their windows
     */
    public TopUp topUp() {
        ShardState.All states = states();
        SortedSet<String> names = new TreeSet<>();
        states.forEach(state -> shards.call(state.shard(), state.database().known(), PURPOSE, tables::sequences)
                .forEach(row -> names.add(row.name())));
        TopUp done = topUp(states, names);
        markAdopted(states);
        return done;
    }

    /**
     * As {@link #topUp()}, for one sequence. Does not mark the list as adopted, because other sequences may not have
     * moved to the list yet.
     */
    TopUp topUp(String name) {
        return topUp(states(), List.of(name));
    }

    private TopUp topUp(ShardState.All states, Collection<String> names) {
        List<BlockStoreException> failures = new ArrayList<>();
        int windows = 0;
        for (String name : names) {
            if (states.reached().isEmpty()) {
                break;
            }
            try {
                windows += new SequenceTopUp(shards, states, name).run(leastOpen -> openWindows(name, leastOpen));
            } catch (BlockStoreException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty() || !states.away().isEmpty()) {
            throw failure(failures, states);
        }
        return new TopUp(names.size(), windows);
    }

    /** Reads the states of all shards, and recovers the shards whose server has changed. */
    private ShardState.All states() {
        ShardState.All states = withList(ShardState.All.of(shards, PURPOSE));
        long newest = states.agreed().number();
        List<ShardState> knowing = states.knowing(newest, null);
        states.forEach(state -> {
            if (state.database().hasChanged()) {
                recover(state, knowing);
            }
        });
        return states;
    }

    private void recover(ShardState state, List<ShardState> knowing) {
        ShardRecovery recovery = new ShardRecovery(shards, state);
        if (state.database().isNew() && !recovery.hasWindowsOfADump()) {
            // Nothing was lost: a script created the row, with a placeholder for the server. Windows would be those of
            // a
            // dump that was loaded into the tables of the script, because an agent replaces the placeholder first.
            recovery.withoutLoss();
        } else if (knowing.isEmpty()) {
            throw new ShardMismatchException(state.database().change(state.shard())
                    + "; no shard that can be reached has upper bounds of the windows that it may have lost. See"
                    + " the documentation, and run JdbcSchema.recover");
        } else {
            recovery.byAgent(knowing);
        }
    }

    /**
     * Writes the list into the rows of shards that store no list, if all shards are reachable; throws if a shard
     * belongs to another list.
     */
    private ShardState.All withList(ShardState.All states) {
        Generation newest = states.agreed();
        boolean isComplete = states.reached().values().stream()
                .noneMatch(state -> state.newest().databaseIds().isEmpty());
        if (isComplete || !states.away().isEmpty()) {
            return states;
        }
        new ShardList(shards, newest.windowSize()).complete();
        return ShardState.All.of(shards, PURPOSE);
    }

    /**
     * Returns the wanted number of open windows. The number doubles, up to 1,000, if a shard has fewer than half as
     * many open windows. It halves, down to the configured minimum, if every shard has at least as many.
     */
    private long openWindows(String name, long leastOpen) {
        return openWindows.merge(name, (long) minOpenWindows, (present, min) -> {
            if (2 * leastOpen < present) {
                return Math.min(2 * present, MAX_OPEN_WINDOWS);
            }
            return leastOpen < present ? present : Math.max(present / 2, min);
        });
    }

    /** Returns one exception for all failures. Its message names all shards, but only one of the sequences. */
    private static BlockStoreException failure(List<BlockStoreException> ofSequences, ShardState.All states) {
        List<BlockStoreException> all = new ArrayList<>(ofSequences);
        all.addAll(states.away().values());
        if (all.size() == 1 && states.away().isEmpty()) {
            return all.get(0);
        }
        String message = Stream.concat(ofSequences.stream().limit(1), states.away().values().stream())
                .map(Throwable::getMessage)
                .collect(Collectors.joining("; "));
        if (all.size() > 1) {
            message = all.size() + " sequences or shards failed: " + message;
        }
        if (!states.away().isEmpty() && !states.reached().isEmpty()) {
            message += "; the other shards have the windows that all shards had announced";
        }
        BlockStoreException failure = all.stream().allMatch(ShardMismatchException.class::isInstance)
                ? new ShardMismatchException(message, all.get(0))
                : new BlockStoreException(message, all.get(0));
        all.stream().skip(1).forEach(failure::addSuppressed);
        return failure;
    }

    private void markAdopted(ShardState.All states) {
        states.reached().forEach((shard, state) -> {
            if (!state.newest().isAdopted()) {
                shards.write(
                        shard,
                        state.database().known(),
                        PURPOSE,
                        "UPDATE " + tables.shard() + " SET adopted = 1 WHERE generation = ? AND {durable} AND {same}",
                        state.newest().number());
            }
        });
    }

    /**
     * Runs this agent periodically, the first time at once, until the returned object is closed.
     *
     * @param period from the end of a run to the beginning of the next; 1 second to 1 day
     * @return the object that ends the runs when it is closed
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
