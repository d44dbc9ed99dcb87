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
 * Merges the table of a name on the winning side of a split with the table of the losing side. Every later grant of a
 * node ID begins above all IDs that holders on either side may have issued with it. If both sides have the same living
 * sequencer, the entry of a node ID after the merge is:
 *
 * <pre>
 *   granted by                                 entry after the merge
 *   one side                                   that side's grant
 *   both, the same grant                       the grant, up to the later end; released if one side has released it
 *   both, this side's above the losing side's  this side's grant
 *   both, all other cases                      of one holder, the grant with the later request; of two holders, the
 *                                              grant that ends later. With a new token, so that no holder keeps
 *                                              it; the next grant begins above the IDs of both
 * </pre>
 *
 * <p>The merge calls no holder. The owner refuses the next renewal of a holder whose token is no longer valid, and the
 * holder attaches again. Holders on members of the losing side attach again in any case, because
 * {@code SnowcastService.reset} seals their grants. A client does not notice the merge, because both sides have the
 * same cluster ID; its holders keep a grant whose token is still valid.
 *
 * <p>In the last two cases both sides may have issued the same IDs, because each side may have granted the node ID
 * several times during the split. The merge reports these IDs as {@link PossibleDuplicates}. The reported period begins
 * when the sides may have parted. It ends with the grant that ends first, or earlier if both grants have the same
 * holder. If a side has ever destroyed an incarnation, its table may lack grants that this side made during the split.
 * In that case, or if the definitions of the sides differ, the merge reports all node IDs, up to the end that
 * {@link #lowerEnd} returns.
 */
final class NodeTableMerge {
    /** Stands for a holder that is not known. */
    private static final UUID UNKNOWN = new UUID(0, 0);

    private final NodeTable mine;
    private final NodeTable losing;
    private final Lifecycle theirs;
    private final long partedMillis;
    private final List<PossibleDuplicates> found = new ArrayList<>();

    /** Prepares a merge. From {@code partedMillis} on, each side may have made grants that the other does not know. */
    NodeTableMerge(NodeTable mine, Snapshot ofLosing, long partedMillis) {
        this.mine = mine;
        this.losing = NodeTable.of(ofLosing.header(), ofLosing.entries());
        this.theirs = losing.lifecycle;
        this.partedMillis = partedMillis;
    }

    /** Merges the tables; returns the IDs that both sides may have issued. */
    List<PossibleDuplicates> merge(long nowMillis) {
        mine.nextChange();
        mine.waitEndMillis = Math.max(mine.waitEndMillis, losing.waitEndMillis);
        if (theirs.definition() == null) {
            return found;
        }
        boolean isOneSequencer = mine.lifecycle.isAlive() && theirs.isAlive() && isSameDefinition();
        boolean hasAllGrants = isOneSequencer && !hasDestroyed();
        if (!hasAllGrants && mine.lifecycle.definition() != null) {
            report(-1, lowerEnd());
        }
        if (!mine.lifecycle.isAlive() && theirs.incarnation() > mine.lifecycle.destroyedUpTo()) {
            adopt(nowMillis);
        } else if (isOneSequencer) {
            uniteNodes(hasAllGrants);
        } else {
            endOther();
        }
        return found;
    }

    /** Returns whether one of the sides has ever destroyed an incarnation, and its grants with it. */
    private boolean hasDestroyed() {
        return mine.lifecycle.destroyedUpTo() != 0 || theirs.destroyedUpTo() != 0;
    }

    /**
     * Returns the ID time below which both sides may have issued the same IDs, with any node ID. IDs of different
     * definitions cannot be compared by their ID times, so all IDs of the losing side count in that case.
     */
    private long lowerEnd() {
        long end = losing.end(definition());
        return isSameDefinition() ? Math.min(end, mine.end(definition())) : end;
    }

    private boolean isSameDefinition() {
        return Objects.equals(theirs.definition(), mine.lifecycle.definition());
    }

    private Definition definition() {
        return Objects.requireNonNull(theirs.definition());
    }

    /**
     * Takes over the last incarnation of the losing side, even if it is destroyed. It is later than all incarnations
     * that this side destroyed.
     */
    private void adopt(long nowMillis) {
        long before = mine.highestOfDestroyed;
        boolean hasDestroyedMore = isSameDefinition() && Long.compareUnsigned(before, losing.highestOfDestroyed) > 0;
        mine.highestOfDestroyed = NodeTable.maxUnsigned(before, losing.highestOfDestroyed);
        mine.lifecycle = mine.lifecycle.adopted(theirs).ofNewOwner(mine.tableId, nowMillis);
        mine.usedUpTo = losing.usedUpTo;
        mine.entries.clear();
        losing.entries.forEach(mine.entries::put);
        if (hasDestroyedMore && theirs.isAlive()) {
            // Some holders of an incarnation that this side destroyed may continue up to their ceilings, because they
            // were not notified.
            countAllAsUsed(definition().layout().timestampValue(before) + 1);
        }
    }

    /**
     * Ends the incarnation of the losing side: it has another definition than that of this side, or one of the sides
     * has destroyed its own last incarnation.
     */
    private void endOther() {
        mine.highestOfDestroyed = NodeTable.maxUnsigned(mine.highestOfDestroyed, losing.highestOfDestroyed);
        if (!mine.lifecycle.isAlive() || !isSameDefinition()) {
            mine.highestOfDestroyed = NodeTable.maxUnsigned(mine.highestOfDestroyed, losing.highestPossibleId());
        }
        if (!mine.lifecycle.isAlive()) {
            mine.entries.clear(); // Detach requests must not lower highestOfDestroyed: it may be of the losing side.
        } else if (isSameDefinition()) {
            countAllAsUsed(losing.end(definition()));
        }
    }

    /**
     * Marks all node IDs as used below an ID time: later grants begin at or above it, and a merge with a third side
     * reports duplicates up to it.
     */
    private void countAllAsUsed(long end) {
        for (int node = 0; node < definition().nodeIdCount(); node++) {
            NodeState used = NodeState.used(node, mine.newToken(UNKNOWN), end);
            mine.put(united(mine.entries.get(node), used));
        }
    }

    private void uniteNodes(boolean hasAllGrants) {
        mine.highestOfDestroyed = NodeTable.maxUnsigned(mine.highestOfDestroyed, losing.highestOfDestroyed);
        boolean mayDifferInIncarnation = !hasAllGrants && mine.usedUpTo != losing.usedUpTo;
        mine.usedUpTo = Math.max(mine.usedUpTo, losing.usedUpTo);
        for (NodeState other : losing.entries()) {
            NodeState state = mine.entries.get(other.logicalNodeId());
            if (hasAllGrants && state != null && !state.isSameGrantAs(other)) {
                report(other.logicalNodeId(), sharedEnd(state, other));
            }
            mine.put(united(state, other));
        }
        if (mayDifferInIncarnation) {
            // The later incarnation begins above the grants of the destroyed one, which may have been grants of any
            // node ID.
            countAllAsUsed(mine.usedUpTo);
        }
    }

    /** Returns the end of the ID time in which both sides may have issued the same IDs with a node ID. */
    private static long sharedEnd(NodeState one, NodeState other) {
        long end = Math.min(one.nextFloor(), other.nextFloor());
        // A holder of both grants stops using one before it uses the other, so that it does not issue an ID twice. Only
        // earlier grants may have had two holders, and they end at or below the higher of the two floors.
        return one.holder().equals(other.holder()) ? Math.min(end, Math.max(one.floor(), other.floor())) : end;
    }

    /** Returns the entry of a node ID after the merge. */
    private NodeState united(@Nullable NodeState state, NodeState other) {
        if (state == null) {
            return other.at(mine.nextChange());
        }
        if (state.isSameGrantAs(other)) {
            long end = Math.max(state.nextFloor(), other.nextFloor());
            boolean isLeased = state.leased() && other.leased();
            return isLeased ? state.renewed(mine.nextChange(), end) : state.released(mine.nextChange(), end);
        }
        boolean isOneHolder = state.holder().equals(other.holder());
        boolean isMine =
                isOneHolder ? state.requestNumber() >= other.requestNumber() : state.nextFloor() >= other.nextFloor();
        NodeState kept = isMine ? state : other;
        NodeState ended = isMine ? other : state;
        return isMine && ended.nextFloor() <= state.floor()
                ? state
                : kept.withNewTokenAbove(ended.nextFloor(), mine.newToken(kept.holder()));
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
