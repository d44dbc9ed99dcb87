// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of one partition, or a replica's copy of them. Not thread-safe: used on the partition's thread.
 *
 * <p>A name that has no counter was never used, if nothing was lost. Then a sequence may begin at its first value; so a
 * copy has to know whether it has all.
 */
public final class CounterTable {
    private final Map<String, BlockCounter> counters = new HashMap<>();

    /** How many counters the owner had when it last sent something: they are never removed, but by a loss. */
    private int ownersCount;

    /** When it became unknown which names were used; 0 if it is known. */
    private long lostSinceMillis;

    /**
     * What an owner sends.
     *
     * @param count how many counters it has
     * @param lostSinceMillis when it became unknown which names were used; 0 if it is known
     * @param counters some of them
     */
    public record Snapshot(int count, long lostSinceMillis, List<CounterSnapshot> counters) {
        /** Makes an immutable copy. */
        public Snapshot {
            counters = List.copyOf(counters);
        }

        /** Returns what a replica is to have of it. */
        public Snapshot forReplica(int replicaIndex) {
            return new Snapshot(
                    count,
                    lostSinceMillis,
                    counters.stream()
                            .map(counter -> counter.forReplica(replicaIndex))
                            .toList());
        }
    }

    /** Makes the table of an owner that knows nothing of the owner before it. */
    public static CounterTable lost(long sinceMillis) {
        CounterTable table = new CounterTable();
        table.lostSinceMillis = sinceMillis;
        return table;
    }

    /** Returns the counter of a name; a new one is not in the table until it is {@link #put}. */
    public BlockCounter counter(String name) {
        BlockCounter counter = counters.get(name);
        if (counter != null) {
            return counter;
        }
        return lostSinceMillis == 0 ? new BlockCounter(name) : BlockCounter.lost(name, lostSinceMillis);
    }

    public void put(String name, BlockCounter counter) {
        counters.put(name, counter);
    }

    /**
     * Called when this copy became the owner's.
     *
     * @param epoch random
     * @param nowMillis cluster time
     */
    public void promoted(int fromReplicaIndex, long epoch, long nowMillis) {
        if (counters.size() < ownersCount) {
            lostSinceMillis = Math.max(lostSinceMillis + 1, nowMillis);
        }
        counters.values().forEach(counter -> counter.promoted(fromReplicaIndex, epoch, nowMillis));
    }

    /** Returns a copy for a replica. */
    public Snapshot snapshotFor(int replicaIndex) {
        return snapshot(counters.values().stream()
                .map(counter -> counter.snapshotFor(replicaIndex))
                .toList());
    }

    /** Returns a copy with some counters. */
    public Snapshot snapshot(List<CounterSnapshot> some) {
        return new Snapshot(counters.size(), lostSinceMillis, some);
    }

    /** Joins what the owner sent. */
    public void join(Snapshot other) {
        if (other.lostSinceMillis() > lostSinceMillis) {
            lostSinceMillis = other.lostSinceMillis();
            ownersCount = 0; // The owner knows that counters are missing: it has lost them itself.
        }
        if (other.lostSinceMillis() == lostSinceMillis) {
            ownersCount = Math.max(ownersCount, other.count());
        }
        for (CounterSnapshot snapshot : other.counters()) {
            BlockCounter mine = counters.get(snapshot.name());
            if (mine == null) {
                counters.put(snapshot.name(), BlockCounter.of(snapshot));
            } else {
                mine.join(snapshot);
            }
        }
    }
}
