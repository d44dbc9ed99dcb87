// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The merge of two tables of one sequencer after a split, one node ID after the other. What counts of a node ID then:
 *
 * <pre>
 *   given since the split by    what counts
 *   this side only              this side's grant
 *   the losing side only        the losing side's, under a new token: its holder attaches again
 *   both, one grant             the grant, up to the higher ceiling; free, if it was given back
 *   both, two grants            this side's, or one holder's newer request; what follows begins above both
 * </pre>
 *
 * <p>In the last two cases both sides may have issued the same IDs, which are {@link PossibleDuplicates}.
 */
final class NodeTableMerge {
    private final Snapshot losing;
    private final OwnerHistory owners;
    private final Function<UUID, Token> newToken;
    private final long lastSharedChange;
    private final boolean hasLosingGiven;
    final List<PossibleDuplicates> found = new ArrayList<>();

    /** The lowest ID time that holders were given on the losing side since the split; {@code MAX_VALUE} if none was. */
    long lowestIdTime = Long.MAX_VALUE;

    /** Merges a full table with the same definition. Each new token counts a change. */
    NodeTableMerge(Snapshot losing, OwnerHistory owners, Function<UUID, Token> newToken) {
        this.losing = losing;
        this.owners = owners;
        this.newToken = newToken;
        this.lastSharedChange = owners.lastSharedChange(losing.owners());
        this.hasLosingGiven = !losing.owners().gaveNothingUnknownTo(owners);
    }

    /** Unites a table with the full one of the losing side; returns what both gave that the other does not know. */
    static List<PossibleDuplicates> merge(NodeTable mine, Snapshot losing, long nowMillis) {
        OwnerHistory theirs = losing.owners();
        boolean isOneSided = mine.owners.gaveNothingUnknownTo(theirs) || theirs.gaveNothingUnknownTo(mine.owners);
        List<PossibleDuplicates> found = unite(mine, losing, nowMillis);
        mine.owners = mine.owners.unacknowledged();
        return isOneSided ? List.of() : found;
    }

    /** Unites a table with the full one of the losing side; returns what both sides may have issued. */
    private static List<PossibleDuplicates> unite(NodeTable mine, Snapshot losing, long nowMillis) {
        Lifecycle theirs = losing.lifecycle();
        mine.nextChange();
        mine.unknownBeforeMillis = Math.max(mine.unknownBeforeMillis, losing.unknownBeforeMillis());
        if (theirs.definition() == null) {
            return List.of();
        }
        boolean isSameDefinition = theirs.definition().equals(mine.lifecycle.definition());
        boolean hasDestroyedMore =
                isSameDefinition && Long.compareUnsigned(mine.highestOfDestroyed, losing.highestOfDestroyed()) > 0;
        mine.highestOfDestroyed = maxUnsigned(mine.highestOfDestroyed, losing.highestOfDestroyed());
        if (!mine.lifecycle.isAlive() && theirs.incarnation() > mine.lifecycle.destroyedUpTo()) {
            long lowestHere = mine.owners.lowestOfPresent();
            mine.adopt(losing, nowMillis);
            Definition adopted = mine.definition();
            if (hasDestroyedMore && adopted != null) {
                // Holders of what this side destroyed may not know it yet, and go on up to their ceilings.
                long end = adopted.layout().timestampValue(mine.highestOfDestroyed) + 1;
                countAllAsUsed(mine, adopted, Math.min(lowestHere, end), end);
            }
            return List.of();
        }
        NodeTable other = NodeTable.of(losing);
        if (!mine.lifecycle.isAlive() || !isSameDefinition) {
            mine.highestOfDestroyed = maxUnsigned(mine.highestOfDestroyed, other.highestPossibleId());
        }
        if (!mine.lifecycle.isAlive()) {
            mine.entries.clear(); // A detach on this side says nothing of what the other issued.
        }
        if (other.isDestroyed() || (isSameDefinition && mine.isDestroyed())) {
            return ofForgotten(mine, other, isSameDefinition);
        }
        if (!isSameDefinition) {
            return allOf(losing, mine.owners);
        }
        mine.usedUpTo = Math.max(mine.usedUpTo, losing.usedUpTo());
        NodeTableMerge merge = new NodeTableMerge(losing, mine.owners, mine::newToken);
        for (NodeState state : losing.entries()) {
            NodeState united = merge.uniteNode(mine.entries.get(state.logicalNodeId()), state);
            if (united != null) {
                mine.entries.put(united);
            }
        }
        mine.owners = mine.owners.gave(merge.lowestIdTime); // A third side may have issued the same.
        return merge.found;
    }

    static long maxUnsigned(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? b : a;
    }

    /** Returns all that a losing side with another definition gave since the split, as one finding. */
    static List<PossibleDuplicates> allOf(Snapshot losing, OwnerHistory owners) {
        long from = Long.MAX_VALUE;
        long to = 0;
        for (NodeState state : losing.entries()) {
            from = Math.min(from, losing.owners().lowestSinceSplit(state.lowestIdTime(), owners));
            to = Math.max(to, state.nextFloor());
        }
        return ofAllNodes(losing.lifecycle(), from, to);
    }

