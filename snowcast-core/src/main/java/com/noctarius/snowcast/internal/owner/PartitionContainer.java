// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All lease tables of a partition on one member, which is the owner or a backup. Used on the partition's thread, except
 * for the methods that any thread may call.
 *
 * <p>If no data was lost, a name without a table was never used, so that its table may begin at ID time 0. A copy must
 * therefore know whether it has all names that the owner has.
 */
public final class PartitionContainer {
    /** Concurrent only because any thread may call {@link #names}. */
    private final Map<String, ReplicatedTable> tables = new ConcurrentHashMap<>();

    /** How many names the owner had when it last sent data; only a loss of data reduces the number. */
    private int ownersNameCount;

    /** The member that sent data to this copy last; null before the first data, or if that member is unknown. */
    private @Nullable UUID toldBy;

    private Names received = Names.OF_ONE_OWNER;

    /** Which names this copy has received. */
    private enum Names {
        /**
         * All names of the present owner or of one whose names the present owner has, too; or this member has become
         * the owner. Since then this copy lacks no name, because a request that creates a name is answered only after
         * each replica has acknowledged the name.
         */
        ALL,
        /** Names of the present owner only, or none yet. They are all if they are as many as the owner has. */
        OF_ONE_OWNER,
        /**
         * Names of several owners, or from before a loss of data, and never all of one owner. Their number proves
         * nothing, because this copy may have a name that its owner lacks, and lack another name.
         */
        MIXED
    }

    /** Volatile only because any thread may call {@link #isCold} and {@link #hasLostData}. */
    private volatile ContainerState state = ContainerState.COMPLETE;

    /** Whether this copy has received all data of the owner since the present migration began. */
    private boolean isCopied;

    /**
     * Whether this container is new and must still be sent to the replicas. Volatile, because any thread reads and sets
     * this field.
     */
    private volatile boolean isUnsent;

    /** Whether this member has discarded its data. Volatile, because any thread may set it. */
    private volatile boolean isDiscarded;

    /** The change numbers of new tables begin above this number. */
    private long countedUpTo;

    /**
     * Makes a container that has lost its data: it has no tables, and any name may have had holders.
     *
     * @param lostSinceMillis see {@link ContainerState}
     * @param waitEndMillis the cluster time before which names without a table get no grants; {@link Long#MAX_VALUE} if
     *     it is not known yet, which also makes the container {@linkplain #cold cold}
     * @param former the container that the owner discards; null if it has none
     */
    public static PartitionContainer afterLoss(
            long lostSinceMillis, long waitEndMillis, @Nullable PartitionContainer former) {
        // Later than the former loss, even if the clock was set back: copies must notice this one, too.
        long since = former == null ? 0 : former.state.lostSinceMillis() + 1;
        return inPlaceOf(former, new ContainerState(waitEndMillis, Math.max(lostSinceMillis, since)));
    }

    /**
     * Makes a cold container, such as that of a copy that has received nothing yet. A cold container makes no grants.
     */
    public static PartitionContainer cold() {
        return cold(null);
    }

    /** Makes a cold container in place of a copy that is discarded; {@code former} is null if there is none. */
    public static PartitionContainer cold(@Nullable PartitionContainer former) {
        return inPlaceOf(former, ContainerState.COLD);
    }

    private static PartitionContainer inPlaceOf(@Nullable PartitionContainer former, ContainerState state) {
        PartitionContainer container = new PartitionContainer();
        container.state = state;
        if (former != null) {
            // Other replicas still have the changes of the former container. New changes are numbered above the former
            // changes. Otherwise the new changes would look older to them if the clock was set back.
            container.countedUpTo = former.tables.values().stream()
                    .mapToLong(each -> each.table().lifecycle.changeNumber())
                    .reduce(former.countedUpTo, Math::max);
        }
        return container;
    }

    public boolean isCopied() {
        return isCopied;
    }

    public void setCopied(boolean copied) {
        isCopied = copied;
    }

