// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The pools of one partition, or a replica's copy of them. Not thread-safe: used on the partition's thread.
 *
 * <p>A name that has no pool was never used, if nothing was lost. Then a sequence may begin at its first value; so a
 * copy has to know whether it has all.
 */
public final class PoolTable {
    private final Map<String, IntegerPool> pools = new HashMap<>();

    /** How many pools the owner had when it last sent something: they are never removed, but by a loss. */
    private int ownersCount;

    /** When it became unknown which names were used; 0 if it is known. */
    private long lostSinceMillis;

    /** The changes of new pools are above that. */
    private long countedUpTo;

    /** What an owner sends: some of its pools, and how many it has. */
    public record Snapshot(int count, long lostSinceMillis, List<PoolSnapshot> pools) {
        public Snapshot {
            pools = List.copyOf(pools);
        }

        /** Returns what a replica is to have of it. */
        public Snapshot forReplica(int replicaIndex) {
            var ofReplica = pools.stream().map(pool -> pool.forReplica(replicaIndex));
            return new Snapshot(count, lostSinceMillis, ofReplica.toList());
        }
    }

    /** Makes the table of an owner that knows nothing of the owner before it. */
    public static PoolTable lost(long sinceMillis) {
        PoolTable table = new PoolTable();
        table.lostSinceMillis = sinceMillis;
        return table;
    }

    /** The changes of new pools shall be newer than one that this owner has made before it lost its data. */
    public void countAbove(long change) {
        countedUpTo = Math.max(countedUpTo, change);
    }

    public long lastChange() {
        return pools.values().stream().mapToLong(IntegerPool::lastChange).reduce(countedUpTo, Math::max);
    }

    /** Returns the pool of a name; a new one is not in the table until it is {@link #put}. */
    public IntegerPool pool(String name) {
        IntegerPool pool = pools.get(name);
        return pool == null ? IntegerPool.lost(name, lostSinceMillis, countedUpTo) : pool;
    }

    public void put(String name, IntegerPool pool) {
        pools.put(name, pool);
    }

    /** Called when this copy became the owner's. See {@link IntegerPool} for the arguments. */
    public void promoted(int fromReplicaIndex, UUID member, long epoch, long nowMillis) {
        if (pools.size() < ownersCount) {
            lostSinceMillis = Math.max(lostSinceMillis + 1, nowMillis);
        }
        pools.values().forEach(pool -> pool.promoted(fromReplicaIndex, member, epoch, nowMillis));
    }

    public Snapshot snapshotFor(int replicaIndex) {
        return snapshot(pools.values().stream()
                .map(pool -> pool.snapshotFor(replicaIndex))
                .toList());
    }

    public Snapshot snapshot(List<PoolSnapshot> some) {
        return new Snapshot(pools.size(), lostSinceMillis, some);
    }

    /** Joins what a member sent, null if it is not known. */
    public void join(Snapshot other, @Nullable UUID sender, boolean isOwner) {
        if (other.lostSinceMillis() > lostSinceMillis) {
            lostSinceMillis = other.lostSinceMillis();
            ownersCount = 0; // The owner knows that pools are missing: it has lost them itself.
        }
        if (other.lostSinceMillis() == lostSinceMillis) {
            ownersCount = Math.max(ownersCount, other.count());
        }
        for (PoolSnapshot snapshot : other.pools()) {
            IntegerPool copy = pools.computeIfAbsent(snapshot.name(), free -> IntegerPool.of(snapshot));
            pools.put(snapshot.name(), copy.joined(snapshot, sender, isOwner));
        }
    }
}
