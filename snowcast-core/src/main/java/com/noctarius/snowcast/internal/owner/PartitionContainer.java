// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
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

/**
 * The lease tables of a partition, or this member's copy of them. Used on the partition's thread only.
 *
 * <p>If no data was lost, a name without a table was never used, so its table may begin at the start. So a copy must
 * know whether it has all names that the owner has.
 */
public final class PartitionContainer {
    /** Secure, because two members that start at the same moment must not choose the same table IDs. */
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Concurrent for {@link #tableCount} only. */
    private final Map<String, ReplicatedTable> tables = new ConcurrentHashMap<>();

    /** Destroyed tables that still have their node IDs. */
    private final Set<ReplicatedTable> destroyed = new HashSet<>();

    /** How many names the owner had when it last sent something; names are never removed, except by a loss. */
    private int ownersNameCount;

    /** The member that sent data to this copy last; null if there is none yet. */
    private @Nullable UUID toldBy;

    /**
     * Whether this copy received all names of some owner. Since then it lacks none: no request that creates a name is
     * answered before each replica has acknowledged it.
     */
    private boolean hadAllNames;

    /**
     * Whether it has names of several owners, and never had all names of one. Then the number of names says nothing: it
     * may have a name that its owner lacks, and lack another.
     */
    private boolean hasMixedNames;

    /** Volatile for {@link #isCold} only. */
    private volatile ContainerState state = ContainerState.COMPLETE;

    /** Whether replication has brought all data of the owner since the present migration began. */
    private boolean isCopied;

    /** Whether it is new and its owner has not sent it to the replicas yet. Volatile for {@link #isUnsent} only. */
    private volatile boolean isUnsent;

    /** The change numbers of new names start above this one. */
    private long countedUpTo;

    private volatile NodeIdsInUse nodeIdsInUse = NodeIdsInUse.NONE;

    private final AtomicBoolean countRequested = new AtomicBoolean();

    /** How many node IDs are in use, in total; and by sequencer, if that was requested. */
    public record NodeIdsInUse(NodeIdCounts total, Map<String, NodeIdCounts> bySequencer) {
        static final NodeIdsInUse NONE = new NodeIdsInUse(NodeIdCounts.NONE, Map.of());
    }

    /**
     * Makes a container whose data was lost: it has no names, and any name may have had holders.
     *
     * @param untilMillis the highest number if the container is cold, too
     * @param former the data that an owner gives up; null if it has none
     */
    public static PartitionContainer lost(long nowMillis, long untilMillis, @Nullable PartitionContainer former) {
        PartitionContainer container = new PartitionContainer();
        container.state = new ContainerState(untilMillis, nowMillis);
        if (former != null) {
            // The backups still have its former changes, and after a step of the clock would take new changes for old
            // ones.
            container.countedUpTo = former.tables.values().stream()
                    .mapToLong(each -> each.table().lifecycle.changeNumber())
                    .reduce(former.countedUpTo, Math::max);
        }
        return container;
    }

    /**
     * Makes the container of a cluster that starts, or a copy that has received nothing yet: it cannot grant anything.
     */
    public static PartitionContainer cold() {
        PartitionContainer container = new PartitionContainer();
        container.state = ContainerState.COLD;
        return container;
    }

    public boolean isCopied() {
        return isCopied;
    }

    public void setCopied(boolean copied) {
        isCopied = copied;
    }

    /** Returns whether the replicas do not know yet that there was no data before. May be called on any thread. */
    public boolean isUnsent() {
        return isUnsent;
    }

    public void setUnsent(boolean unsent) {
        isUnsent = unsent;
    }

    /** May be called on any thread. */
    public boolean isCold() {
        return state.isCold();
    }

    /** Returns whether data is known to be lost. May be called on any thread. */
    public boolean isLost() {
        return state.lostSinceMillis() != 0;
    }

    /** Returns whether it may have data from before a moment in cluster time at which all data was given up. */
    public boolean isOlderThan(long givenUpMillis) {
        return state.lostSinceMillis() < givenUpMillis;
    }

    /** Ends the full restart: nothing is granted before a moment, nor below it. Lost data stays lost. */
    public void endCold(long millis) {
        state = new ContainerState(millis, state.lostSinceMillis());
    }

    /** Returns the table of a name; a new one is not in the container until it is {@link #put}. */
    public ReplicatedTable table(String name) {
        ReplicatedTable table = tables.get(name);
        if (table == null) {
            long tableId = newTableId();
            table = new ReplicatedTable(name, tableId);
            if (state.recoveredMillis() != 0) {
                table.table().recoverUntil(tableId, state.recoveredMillis());
            }
            table.table().countAbove(countedUpTo);
        }
        return table;
    }

    /** Notes a destroyed table, and makes tables destroyed earlier remove data that they no longer need. */
    public void noteDestroyed(String name, long nowMillis) {
        destroyed.removeIf(former -> former.table().forgetDestroyed(nowMillis));
        destroyed.add(table(name));
    }

    public void put(String name, ReplicatedTable table) {
        tables.put(name, table);
    }

    /** Returns whether the owner had names that this copy has not received. */
    public boolean lacksNames() {
        return tables.size() < ownersNameCount || hasMixedNames;
    }

    /** Returns how many tables there are, including those of destroyed sequencers. May be called on any thread. */
    public int tableCount() {
        return tables.size();
    }

    /** Requests a {@link #count}; returns false if one was already pending. May be called on any thread. */
    public boolean requestCount() {
        return countRequested.compareAndSet(false, true);
    }

    public void count(boolean named, long nowMillis, TableRules rules) {
        countRequested.set(false);
        NodeIdCounts total = NodeIdCounts.NONE;
        Map<String, NodeIdCounts> bySequencer = new HashMap<>();
        for (Map.Entry<String, ReplicatedTable> entry : tables.entrySet()) {
            NodeIdCounts counts = entry.getValue().table().nodeIdCounts(nowMillis, rules);
            total = total.plus(counts);
            if (named && entry.getValue().table().definition() != null) {
                bySequencer.put(entry.getKey(), counts);
            }
        }
        nodeIdsInUse = new NodeIdsInUse(total, bySequencer);
    }

    /** Returns the last counts. May be called on any thread. */
    public NodeIdsInUse nodeIdsInUse() {
        return nodeIdsInUse;
    }

    /**
     * Notes that this copy became the owner's. If it lacks names, the container has lost data. Returns the names whose
     * tables start over, because this copy has not received all of their data. See {@link ReplicatedTable#promoted}.
     */
    public List<String> promoted(int fromReplicaIndex, long newTableId, long nowMillis, long recoveryMillis) {
        if (lacksNames()) {
            long lostSinceMillis = Math.max(state.lostSinceMillis() + 1, nowMillis);
            state = state.joined(new ContainerState(nowMillis + recoveryMillis, lostSinceMillis));
            ownersNameCount = 0; // The loss counts once: the next owner must not report it again.
        }
        hadAllNames = true;
        hasMixedNames = false;
        return tables.values().stream()
                .filter(each -> each.promoted(fromReplicaIndex, newTableId, nowMillis, recoveryMillis))
                .map(each -> each.table().lifecycle.name())
                .toList();
    }

    public ContainerSnapshot snapshotFor(int replicaIndex) {
        return snapshot(tables.values().stream()
                .map(table -> table.snapshotFor(replicaIndex))
                .toList());
    }

    /** Returns the owner's data, as a status shows it. */
    public ContainerSnapshot status(long nowMillis, TableRules rules) {
        return snapshot(tables.values().stream()
                .map(table -> table.status(nowMillis, rules))
                .toList());
    }

    public ContainerSnapshot snapshot(List<Snapshot> some) {
        return new ContainerSnapshot(state, tables.size(), some);
    }

    /**
     * Joins what a member sent, null if the member is unknown: joins all of it, or fails and changes nothing. A count
     * of names without the names, from a member that is no longer an owner, would look like a loss.
     */
    public void join(ContainerSnapshot other, @Nullable UUID sender, boolean isOwner) {
        requireJoinable(other.tables(), sender, isOwner);
        boolean hasLost = other.state().lostSinceMillis() > state.lostSinceMillis();
        // This copy may still have data that the owner has lost.
        boolean isOfAnother = toldBy != null && (hasLost || !toldBy.equals(sender));
        toldBy = sender;
        if (hasLost) {
            ownersNameCount = 0; // The owner lost names itself, so it knows that they are missing.
        }
        state = state.joined(other.state());
        if (other.state().lostSinceMillis() == state.lostSinceMillis()) {
            ownersNameCount = Math.max(ownersNameCount, other.nameCount());
        }
        for (Snapshot snapshot : other.tables()) {
            tables.computeIfAbsent(
                            snapshot.name(),
                            name -> new ReplicatedTable(name, snapshot.header().tableId()))
                    .join(snapshot, sender, isOwner);
        }
        noteNames(other.tables().size() == other.nameCount(), isOfAnother);
    }

    private void noteNames(boolean areAll, boolean areOfAnother) {
        hasMixedNames = !areAll && !hadAllNames && (hasMixedNames || areOfAnother);
        hadAllNames |= areAll || (!hasMixedNames && tables.size() >= ownersNameCount);
    }

    private void requireJoinable(List<Snapshot> theirs, @Nullable UUID sender, boolean isOwner) {
        for (Snapshot snapshot : theirs) {
            ReplicatedTable present = tables.get(snapshot.name());
            if (present != null) {
                present.requireJoinable(snapshot, sender, isOwner);
            }
        }
    }

    /** Returns the moment that no grant of any table reaches, in milliseconds since 1970. */
    public long usedUntilMillis(TableRules rules) {
        return tables.values().stream()
                .mapToLong(table -> table.table().usedUntilMillis(rules.recoveryMillis()))
                .reduce(state.recoveredMillisIfKnown(), Math::max);
    }

    public long recoveredMillisIfKnown() {
        return state.recoveredMillisIfKnown();
    }

    /** Returns a random number that no other owner chooses. */
    public static long newTableId() {
        return RANDOM.nextLong();
    }
}
