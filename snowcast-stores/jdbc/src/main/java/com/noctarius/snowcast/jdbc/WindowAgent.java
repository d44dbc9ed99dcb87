// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Lays out windows, so that every shard has open windows for every sequence. An agent has no state: it may run from
 * time to time, in one process or in all of them, at the same time or not, and may be killed at any point.
 *
 * <p>Every run reads all sequences of all shards. It copies a sequence that was defined by a row in one shard to the
 * others; it moves a sequence that was laid out for a former list of shards to the present list; and where a shard has
 * fewer open windows than wanted, it adds one to every shard. A run fails while a shard cannot be reached.
 *
 * <p>Integers repeat under no interleaving of agents. Window {@code k} belongs to shard {@code k mod N}, so of two
 * agents that insert it the primary key refuses the second. And a round of windows is announced in every shard before
 * its first window is inserted in any, so every shard that is left knows an upper bound of all windows. The idea of
 * windows and a stateless agent is from "Designing a Distributed Hi-Lo Strategy" (2008), which chose the windows
 * otherwise.
 *
 * <p>Thread-safe.
 */
public final class WindowAgent {
    private static final String PURPOSE = "no windows: ";

    private final JdbcShards shards;
    private final Tables tables;
    private final int minOpenWindows;

    /**
     * Makes an agent.
     *
     * @param shards all shards, in their order
     * @param minOpenWindows how many open windows every shard is to have of every sequence, 1 to 1,000: enough to last
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
     * Brings all sequences on all shards to the wanted number of open windows. Blocks at most as long as the time-outs
     * say for each statement; an interrupt does not end it.
     *
     * @return what was done
     * @throws ShardMismatchException if a database is not the shard that it is configured as, or the list of shards is
     *     not the present one; nothing was changed
     * @throws BlockStoreException if a shard cannot be reached, which the message names, or the definitions of a
     *     sequence contradict each other; if only some sequences failed, the others have their windows
     */
    public TopUp topUp() {
        List<Generation> generations = new ArrayList<>();
        SortedSet<String> names = new TreeSet<>();
        for (Shard shard : shards.all()) {
            generations.add(
                    shards.call(shard, PURPOSE, transaction -> ShardCheck.forAgent(shard, tables, transaction)));
            shards.call(shard, PURPOSE, tables::sequences).forEach(row -> names.add(row.name()));
        }
        Generation generation = agreed(generations);
        List<BlockStoreException> failures = new ArrayList<>();
        int windows = 0;
        for (String name : names) {
            try {
                windows += new SequenceTopUp(shards, minOpenWindows, name, generation).run();
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
                shards.call(
                        shard,
                        PURPOSE,
                        transaction -> transaction.update(
                                "UPDATE " + tables.shard() + " SET adopted = 1 WHERE generation = ?",
                                generation.number()));
            }
        }
    }

    /**
     * Runs this agent periodically, the first time at once, until the returned object is closed.
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
