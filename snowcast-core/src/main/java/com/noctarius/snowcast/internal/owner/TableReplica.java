// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a member knows of a sequencer's table, as its owner or as a copy; {@link NodeTable} decides as an owner.
 *
 * <p>Every replica knows the lifecycle; those within the sequencer's backup count also the node IDs. What one owner sends
 * is joined, and the copy only grows in knowledge: so the order in which it arrives does not matter.
 */
abstract class TableReplica {
    Lifecycle<Definition> lifecycle;
    OwnerHistory owners;

    /** Tells this table from one that it replaced after a loss of data; the epoch of new tokens. */
    long tableEpoch;

    /** No holder is attached before this cluster time: grants from before a loss of data may not have ended. Or 0. */
    long recoveringUntilMillis;

    /** Where grants of node IDs that are not in the table may begin, in ID time. */
    long floor;

    /** The highest raw ID that may have been issued in destroyed lives, unsigned. */
    long highestId;

    /** Node IDs that were granted; the others are free above the table's floor. */
    final NodeStates nodes = new NodeStates();

    /** Who told this copy what it knows; null if it was this member, as the owner. */
    private @Nullable UUID toldBy;

    /** What each holder was granted last, unless it is another's by now. */
    private Map<UUID, NodeState> lastOfHolder = new HashMap<>(2); // most tables stay small

    /** The change up to which this copy was sent all node IDs. */
    private long allSentUpTo;

    /** The last change up to which node IDs were kept from this copy; it lacks some while this is the higher one. */
    private long keptBackUpTo;

    TableReplica(String name, long tableEpoch) {
        this.lifecycle = Lifecycle.unused(name);
        this.tableEpoch = tableEpoch;
        this.owners = OwnerHistory.beginning(tableEpoch);
    }

    // --- node IDs

    final @Nullable NodeState stateOf(UUID holder) {
        return lastOfHolder.get(holder);
    }

    final void put(NodeState state) {
        NodeState before = nodes.put(state);
        if (before != null) {
            lastOfHolder.remove(before.holder(), before);
        }
        lastOfHolder.merge(
                state.holder(), state, (last, other) -> last.requestNumber() <= other.requestNumber() ? other : last);
    }

    final void clear() {
        nodes.clear();
        lastOfHolder = new HashMap<>(2); // an old one keeps its room
    }

    final long nextChange() {
        lifecycle = lifecycle.changed();
        return lifecycle.changeNumber();
    }

    final Token newToken(UUID holder) {
        return new Token(tableEpoch, nextChange(), holder);
    }

    final void takeOver(long epoch, long nowMillis) {
        lifecycle = lifecycle.takenOver(epoch, nowMillis);
        allSentUpTo = lifecycle.changeNumber();
    }

    // --- another owner

    /** Called when this copy became the owner's: starts over if it does not have all that the owner had. */
    public final void promoted(int fromReplicaIndex, UUID member, long newEpoch, long nowMillis, TableRules rules) {
        toldBy = null;
        boolean isLost = !isComplete() || lifecycle.isBeyondBackups(fromReplicaIndex);
        if (isLost && lifecycle.definition() != null) {
            recover(newEpoch, nowMillis, rules);
        } else {
            owners = owners.takenOver(newEpoch, member, lifecycle.changeNumber());
            takeOver(newEpoch, nowMillis);
        }
    }

    /**
     * Starts over after a loss of data: knows no node ID, grants none before the wait is over and none below that time
     * (a holder whose clock lags goes on below it), and takes over the grants of holders that ask for an extension.
     */
    public final void recover(long newEpoch, long nowMillis, TableRules rules) {
        recoverUntil(newEpoch, nowMillis + rules.recoveryMillis());
        takeOver(newEpoch, nowMillis);
    }

    public final void recoverUntil(long newEpoch, long untilMillis) {
        tableEpoch = newEpoch;
        owners = OwnerHistory.beginning(newEpoch); // It has nothing in common with the other side of a split any more.
        recoveringUntilMillis = untilMillis;
        clear();
    }

