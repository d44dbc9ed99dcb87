// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Merges a table with that of the losing side of a split. Afterwards no grant begins below a grant of either side. The
 * entry of a node ID after the merge:
 *
 * <pre>
 *   granted by                                 what counts
 *   one side                                   its grant
 *   both, one grant                            the grant, up to the higher ceiling; free above it, if it was given back
 *   both, this side's above the losing side's  this side's grant
 *   both                                       one holder's newer request, or the grant that ends later, with a
 *                                              new token: no holder keeps it, and the next one begins above both
 * </pre>
 *
 * <p>A holder keeps its grant only if its token stays valid. Any other holder is refused when it renews, and attaches
 * again. This concerns the holders of the winning side. Those of the losing members, and clients whose cluster has
 * changed, attach again anyway; for them it only counts which times are used.
 *
 * <p>In the last two cases both sides may have issued the same IDs, because each may have granted the node ID several
 * times during the split. The merge reports them as {@link PossibleDuplicates}: from the moment when the sides may have
 * parted, up to the lower of both ends.
 */
final class NodeTableMerge {
    /** Represents unknown holders. */
    private static final UUID UNKNOWN = new UUID(0, 0);

    private final NodeTable mine;
    private final TableHeader header;
    private final Lifecycle theirs;
    private final List<NodeState> others;
    private final long partedMillis;
    private final List<PossibleDuplicates> found = new ArrayList<>();

    /**
     * Makes a merge with a full table; from the given moment on, each side may have made grants unknown to the other.
     */
    NodeTableMerge(NodeTable mine, Snapshot losing, long partedMillis) {
        this.mine = mine;
        this.header = losing.header();
        this.theirs = header.lifecycle();
        this.others = losing.entries();
        this.partedMillis = partedMillis;
    }

    /** Changes the table; returns the IDs that both sides may have issued. */
    List<PossibleDuplicates> merge(long nowMillis) {
        mine.nextChange();
        mine.recoveredMillis = Math.max(mine.recoveredMillis, header.recoveredMillis());
        if (theirs.definition() == null) {
            return found;
        }
        if (!mine.lifecycle.isAlive() && theirs.incarnation() > mine.lifecycle.destroyedUpTo()) {
            adopt(nowMillis);
        } else if (mine.lifecycle.isAlive() && theirs.isAlive() && isSameDefinition()) {
            uniteNodes();
        } else {
            endOther();
        }
        return found;
    }

    private boolean isSameDefinition() {
        return Objects.equals(theirs.definition(), mine.lifecycle.definition());
    }

    private Definition definition() {
        return Objects.requireNonNull(theirs.definition());
    }

    /** Continues a later incarnation of the losing side. */
    private void adopt(long nowMillis) {
        long before = mine.highestOfDestroyed;
        boolean hasDestroyedMore = isSameDefinition() && Long.compareUnsigned(before, header.highestOfDestroyed()) > 0;
        mine.highestOfDestroyed = NodeTable.maxUnsigned(before, header.highestOfDestroyed());
        mine.lifecycle = mine.lifecycle
                .countingAbove(theirs.changeNumber())
                .adopted(theirs, mine.lifecycle.destroyedUpTo())
                .takenOver(mine.tableId, nowMillis);
        mine.usedUpTo = header.usedUpTo();
        mine.entries.clear();
        others.forEach(mine.entries::put);
        if (hasDestroyedMore && theirs.isAlive()) {
            // Holders of an incarnation that this side destroyed may not know it yet, and continue up to their
            // ceilings.
            countAllAsUsed(definition().layout().timestampValue(before) + 1);
        }
    }

    /** Merges with an incarnation other than the present one, or with one that either side has destroyed. */
    private void endOther() {
        NodeTable other = NodeTable.of(header, others);
        long end = other.end(definition());
        // A side that has destroyed an incarnation has removed its node IDs: all of them count as granted.
        report(-1, isSameDefinition() ? Math.min(end, mine.end(definition())) : end);
        mine.highestOfDestroyed = NodeTable.maxUnsigned(mine.highestOfDestroyed, header.highestOfDestroyed());
        if (!mine.lifecycle.isAlive() || !isSameDefinition()) {
            mine.highestOfDestroyed = NodeTable.maxUnsigned(mine.highestOfDestroyed, other.highestPossibleId());
        }
        if (!mine.lifecycle.isAlive()) {
            mine.entries.clear(); // A detach on this side says nothing about the other's IDs.
        } else if (isSameDefinition()) {
            countAllAsUsed(end);
        }
    }

    /** Marks each node ID as used, which a merge with a third side needs, too. */
    private void countAllAsUsed(long end) {
        for (int node = 0; node < definition().nodeIdCount(); node++) {
            NodeState used = NodeState.used(node, mine.newToken(UNKNOWN), end);
            mine.entries.put(united(mine.entries.get(node), used));
        }
    }

    private void uniteNodes() {
        mine.highestOfDestroyed = NodeTable.maxUnsigned(mine.highestOfDestroyed, header.highestOfDestroyed());
        mine.usedUpTo = Math.max(mine.usedUpTo, header.usedUpTo());
        for (NodeState other : others) {
            NodeState state = mine.entries.get(other.logicalNodeId());
            if (state != null && !state.isSameGrantAs(other)) {
                report(other.logicalNodeId(), sharedEnd(state, other));
            }
            mine.entries.put(united(state, other));
        }
    }

    /** Returns the end of the ID time that the holders of two grants of a node ID may have in common. */
    private static long sharedEnd(NodeState one, NodeState other) {
        long end = Math.min(one.nextFloor(), other.nextFloor());
        // A holder seals each grant before the next: it can share IDs only with earlier holders of the node ID.
        return one.holder().equals(other.holder()) ? Math.min(end, Math.max(one.floor(), other.floor())) : end;
    }

    /** Returns the entry of a node ID after the merge. */
    private NodeState united(@Nullable NodeState state, NodeState other) {
        if (state == null) {
            return other.at(mine.nextChange());
        }
        if (state.isSameGrantAs(other)) {
            long end = Math.max(state.nextFloor(), other.nextFloor());
            boolean isHeld = state.leased() && other.leased();
            return isHeld ? state.renewed(mine.nextChange(), end) : state.released(mine.nextChange(), end);
        }
        boolean isOneHolder = state.holder().equals(other.holder());
        boolean isMine =
                isOneHolder ? state.requestNumber() >= other.requestNumber() : state.nextFloor() >= other.nextFloor();
        NodeState kept = isMine ? state : other;
        NodeState ended = isMine ? other : state;
        boolean isSealed = isOneHolder && ended.requestNumber() != 0 && ended.requestNumber() < kept.requestNumber();
        long floor = isSealed ? ended.floor() : ended.nextFloor();
        return isMine && floor <= state.floor() ? state : kept.above(floor, mine.newToken(kept.holder()));
    }

    private void report(int logicalNodeId, long end) {
        long offset = definition().epochOffset();
        long from = Math.max(partedMillis - offset, 0);
        if (from < end) {
            found.add(new PossibleDuplicates(
                    theirs.name(),
                    logicalNodeId,
                    Instant.ofEpochMilli(from + offset),
                    Instant.ofEpochMilli(end + offset)));
        }
    }
}
