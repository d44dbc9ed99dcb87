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
 * The tables of a partition, or this member's copy of them. Used on the partition's thread only.
 *
 * <p>A name that is not there was never used, if nothing was lost. Then it may begin from the start; so a copy has to
 * know whether it has all names that the owner has.
 */
public final class PartitionContainer {
    /** Two members that start at the same moment must not draw the same table epochs. */
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Concurrent for {@link #tableCount} only. */
    private final Map<String, ReplicatedTable> tables = new ConcurrentHashMap<>();

    /** Tables whose node IDs are still known though they were destroyed. */
    private final Set<ReplicatedTable> destroyed = new HashSet<>();

    /** How many names the owner had when it last sent something: they are never removed, but by a loss. */
    private int ownersNameCount;

    /** Which member sent last what this copy has; null if none has yet. */
    private @Nullable UUID toldBy;

    /**
     * Whether this copy was sent all names that some owner had: since then every new one is acknowledged by it, too.
     */
    private boolean hadAllNames;

    /**
     * Whether it has names of several owners, and never had all of one: then their number says nothing. It may have one
     * that its owner does not have, and lack another.
     */
    private boolean hasMixedNames;

    /** Volatile for {@link #isCold} only. */
    private volatile ContainerState state = ContainerState.COMPLETE;

    /** Whether all that the owner had came by replication since the present migration began. */
    private boolean isCopied;

    /** The changes of new names are above that. */
    private long countedUpTo;

    private volatile NodeIdsInUse nodeIdsInUse = NodeIdsInUse.NONE;

    private final AtomicBoolean countRequested = new AtomicBoolean();

    /** How many are in use, in all; and of each sequencer, if that was asked for. */
    public record NodeIdsInUse(NodeIdCounts total, Map<String, NodeIdCounts> bySequencer) {
        static final NodeIdsInUse NONE = new NodeIdsInUse(NodeIdCounts.NONE, Map.of());
    }

    /**
     * Makes a container whose data was lost: it knows no name, and every name may have had holders.
     *
     * @param untilMillis the highest number if the container is cold, too
     * @param former what an owner gives up; null if it has nothing
     */
    public static PartitionContainer lost(long nowMillis, long untilMillis, @Nullable PartitionContainer former) {
        PartitionContainer container = new PartitionContainer();
        container.state = new ContainerState(untilMillis, nowMillis);
        if (former != null) {
            // The backups have its former changes still, and would take new ones for old after a step of the clock.
            container.countedUpTo = former.tables.values().stream()
                    .mapToLong(each -> each.table().lifecycle.changeNumber())
                    .reduce(former.countedUpTo, Math::max);
        }
        return container;
    }

    /** Makes that of a cluster that starts, or a copy that nothing has come to yet: nothing can be granted. */
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

    /** May be called on any thread. */
    public boolean isCold() {
        return state.isCold();
    }

    /** Whether data was lost, as far as is known. May be called on any thread. */
    public boolean isLost() {
        return state.lostSinceMillis() != 0;
    }

    /** Whether it may have data from before a moment in cluster time in which all data was given up. */
    public boolean isOlderThan(long givenUpMillis) {
        return state.lostSinceMillis() < givenUpMillis;
    }

    /** Ends the full restart: nothing is granted before a moment, nor below it. What was lost stays lost. */
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

    /** Notes a destroyed table, and lets those destroyed before forget what they need no more. */
    public void noteDestroyed(String name, long nowMillis) {
        destroyed.removeIf(former -> former.table().forgetDestroyed(nowMillis));
        destroyed.add(table(name));
    }

    public void put(String name, ReplicatedTable table) {
        tables.put(name, table);
    }

    /** Whether the owner had names that this copy was not sent. */
    public boolean lacksNames() {
        return tables.size() < ownersNameCount || hasMixedNames;
    }

    /** Returns how many tables there are, also of destroyed sequencers. May be called on any thread. */
    public int tableCount() {
        return tables.size();
    }

    /** Whether no {@link #count} was asked for that has not been made yet. May be called on any thread. */
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

    /** Returns what was counted last. May be called on any thread. */
    public NodeIdsInUse nodeIdsInUse() {
        return nodeIdsInUse;
    }

    /**
     * Notes that this copy became the owner's. If it lacks names, the container has lost data. Returns the names whose
     * tables begin anew, because this copy was not sent all of them. See {@link ReplicatedTable#promoted}.
     */
    public List<String> promoted(int fromReplicaIndex, long newTableId, long nowMillis, long recoveryMillis) {
        if (lacksNames()) {
            long lostSinceMillis = Math.max(state.lostSinceMillis() + 1, nowMillis);
            state = state.joined(new ContainerState(nowMillis + recoveryMillis, lostSinceMillis));
            ownersNameCount = 0; // The names are lost once: the next owner is not to lose them again.
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

    /** Returns what the owner knows, as a status shows it. */
    public ContainerSnapshot status(long nowMillis, TableRules rules) {
        return snapshot(tables.values().stream()
                .map(table -> table.status(nowMillis, rules))
                .toList());
    }

    public ContainerSnapshot snapshot(List<Snapshot> some) {
        return new ContainerSnapshot(state, tables.size(), some);
    }

    /**
     * Joins what a member sent, null if it is not known: all of it, or it fails and nothing has changed. A count of
     * names without the names, from a member that is no owner any more, would look like a loss.
     */
    public void join(ContainerSnapshot other, @Nullable UUID sender, boolean isOwner) {
        requireJoinable(other.tables(), sender, isOwner);
        boolean hasLost = other.state().lostSinceMillis() > state.lostSinceMillis();
        // What it has lost, this copy may have still.
        boolean isOfAnother = toldBy != null && (hasLost || !toldBy.equals(sender));
        toldBy = sender;
        if (hasLost) {
            ownersNameCount = 0; // The owner knows that names are missing: it has lost them itself.
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

    /** Returns a number that no other owner draws. */
    public static long newTableId() {
        return RANDOM.nextLong();
    }
}