    /** Its changes shall be newer than one that this owner has made before it lost its data. */
    public final void countAbove(long change) {
        lifecycle = lifecycle.countingAbove(change);
    }

    public final long lastChange() {
        return lifecycle.changeNumber();
    }

    /** Goes on with what the losing side of a split knows, as an owner of this side. */
    final void adopt(TableSnapshot losing, long nowMillis) {
        Lifecycle<Definition> theirs = losing.lifecycle();
        lifecycle = lifecycle.notBefore(theirs).adopted(theirs, lifecycle.destroyedUpTo());
        owners = losing.owners().unacknowledged();
        floor = losing.floor();
        forgetLife();
        joinNodes(losing);
        takeOver(tableEpoch, nowMillis);
    }

    /** Notes who has to acknowledge what is answered from now on, also if this request is repeated or refused. */
    final void answeredBy(OwnerContext owner) {
        if (lifecycle.definition() != null) {
            owners = owners.acknowledgedBy(owner.backups(), lifecycle.changeNumber());
        }
    }

    /** Notes who creates a name that is new; after a loss it may have been created before, and be known to others. */
    final void createdBy(OwnerContext owner) {
        if (lifecycle.definition() == null && recoveringUntilMillis == 0) {
            owners = owners.createdBy(owner.member()).acknowledgedBy(owner.backups(), lifecycle.changeNumber());
        }
    }

    // --- what others are sent

    /** Whether this copy has all node IDs that the owner had. */
    final boolean isComplete() {
        return allSentUpTo >= keptBackUpTo;
    }

    public final TableSnapshot snapshotFor(int replicaIndex) {
        return snapshot(isComplete() ? TableSnapshot.Kind.FULL : TableSnapshot.Kind.DEFINITION, nodes.values())
                .forReplica(replicaIndex);
    }

    /** Returns a copy of what operations on some node IDs may have changed; full if there are no others. */
    final TableSnapshot change(Set<Integer> logicalNodeIds) {
        List<NodeState> touched =
                logicalNodeIds.stream().map(nodes::get).filter(Objects::nonNull).toList();
        boolean all = isComplete() && touched.size() == nodes.size();
        return snapshot(all ? TableSnapshot.Kind.FULL : TableSnapshot.Kind.CHANGE, touched);
    }

    private TableSnapshot snapshot(TableSnapshot.Kind kind, List<NodeState> some) {
        List<NodeState> needed = isDestroyed() ? List.of() : some; // The highest ID is all that counts of it.
        return new TableSnapshot(kind, lifecycle, highestId, tableEpoch, recoveringUntilMillis, floor, owners, needed);
    }

    // --- what others have sent

    /** Joins what a member sent, null if it is not known. What another one told beyond that is given up. */
    public final void join(TableSnapshot other, @Nullable UUID sender, boolean isOwner) {
        boolean isOther = sender != null && !sender.equals(toldBy);
        if (isOther) {
            lifecycle.requireFrom(isOwner, other.lifecycle());
        }
        if (isOther && other.lifecycle().changeNumber() < lifecycle.changeNumber()) {
            replaceBy(other);
        } else {
            join(other);
        }
        toldBy = sender;
    }

    /** Joins what another replica knows: of the life that was changed last, every node ID's newest state. */
    public final void join(TableSnapshot other) {
        Lifecycle<Definition> theirs = other.lifecycle();
        if (theirs.definition() == null) {
            return;
        }
        boolean newer = theirs.changeNumber() > lifecycle.changeNumber();
        boolean isOtherEpoch = other.tableEpoch() != tableEpoch;
        if (isOtherEpoch && (other.kind() == TableSnapshot.Kind.CHANGE || !newer)) {
            throw new IllegalStateException("sequencer " + lifecycle.name() + ": change of table epoch "
                    + other.tableEpoch() + " for a copy of table epoch " + tableEpoch);
        }
        // A new owner may not have heard of a destruction: the node IDs that were forgotten for it count again.
        boolean isUndone = isDestroyed() && theirs.isAlive();
        if (isOtherEpoch || isUndone || theirs.incarnation() != lifecycle.incarnation()) {
            if (!newer) {
                return;
            }
            forgetLife();
        }
        if (newer) {
            copyHeader(other);
        }
        joinNodes(other);
    }

