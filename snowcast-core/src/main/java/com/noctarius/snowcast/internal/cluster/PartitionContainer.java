// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.PoolSnapshot;
import com.noctarius.snowcast.internal.owner.PoolTable;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.owner.TableSnapshot;
import com.noctarius.snowcast.internal.wire.ContainerSnapshot;
import com.noctarius.snowcast.internal.wire.ContainerState;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The tables and pools of a partition, or this member's copy of them. Used on the partition's thread only. */
final class PartitionContainer {
    /** Two members that start at the same moment must not draw the same table epochs. */
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Concurrent for {@link #tableCount} only. */
    private final Map<String, NodeTable> tables = new ConcurrentHashMap<>();

    /** Tables whose node IDs are still known though they were destroyed. */
    private final Set<NodeTable> destroyed = new HashSet<>();

    private PoolTable pools = new PoolTable();

    /** Volatile for {@link #isCold} only. */
    private volatile ContainerState state = new ContainerState.Complete();

    private Contents contents = Contents.WHOLE;

    /** The changes of new tables are above that. */
    private long countedUpTo;

    private volatile NodeIdsInUse nodeIdsInUse = NodeIdsInUse.NONE;

    private final AtomicBoolean countRequested = new AtomicBoolean();

    /** How many are in use, in all; and of each sequencer, if that was asked for. */
    record NodeIdsInUse(NodeIdCounts total, Map<String, NodeIdCounts> bySequencer) {
        static final NodeIdsInUse NONE = new NodeIdsInUse(NodeIdCounts.NONE, Map.of());
    }

    /** How much of what the owner had has come. */
    enum Contents {
        /**
         * Changes only: names from before them may be missing. So it is in a member that came back and took its former place
         * while the cluster may not migrate: such a member is never sent what was there before.
         */
        CHANGES,
        /** All names that the owner had. */
        WHOLE,
        /** All names; they came by replication since the present migration began. */
        COPIED
    }

    /** Makes a container whose data was lost: it knows no name, and every name may have had holders. */
    static PartitionContainer lost(long nowMillis, long untilMillis) {
        PartitionContainer container = new PartitionContainer();
        container.state = new ContainerState.Recovering(untilMillis);
        container.pools = PoolTable.lost(nowMillis);
        return container;
    }

    /**
     * Makes that of an owner that gives up its data. Its changes shall be newer than all that it has made, though its clock
     * may have been set back: its backups have those still, and would take the new ones for old.
     */
    static PartitionContainer lost(long nowMillis, long untilMillis, PartitionContainer former) {
        PartitionContainer container = lost(nowMillis, untilMillis);
        long tables =
                former.tables.values().stream().mapToLong(NodeTable::lastChange).reduce(former.countedUpTo, Math::max);
        container.countedUpTo = Math.max(tables, former.pools.lastChange());
        container.pools.countAbove(container.countedUpTo);
        return container;
    }

    /** Makes that of a cluster that starts, or a copy that nothing has come to yet: nothing can be granted. */
    static PartitionContainer cold() {
        PartitionContainer container = new PartitionContainer();
        container.state = new ContainerState.Cold();
        return container;
    }

    /** Makes that of a replica that is sent a change before it was sent what is there. */
    static PartitionContainer ofChanges() {
        PartitionContainer container = cold();
        container.contents = Contents.CHANGES;
        return container;
    }

    Contents contents() {
        return contents;
    }

    void setContents(Contents present) {
        contents = present;
    }

    /** May be called on any thread. */
    boolean isCold() {
        return state instanceof ContainerState.Cold;
    }

    /** Ends the full restart: nothing is granted before a moment, nor below it. */
    void begin(long millis) {
        state = new ContainerState.Recovering(millis);
    }

    /** Returns the table of a name; a new one is not in the container until it is {@link #put}. */
    NodeTable table(String name) {
        NodeTable table = tables.get(name);
        if (table == null) {
            table = new NodeTable(name, newEpoch());
            if (state.nothingBeforeMillis() != 0) {
                table.recoverUntil(newEpoch(), state.nothingBeforeMillis());
            }
            table.countAbove(countedUpTo);
        }
        return table;
    }

    /** Notes a destroyed table, and lets those destroyed before forget what they need no more. */
    void destroyed(String name, long nowMillis) {
        destroyed.removeIf(former -> former.forgetDestroyed(nowMillis));
        destroyed.add(table(name));
    }

    void put(String name, NodeTable table) {
        tables.put(name, table);
    }

    /** Returns how many tables there are, also of destroyed sequencers. May be called on any thread. */
    int tableCount() {
        return tables.size();
    }

    /** Whether no {@link #count} was asked for that has not been made yet. May be called on any thread. */
    boolean requestCount() {
        return countRequested.compareAndSet(false, true);
    }

    void count(boolean named, long nowMillis, TableRules rules) {
        countRequested.set(false);
        NodeIdCounts total = NodeIdCounts.NONE;
        Map<String, NodeIdCounts> bySequencer = new HashMap<>();
        for (Map.Entry<String, NodeTable> entry : tables.entrySet()) {
            NodeIdCounts counts = entry.getValue().nodeIdCounts(nowMillis, rules);
            total = total.plus(counts);
            if (named && entry.getValue().definition() != null) {
                bySequencer.put(entry.getKey(), counts);
            }
        }
        nodeIdsInUse = new NodeIdsInUse(total, bySequencer);
    }

    /** Returns what was counted last. May be called on any thread. */
    NodeIdsInUse nodeIdsInUse() {
        return nodeIdsInUse;
    }

    void promoted(int fromReplicaIndex, UUID member, long nowMillis, TableRules rules) {
        tables.values().forEach(table -> table.promoted(fromReplicaIndex, member, newEpoch(), nowMillis, rules));
        pools.promoted(fromReplicaIndex, member, newEpoch(), nowMillis);
    }

    /** Grants nothing of names that it does not have before the wait is over: they may have had holders. */
    void recoverUnknown(long untilMillis) {
        state = state.joined(new ContainerState.Recovering(untilMillis));
    }

    ContainerSnapshot snapshotFor(int replicaIndex) {
        var ofTables = tables.values().stream().map(table -> table.snapshotFor(replicaIndex));
        return new ContainerSnapshot(state, ofTables.toList(), pools.snapshotFor(replicaIndex));
    }

    /** Returns what the owner knows, as a status shows it. */
    ContainerSnapshot status(long nowMillis, TableRules rules) {
        ContainerSnapshot all = snapshotFor(0);
        List<TableSnapshot> judged = all.tables().stream()
                .map(table -> table.judged(nowMillis, rules))
                .toList();
        return new ContainerSnapshot(all.state(), judged, all.pools());
    }

    ContainerSnapshot snapshot(List<TableSnapshot> someTables, List<PoolSnapshot> somePools) {
        return new ContainerSnapshot(state, someTables, pools.snapshot(somePools));
    }

    PoolTable pools() {
        return pools;
    }

    void join(ContainerSnapshot owners, @Nullable UUID sender, boolean isOwner) {
        state = state.joined(owners.state());
        pools.join(owners.pools(), sender, isOwner);
        for (TableSnapshot snapshot : owners.tables()) {
            tables.computeIfAbsent(snapshot.name(), free -> NodeTable.of(snapshot))
                    .join(snapshot, sender, isOwner);
        }
    }

    /** Returns the moment that no grant of any table reaches, in milliseconds since 1970. */
    long usedUntilMillis() {
        return tables.values().stream()
                .mapToLong(NodeTable::usedUntilMillis)
                .reduce(state.recoveringUntilMillis(), Math::max);
    }

    long recoveringUntilMillis() {
        return state.recoveringUntilMillis();
    }

    /** Returns a number that no other owner draws. */
    static long newEpoch() {
        return RANDOM.nextLong();
    }
}
