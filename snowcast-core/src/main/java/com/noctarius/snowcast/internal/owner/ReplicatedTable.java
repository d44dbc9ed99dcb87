// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A member's replica of a {@link NodeTable}, as the owner of its partition or as a copy. Not thread-safe: used on the
 * partition's thread.
 *
 * <p>Every replica has the header; those within the backup count also have the node IDs. A copy joins what one owner
 * sends and never loses newer data by that, so the order of arrival does not matter.
 */
public final class ReplicatedTable {
    /** Below every change, so that {@link #isComplete} is false. */
    private static final long NO_FULL_CHANGE = -1;

    private final NodeTable table;

    /** See {@link Snapshot#mergedMillis}. */
    private long mergedMillis;

    /** See {@link Snapshot#partedMillis}. */
    private long partedMillis;

    /** The member that sent this copy its data; null if it was this member, as the owner. */
    private @Nullable UUID toldBy;

    /** The change up to which this copy received all node IDs. */
    private long lastFullChange;

    /** The last change that this copy received without node IDs; it lacks some if this is higher than the above. */
    private long lastHeaderOnlyChange;

    /** The last merge, because its request may be retried. Only the owner that merged has it. */
    private @Nullable Merged merged;

    private record Merged(Snapshot losing, List<PossibleDuplicates> found) {}

    public ReplicatedTable(String name, long tableId) {
        this.table = new NodeTable(name, tableId);
    }

    public static ReplicatedTable of(Snapshot snapshot) {
        ReplicatedTable replica =
                new ReplicatedTable(snapshot.name(), snapshot.header().tableId());
        replica.replaceBy(snapshot);
        return replica;
    }

    /** Returns the table. The owner uses it for decisions, and sends the {@link #change} to the others. */
    public NodeTable table() {
        return table;
    }

    private Lifecycle lifecycle() {
        return table.lifecycle;
    }

    public int backupCount() {
        return lifecycle().backupCount();
    }

    // --- another owner

    /**
     * Called when this copy became the owner's: starts over if it may lack data of the former owner.
     *
     * @param newTableId random
     * @param recoveryMillis how long a sequencer that starts over waits
     * @return whether it started over
     */
    public boolean promoted(int fromReplicaIndex, long newTableId, long nowMillis, long recoveryMillis) {
        toldBy = null;
        merged = null;
        boolean hasAll = isComplete() && !lifecycle().isBeyondBackups(fromReplicaIndex);
        boolean isLost = !hasAll && lifecycle().isAlive();
        if (isLost) {
            table.recover(newTableId, nowMillis, recoveryMillis);
        } else {
            table.lifecycle = lifecycle().takenOver(newTableId, nowMillis);
        }
        lastFullChange = lifecycle().changeNumber();
        return isLost;
    }

    // --- what others are sent

    /** Returns whether this copy has all node IDs that the owner had. */
    boolean isComplete() {
        return lastFullChange >= lastHeaderOnlyChange;
    }

    public Snapshot snapshotFor(int replicaIndex) {
        return snapshot(isComplete() ? Snapshot.Kind.FULL : Snapshot.Kind.HEADER, table.entries())
                .forReplica(replicaIndex);
    }

    /** Returns a snapshot of the node IDs that a decision may have changed; full if there are no others. */
    public Snapshot change(Set<Integer> nodeIds) {
        List<NodeState> changed = nodeIds.stream()
                .map(table.entries::get)
                .filter(Objects::nonNull)
                .toList();
        boolean all = isComplete() && changed.size() == table.entries.size();
        return snapshot(all ? Snapshot.Kind.FULL : Snapshot.Kind.CHANGE, changed);
    }

    /** Returns a snapshot as a status shows it: a node ID is attached only if its holder seems alive to the owner. */
    public Snapshot status(long nowMillis, TableRules rules) {
        Snapshot all = snapshotFor(0);
        Definition definition = table.definition();
        if (definition == null) {
            return all;
        }
        long clusterNow = definition.idTime(nowMillis);
        return all.with(
                all.kind(),
                all.entries().stream()
                        .map(state -> state.judged(clusterNow, rules))
                        .toList());
    }

    private Snapshot snapshot(Snapshot.Kind kind, List<NodeState> some) {
        // Of a destroyed incarnation, only the highest ID matters.
        List<NodeState> needed = table.isDestroyed() ? List.of() : some;
        return new Snapshot(kind, table.header(), mergedMillis, partedMillis, needed);
    }

    // --- what others have sent

    /** Fails if {@link #join(Snapshot, UUID, boolean)} would. */
    void requireJoinable(Snapshot other, @Nullable UUID sender, boolean isOwner) {
        if (isOther(sender)) {
            lifecycle().requireFrom(isOwner, other.lifecycle());
        }
        if (!isReplacedBy(other, sender)) {
            requireSameTable(other);
        }
    }