    /** Forgets all node IDs: of another life, this copy knows none yet. */
    private void forgetLife() {
        allSentUpTo = -1;
        keptBackUpTo = 0;
        clear();
    }

    final void replaceBy(TableSnapshot other) {
        forgetLife();
        copyHeader(other);
        joinNodes(other);
    }

    private void copyHeader(TableSnapshot other) {
        lifecycle = other.lifecycle();
        owners = other.owners();
        tableEpoch = other.tableEpoch();
        recoveringUntilMillis = other.recoveringUntilMillis();
        floor = other.floor();
        highestId = other.highestId();
    }

    private void joinNodes(TableSnapshot other) {
        for (NodeState state : other.nodes()) {
            NodeState mine = nodes.get(state.logicalNodeId());
            if (mine == null || mine.version() < state.version()) {
                put(state);
            }
        }
        if (isDestroyed()) {
            clear();
        }
        long changeNumber = other.lifecycle().changeNumber();
        switch (other.kind()) {
            case FULL -> allSentUpTo = Math.max(allSentUpTo, changeNumber);
            case DEFINITION -> keptBackUpTo = Math.max(keptBackUpTo, changeNumber);
            case CHANGE -> {}
        }
    }

    // --- what it knows

    final boolean isDestroyed() {
        return lifecycle.definition() != null && !lifecycle.isAlive();
    }

    public final @Nullable Definition definition() {
        return lifecycle.living();
    }

    public final int backupCount() {
        return lifecycle.backupCount();
    }

    /** Where grants of node IDs that were never granted may begin. */
    final long unusedFloor(Definition ofPresentLife) {
        return Math.max(floor, recoveryFloor(ofPresentLife));
    }

    /** Below it, holders from before a loss of data may go on. */
    final long recoveryFloor(Definition ofLife) {
        return recoveringUntilMillis == 0 ? 0 : recoveringUntilMillis - ofLife.epochOffset();
    }

    /** Returns the moment that no grant reaches, in milliseconds since 1970. */
    public final long usedUntilMillis() {
        Definition last = lifecycle.definition();
        return last == null ? 0 : end(last) + last.epochOffset();
    }

    /** Returns the ID time that no grant of the last life reaches. */
    final long end(Definition last) {
        long destroyedEnd = isDestroyed() ? last.layout().timestampValue(highestId) + 1 : 0;
        return Math.max(endOfGrants(last), destroyedEnd);
    }

    private long endOfGrants(Definition last) {
        return nodes.values().stream().mapToLong(NodeState::nextFloor).reduce(unusedFloor(last), Math::max);
    }

    /** Returns the highest raw ID that may have been issued, as far as holders have not given grants back. */
    final long highestPossibleId() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        long end = Math.max(endOfGrants(last), 1);
        SnowcastLayout layout = last.layout();
        return layout.compose(end - 1, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    /** Counts the node IDs that no other holder can be granted; those of a destroyed sequencer do not count. */
    public final NodeIdCounts nodeIdCounts(long nowMillis, TableRules rules) {
        Definition present = definition();
        if (present == null) {
            return NodeIdCounts.NONE;
        }
        long clusterNow = nowMillis - present.epochOffset();
        int attached = 0;
        int expiring = 0;
        for (NodeState state : nodes.values()) {
            if (state.isHeld(clusterNow, rules)) {
                attached++;
            } else if (!state.isFree(clusterNow)) {
                expiring++;
            }
        }
        int last = Math.min(rules.lastNodeId(), present.layout().logicalNodeCount() - 1);
        return new NodeIdCounts(attached, expiring, last - rules.firstNodeId() + 1);
    }
}
