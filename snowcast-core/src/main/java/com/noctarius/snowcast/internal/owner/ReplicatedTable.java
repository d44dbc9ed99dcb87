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
 * <p>Every replica has the header of the table; replicas within the backup count also have the entries of its node IDs.
 * A copy joins the snapshots of one owner: older data of that owner never replaces newer data, so the order of arrival
 * does not matter.
 */
public final class ReplicatedTable {
    /**
     * A number below every change number. After {@link #forgetNodes}, {@link #isComplete} returns false until the next
     * full snapshot.
     */
    private static final long NO_FULL_CHANGE = -1;

    private final NodeTable table;

    // See Snapshot.
    private long mergedMillis;
    private long partedMillis;

    /**
     * The last member that sent data to this copy; null if the member is unknown, or if this member made the data as
     * the owner.
     */
    private @Nullable UUID toldBy;

    /** The number of the change up to which this copy has received all entries. */
    private long lastFullChange;

    /**
     * The number of the last change that this copy received in a {@link Snapshot.Kind#INCOMPLETE} snapshot; if above
     * {@link #lastFullChange}, this copy may lack entries.
     */
    private long lastIncompleteChange;

    /** The last merge and its result, for a retry of the merge request. Only the owner that merged has it. */
    private @Nullable Merged merged;

    private record Merged(Snapshot losing, List<PossibleDuplicates> found) {}

    public ReplicatedTable(String name, long tableId) {
        this.table = new NodeTable(name, tableId);
    }

    /** Returns the table. The owner uses it for decisions, and sends the {@link #change} to the replicas. */
    public NodeTable table() {
        return table;
    }

    private Lifecycle lifecycle() {
        return table.lifecycle;
    }

    public int backupCount() {
        return lifecycle().backupCount();
    }

    // --- promotion

    /**
     * Makes this copy the owner's table. It starts over, as after a loss of data, if the sequencer exists and the copy
     * may lack entries of the former owner.
     *
     * @param newTableId random
     * @param waitEndMillis until when a table that starts over makes no grant
     * @return whether it started over
     */
    public boolean becomeOwner(int fromReplicaIndex, long newTableId, long nowMillis, long waitEndMillis) {
        toldBy = null;
        merged = null;
        boolean hasAll = isComplete() && !lifecycle().isBeyondBackups(fromReplicaIndex);
        boolean startsOver = !hasAll && lifecycle().isAlive();
        if (startsOver) {
            table.startOver(newTableId, nowMillis, waitEndMillis);
        } else {
            table.lifecycle = lifecycle().ofNewOwner(newTableId, nowMillis);
        }
        lastFullChange = lifecycle().changeNumber();
        return startsOver;
    }

    // --- snapshots for other replicas

    /** Returns whether this copy has all entries that the owner had. */
    boolean isComplete() {
        return lastFullChange >= lastIncompleteChange;
    }

    public Snapshot snapshotFor(int replicaIndex) {
        return snapshot(isComplete() ? Snapshot.Kind.FULL : Snapshot.Kind.INCOMPLETE, table.entries())
                .forReplica(replicaIndex);
    }

    /**
     * Returns a snapshot of the node IDs that a decision may have changed; a full snapshot if the table is complete and
     * has no other node IDs.
     */
    public Snapshot change(Set<Integer> nodeIds) {
        List<NodeState> changed = nodeIds.stream()
                .map(table.entries::get)
                .filter(Objects::nonNull)
                .toList();
        boolean all = isComplete() && changed.size() == table.entries.size();
        return snapshot(all ? Snapshot.Kind.FULL : Snapshot.Kind.CHANGE, changed);
    }

    private Snapshot snapshot(Snapshot.Kind kind, List<NodeState> some) {
        // Replicas need only the highest ID of a destroyed incarnation.
        List<NodeState> needed = table.isDestroyed() ? List.of() : some;
        return new Snapshot(kind, table.header(), mergedMillis, partedMillis, needed);
    }

    // --- snapshots from other replicas