    private boolean isOther(@Nullable UUID sender) {
        return sender != null && !sender.equals(toldBy);
    }

    private boolean isReplacedBy(Snapshot other, @Nullable UUID sender) {
        return isOther(sender) && isOlder(other);
    }

    private boolean isOfOtherTable(Snapshot other) {
        return other.header().tableId() != table.tableId;
    }

    private void requireSameTable(Snapshot other) {
        if (isOfOtherTable(other) && (isOlder(other) || other.kind() == Snapshot.Kind.CHANGE)) {
            throw new IllegalStateException(lifecycle().name() + ": change of table "
                    + other.header().tableId() + " for a copy of table " + table.tableId);
        }
    }

    /** Joins what a member sent, null if it is unknown. Drops other data that another member had sent. */
    public void join(Snapshot other, @Nullable UUID sender, boolean isOwner) {
        requireJoinable(other, sender, isOwner);
        if (isReplacedBy(other, sender)) {
            replaceBy(other);
        } else {
            join(other);
        }
        toldBy = sender;
    }

    /**
     * Joins the data of another replica: keeps the incarnation with the last change, and the newest state of each node
     * ID.
     */
    public void join(Snapshot other) {
        requireSameTable(other);
        // A new owner may not know of a destruction: the node IDs that were removed for it are needed again.
        boolean isUndone = table.isDestroyed() && other.lifecycle().isAlive();
        boolean isOtherIncarnation = isOfOtherTable(other)
                || isUndone
                || other.lifecycle().incarnation() != lifecycle().incarnation();
        if (isOlder(other)) {
            if (!isOtherIncarnation) {
                joinNodes(other);
            }
            return;
        }
        if (isOtherIncarnation) {
            forgetNodes();
        }
        take(other);
        joinNodes(other);
    }

    private boolean isOlder(Snapshot other) {
        return other.lifecycle().changeNumber() < lifecycle().changeNumber();
    }

    /** Removes all node IDs: this copy has none of another incarnation yet. */
    private void forgetNodes() {
        lastFullChange = NO_FULL_CHANGE;
        lastHeaderOnlyChange = 0;
        table.entries.clear();
    }

    private void replaceBy(Snapshot other) {
        forgetNodes();
        take(other);
        joinNodes(other);
    }

    private void take(Snapshot other) {
        merged = null;
        table.take(other.header());
        mergedMillis = other.mergedMillis();
        partedMillis = other.partedMillis();
    }

    private void joinNodes(Snapshot other) {
        for (NodeState state : other.entries()) {
            NodeState mine = table.entries.get(state.logicalNodeId());
            if (mine == null || mine.version() < state.version()) {
                table.entries.put(state);
            }
        }
        if (table.isDestroyed()) {
            table.entries.clear();
        }
        long changeNumber = other.lifecycle().changeNumber();
        if (other.kind() == Snapshot.Kind.HEADER) {
            lastHeaderOnlyChange = Math.max(lastHeaderOnlyChange, changeNumber);
        } else if (other.kind() == Snapshot.Kind.FULL) {
            lastFullChange = Math.max(lastFullChange, changeNumber);
        }
    }

    // --- merges

    /**
     * Merges this table, as the owner's, with the full one of the losing side of a split network: see
     * {@link NodeTableMerge}. Afterwards the owner must send it to all replicas. If this side did not have the
     * sequencer, it continues that of the other side.
     *
     * @param apartSinceMillis the earliest moment, in cluster time and in the times of IDs, from which each side may
     *     have made grants unknown to the other
     * @return the IDs that both sides may have issued: an upper bound, unless a holder's clock was set back by more
     *     than the skew or the sequencer was created again while the network was split. A retried request gets the same
     *     result
     */
    public List<PossibleDuplicates> merge(Snapshot losing, long apartSinceMillis, long nowMillis) {
        Snapshot header = losing.with(losing.kind(), List.of());
        if (merged == null || !merged.losing.equals(header)) {
            long since = partedMillis(losing, apartSinceMillis);
            merged = new Merged(header, new NodeTableMerge(table, losing, since).merge(nowMillis));
            lastFullChange = lifecycle().changeNumber();
            mergedMillis = nowMillis;
            partedMillis = since;
        }
        return merged.found;
    }

    /** Returns the earliest moment from which one of the sides may have made grants unknown to the other. */
    private long partedMillis(Snapshot losing, long apartSinceMillis) {
        long since = apartSinceMillis;
        // A table that lost its data since lacks what both sides had in common.
        if (Math.max(table.recoveredMillis, losing.header().recoveredMillis()) > since) {
            since = 0;
        }
        // If either side has merged since, the merged sides had parted before. Each moment may make the other one
        // relevant, so check each twice.
        for (int i = 0; i < 2; i++) {
            since = losing.mergedMillis() < since ? since : Math.min(since, losing.partedMillis());
            since = mergedMillis < since ? since : Math.min(since, partedMillis);
        }
        return since;
    }
}