    /** Returns whether the owner has not sent this new container to all replicas yet. Any thread may call this. */
    public boolean isUnsent() {
        return isUnsent;
    }

    public void setUnsent(boolean unsent) {
        isUnsent = unsent;
    }

    /** Marks this container as discarded: it must be replaced before its next use. Any thread may call this. */
    public void discard() {
        isDiscarded = true;
    }

    /** Any thread may call this. */
    public boolean isDiscarded() {
        return isDiscarded;
    }

    /** Any thread may call this. */
    public boolean isCold() {
        return state.isCold();
    }

    /** Returns whether this container has lost data. Any thread may call this. */
    public boolean hasLostData() {
        return state.lostSinceMillis() != 0;
    }

    /**
     * Returns whether this container may have data from before the cluster time at which members discarded their data.
     */
    public boolean isOutdatedBy(long discardedMillis) {
        return state.lostSinceMillis() < discardedMillis;
    }

    /**
     * Ends the cold state: no grant is made before the cluster time {@code millis}, and all grants begin at that time
     * or later.
     */
    public void endCold(long millis) {
        state = new ContainerState(millis, state.lostSinceMillis());
    }

    /** Returns the table of a name; a new one is not in the container until it is {@link #put}. */
    public ReplicatedTable table(String name) {
        ReplicatedTable table = tables.get(name);
        if (table == null) {
            long tableId = newTableId();
            table = new ReplicatedTable(name, tableId);
            if (state.waitEndMillis() != 0) {
                table.table().startWait(tableId, state.waitEndMillis());
            }
            table.table().countAbove(countedUpTo);
        }
        return table;
    }

    /** Removes the entries of destroyed sequencers, except those whose holders may still release their grants. */
    public void forgetDestroyed(long nowMillis) {
        tables.values().forEach(each -> each.table().forgetDestroyed(nowMillis));
    }

    public void put(String name, ReplicatedTable table) {
        tables.put(name, table);
    }

    /** Returns whether the owner may have had names that this copy has not received. */
    public boolean lacksNames() {
        return tables.size() < ownersNameCount || received == Names.MIXED;
    }

    /** Returns the names that have a table, including destroyed sequencers. Any thread may call this. */
    public Stream<String> names() {
        return tables.keySet().stream();
    }

    /**
     * Makes this copy the owner's container. If it lacks names, this counts as a loss of data. Returns the names whose
     * tables start over, because this copy has not received all of their data. See {@link ReplicatedTable#becomeOwner}.
     */
    public List<String> becomeOwner(int fromReplicaIndex, long nowMillis, long waitEndMillis) {
        if (lacksNames()) {
            long lostSinceMillis = Math.max(state.lostSinceMillis() + 1, nowMillis);
            state = state.joined(new ContainerState(waitEndMillis, lostSinceMillis));
            ownersNameCount = 0; // The loss counts once: the next owner must not report it again.
        }
        received = Names.ALL;
        long tableId = newTableId();
        return tables.values().stream()
                .filter(each -> each.becomeOwner(fromReplicaIndex, tableId, nowMillis, waitEndMillis))
                .map(each -> each.table().lifecycle.name())
                .toList();
    }

    public ContainerSnapshot snapshotFor(int replicaIndex) {
        return snapshot(tables.values().stream()
                .map(table -> table.snapshotFor(replicaIndex))
                .toList());
    }

    public ContainerSnapshot snapshot(List<Snapshot> some) {
        return new ContainerSnapshot(state, tables.size(), some);
    }