    /** Throws if {@link #join} would throw. */
    void requireJoinable(Snapshot other, @Nullable UUID sender, boolean senderIsOwner) {
        if (isOther(sender)) {
            lifecycle().requireFrom(senderIsOwner, other.lifecycle());
        }
        if (!isReplacedBy(other, sender)
                && isOfOtherTable(other)
                && (isOlder(other) || other.kind() == Snapshot.Kind.CHANGE)) {
            throw new IllegalStateException(lifecycle().name() + ": change of table "
                    + other.header().tableId() + " for a copy of table " + table.tableId);
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

    /**
     * Joins a snapshot of a member (null if unknown): keeps the newest header, and the newest entry of each node ID. If
     * the snapshot is of another table or incarnation, keeps only the entries that belong to the newest header. If the
     * sender is a new owner, and the snapshot is older than this copy, the snapshot replaces the copy's data. Throws if
     * the sender of an older snapshot is neither the owner nor the last sender. Also throws if the snapshot does not
     * replace the copy's data, is of another table, and is older than this copy or of the kind {@code CHANGE}.
     *
     * <p>A new copy, which has incarnation 0 and no entries, becomes incomplete with its first snapshot of a sequencer:
     * the snapshot has another incarnation, so this method calls {@link #forgetNodes}. The copy is complete again if
     * that snapshot is full, or when it receives a full one.
     */
    public void join(Snapshot other, @Nullable UUID sender, boolean senderIsOwner) {
        requireJoinable(other, sender, senderIsOwner);
        boolean isReplaced = isReplacedBy(other, sender);
        // A new owner that did not receive a destruction undoes it. This copy, which has removed its entries, then
        // needs them again.
        boolean isUndone = table.isDestroyed() && other.lifecycle().isAlive();
        boolean isOtherIncarnation = isOfOtherTable(other)
                || isUndone
                || other.lifecycle().incarnation() != lifecycle().incarnation();
        if (isReplaced || !isOlder(other)) {
            if (isReplaced || isOtherIncarnation) {
                forgetNodes();
            }
            take(other);
            joinNodes(other);
        } else if (!isOtherIncarnation) {
            joinNodes(other);
        }
        toldBy = sender;
    }

    private boolean isOlder(Snapshot other) {
        return other.lifecycle().changeNumber() < lifecycle().changeNumber();
    }

    /** Removes all entries. Afterwards this copy counts as incomplete until it receives a full snapshot. */
    private void forgetNodes() {
        lastFullChange = NO_FULL_CHANGE;
        lastIncompleteChange = 0;
        table.entries.clear();
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
                table.put(state);
            }
        }
        if (table.isDestroyed()) {
            table.entries.clear();
        }
        long changeNumber = other.lifecycle().changeNumber();
        if (other.kind() == Snapshot.Kind.INCOMPLETE) {
            lastIncompleteChange = Math.max(lastIncompleteChange, changeNumber);
        } else if (other.kind() == Snapshot.Kind.FULL) {
            lastFullChange = Math.max(lastFullChange, changeNumber);
        }
    }

    // --- merges

    /**
     * Merges this table of the owner with the full table of the losing side of a split network: see
     * {@link NodeTableMerge}. Afterwards the owner must send the table to all replicas. If this side did not have the
     * sequencer, it continues the sequencer of the other side.
     *
     * @param apartSinceMillis a lower bound, in milliseconds since 1970, for when the sides parted; 0 if unknown. After
     *     the split, cluster time on either side, and the time in each issued ID, must be at this bound or later
     * @return the IDs that both sides may have issued: an upper bound, unless a holder's clock was set back by more
     *     than the skew while the network was split. A retried request gets the same result
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

    /** Returns a lower bound, in milliseconds since 1970, for when the sides of this table have parted. */
    private long partedMillis(Snapshot losing, long apartSinceMillis) {
        long since = apartSinceMillis;
        // A table that has lost its data since that moment lacks the grants that both sides had in common.
        if (Math.max(table.waitEndMillis, losing.header().waitEndMillis()) > since) {
            since = 0;
        }
        // If one side has merged with a third side since that moment, it also has the grants of the third side, which
        // may have parted earlier. The earlier moment may be before a merge of the other side, so check both sides
        // twice.
        for (int i = 0; i < 2; i++) {
            since = losing.mergedMillis() < since ? since : Math.min(since, losing.partedMillis());
            since = mergedMillis < since ? since : Math.min(since, partedMillis);
        }
        return since;
    }
}