    /**
     * Merges with a side that has destroyed the incarnation, as this one or the other has: it has forgotten its node
     * IDs, so it counts as having granted all of them since the split, up to its end.
     */
    static List<PossibleDuplicates> ofForgotten(NodeTable mine, NodeTable other, boolean isSameDefinition) {
        Definition definition = Objects.requireNonNull(other.lifecycle.definition());
        long lowestOfOther = other.owners.lowestOfPresent();
        long lowestSinceSplit = other.owners.lowestSinceSplit(lowestOfOther, mine.owners);
        long end = other.end(definition);
        if (!isSameDefinition) {
            return ofAllNodes(other.lifecycle, lowestSinceSplit, end);
        }
        long from = mine.owners.lowestShared(mine.owners.lowestOfPresent(), other.owners, lowestOfOther);
        List<PossibleDuplicates> found = ofAllNodes(other.lifecycle, from, Math.min(end, mine.end(definition)));
        mine.owners = mine.owners.gave(lowestSinceSplit); // A third side may have issued the same.
        if (mine.lifecycle.isAlive() && lowestSinceSplit < end) {
            countAllAsUsed(mine, definition, lowestSinceSplit, end);
        }
        return found;
    }

    private static List<PossibleDuplicates> ofAllNodes(Lifecycle lifecycle, long from, long to) {
        return from < to ? List.of(duplicates(lifecycle, -1, from, to)) : List.of();
    }

    /** Of each node ID, also for a merge with a third side; a holder of one that ends in that time attaches again. */
    private static void countAllAsUsed(NodeTable table, Definition definition, long from, long end) {
        UUID unknown = UUID.randomUUID();
        for (int node = 0; node < definition.nodeIdCount(); node++) {
            NodeState state = table.entries.get(node);
            Token token = table.newToken(state == null ? unknown : state.holder());
            if (state == null) {
                table.entries.put(NodeState.used(node, token, from, end));
            } else {
                NodeState raised = state.withFloorAtLeast(token.sequence(), end).withLowestIdTimeAtMost(from);
                table.entries.put(state.ceiling() < end ? raised.withToken(token) : raised);
            }
        }
    }

    private static PossibleDuplicates duplicates(Lifecycle lifecycle, int logicalNodeId, long from, long to) {
        long offset = Objects.requireNonNull(lifecycle.definition()).epochOffset();
        return new PossibleDuplicates(
                lifecycle.name(),
                logicalNodeId,
                Instant.ofEpochMilli(from + offset),
                Instant.ofEpochMilli(to + offset));
    }

    /** Returns what counts of a node ID from now on; null if the losing side gave nothing of it since the split. */
    @Nullable
    NodeState uniteNode(@Nullable NodeState mine, NodeState theirs) {
        if (theirs.version() <= lastSharedChange) {
            return null;
        }
        long lowestOfTheirs =
                hasLosingGiven ? losing.owners().lowestSinceSplit(theirs.lowestIdTime(), owners) : Long.MAX_VALUE;
        lowestIdTime = Math.min(lowestIdTime, lowestOfTheirs);
        NodeState united;
        if (mine == null) {
            united = theirs.withToken(newToken.apply(theirs.holder()));
        } else {
            boolean isMineOutdated = mine.version() <= lastSharedChange;
            if (!isMineOutdated) {
                addDuplicates(mine, theirs);
            }
            united = mine.isSameGrantAs(theirs) ? ofOneGrant(mine, theirs, isMineOutdated) : ofTwoGrants(mine, theirs);
            united = united.withLowestIdTimeAtMost(mine.lowestIdTime());
        }
        return united.withLowestIdTimeAtMost(lowestOfTheirs);
    }

    private void addDuplicates(NodeState mine, NodeState theirs) {
        long from = owners.lowestShared(mine.lowestIdTime(), losing.owners(), theirs.lowestIdTime());
        long to = Math.min(mine.nextFloor(), theirs.nextFloor());
        if (mine.holder().equals(theirs.holder())) {
            // A holder seals each grant before the next. So it shares IDs only with holders below the floors: of either
            // side, or of one that either was merged with before, which may not have known how long the grant lasts.
            to = Math.min(to, Math.max(mine.floor(), theirs.floor()));
        }
        if (from < to) {
            found.add(duplicates(losing.lifecycle(), mine.logicalNodeId(), from, to));
        }
    }

    /** The grant is from before the split: its holder extended it, or gave it back, on one side or the other. */
    private NodeState ofOneGrant(NodeState mine, NodeState theirs, boolean isMineOutdated) {
        long floor = Math.max(mine.floor(), theirs.floor());
        long version = newToken.apply(mine.holder()).sequence();
        if (mine.attached() && theirs.attached()) {
            return mine.extended(version, mine.lowestIdTime(), Math.max(mine.ceiling(), theirs.ceiling()))
                    .withFloorAtLeast(version, floor);
        }
        // The side that it was given back to may have known a lower ceiling, and believed no more than that.
        long nextFloor = isMineOutdated ? floor : Math.max(mine.nextFloor(), theirs.nextFloor());
        return mine.released(version, mine.lowestIdTime(), nextFloor);
    }

    private NodeState ofTwoGrants(NodeState mine, NodeState theirs) {
        boolean isOneHolder = mine.holder().equals(theirs.holder());
        boolean isMine =
                isOneHolder ? mine.requestNumber() >= theirs.requestNumber() : mine.attached() || !theirs.attached();
        NodeState kept = isMine ? mine : theirs;
        NodeState other = isMine ? theirs : mine;
        boolean isOtherSealed =
                isOneHolder && other.requestNumber() != 0 && other.requestNumber() < kept.requestNumber();
        long end = isOtherSealed ? other.floor() : other.nextFloor();
        Token token = newToken.apply(kept.holder());
        NodeState united = kept.withFloorAtLeast(token.sequence(), end);
        // Where its holder cannot extend it, it reports what it used and attaches again, above what both sides issued.
        boolean isExtensible = isMine && mine.ceiling() >= end;
        return isExtensible ? united : united.withToken(token);
    }
}