    /**
     * Joins a snapshot of a member (null if unknown) completely, or throws and changes nothing. If a failed join
     * recorded the owner's number of names, but not the names, {@link #becomeOwner} would count the missing names as
     * lost. If the owner has lost data since this copy last received some, this copy gives up its tables: they may be
     * older than decisions that the owner has lost.
     */
    public void join(ContainerSnapshot other, @Nullable UUID sender, boolean senderIsOwner) {
        boolean hasLost = other.state().lostSinceMillis() > state.lostSinceMillis();
        boolean isOfAnother = toldBy != null && (hasLost || !toldBy.equals(sender));
        if (hasLost) {
            requireOwner(sender, senderIsOwner);
            tables.clear();
            ownersNameCount = 0; // The owner itself has lost data: names that are missing here are not a further loss.
            received = Names.OF_ONE_OWNER;
        } else {
            requireJoinable(other.tables(), sender, senderIsOwner);
            if (isOfAnother && other.state().lostSinceMillis() < state.lostSinceMillis()) {
                // This owner has names that its predecessor, which told this copy, had lost.
                received = Names.OF_ONE_OWNER;
            }
        }
        toldBy = sender;
        // A cold owner that has lost data does not know the end of the wait yet. Without its state, this copy, whose
        // tables are gone, would count all names as never used.
        state = hasLost && other.state().isCold() ? other.state() : state.joined(other.state());
        if (other.state().lostSinceMillis() == state.lostSinceMillis()) {
            ownersNameCount = Math.max(ownersNameCount, other.nameCount());
        }
        for (Snapshot snapshot : other.tables()) {
            tables.computeIfAbsent(
                            snapshot.name(),
                            name -> new ReplicatedTable(name, snapshot.header().tableId()))
                    .join(snapshot, sender, senderIsOwner);
        }
        if (other.tables().size() == other.nameCount()) {
            received = Names.ALL;
        } else if (received == Names.OF_ONE_OWNER && isOfAnother) {
            received = Names.MIXED;
        } else if (received == Names.OF_ONE_OWNER && !lacksNames()) {
            received = Names.ALL;
        }
    }

    private void requireOwner(@Nullable UUID sender, boolean senderIsOwner) {
        boolean isOther = sender != null && !sender.equals(toldBy);
        if (isOther && !senderIsOwner && !tables.isEmpty()) {
            throw new IllegalStateException("a loss of a member that is not known as the owner");
        }
    }

    private void requireJoinable(List<Snapshot> theirs, @Nullable UUID sender, boolean senderIsOwner) {
        for (Snapshot snapshot : theirs) {
            ReplicatedTable present = tables.get(snapshot.name());
            if (present != null) {
                present.requireJoinable(snapshot, sender, senderIsOwner);
            }
        }
    }

    /**
     * Returns the tables of the losing side of a split that this container of the winning side has to merge. If the
     * losing container has lost its data, they include a lost table for each further name in this container.
     */
    public List<Snapshot> tablesToMerge(ContainerSnapshot losing) {
        long waitEndMillis = losing.state().lossWaitEndMillis();
        if (waitEndMillis == 0) {
            return losing.tables();
        }
        Set<String> sent = losing.tables().stream().map(Snapshot::name).collect(Collectors.toSet());
        Stream<Snapshot> lost =
                names().filter(name -> !sent.contains(name)).map(name -> Snapshot.afterLoss(name, waitEndMillis));
        return Stream.concat(losing.tables().stream(), lost).toList();
    }

    /**
     * Makes the names without a table wait for the leases that a container of the losing side of a split has lost. All
     * other names wait when the {@link #tablesToMerge} are merged.
     */
    public void extendWait(ContainerSnapshot losing) {
        long waitEndMillis = Math.max(state.waitEndMillis(), losing.state().lossWaitEndMillis());
        state = new ContainerState(waitEndMillis, state.lostSinceMillis());
    }

    /** Returns a time, in milliseconds since 1970, by which all grants of all tables end. */
    public long usedUntilMillis(TableRules rules) {
        return tables.values().stream()
                .mapToLong(table -> table.table().usedUntilMillis(rules.lossWaitMillis()))
                .reduce(state.waitEndMillisIfKnown(), Math::max);
    }

    /** Returns a random table ID, so that no two owners choose the same one. */
    private static long newTableId() {
        return UUID.randomUUID().getLeastSignificantBits();
    }
}
