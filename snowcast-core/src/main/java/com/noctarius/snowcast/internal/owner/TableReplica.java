// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.Grant.Token;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** What a member knows of a sequencer's table, as its owner or as a copy; {@link NodeTable} decides as an owner. */
abstract class TableReplica extends Replica {
    TableReplica(String name, long tableEpoch) {
        super(name, tableEpoch);
    }

    final Token newToken(UUID holder) {
        return new Token(epoch, nextChange(), holder);
    }

    // --- losses

    /**
     * Starts over after a loss of data: knows no node ID, grants none before the wait is over and none below that time
     * (a holder whose clock lags goes on below it), and takes over the grants of holders that ask for an extension.
     */
    @Override
    public final void recover(long newEpoch, long nowMillis, long recoveryMillis) {
        recoverUntil(newEpoch, nowMillis + recoveryMillis);
        beginNewChanges(newEpoch, nowMillis);
    }

    public final void recoverUntil(long newEpoch, long untilMillis) {
        epoch = newEpoch;
        unknownBeforeMillis = untilMillis;
        entries.clear();
    }

    // --- what it knows

    /** Returns a copy of what operations on some node IDs may have changed. */
    final Snapshot change(Set<Integer> logicalNodeIds) {
        return change(logicalNodeIds.stream()
                .map(entries::get)
                .filter(Objects::nonNull)
                .toList());
    }

    /** Returns a copy as a status shows it: a node ID is attached only if its holder seems alive to the owner. */
    public final Snapshot status(long nowMillis, TableRules rules) {
        Snapshot all = snapshotFor(0);
        Definition definition = definition();
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

    /** Where grants of node IDs that were never granted may begin. */
    final long unusedFloor(Definition ofPresent) {
        return Math.max(usedUpTo, recoveryFloor(ofPresent));
    }

    /** Below it, holders from before a loss of data may go on. */
    final long recoveryFloor(Definition ofIncarnation) {
        return unknownBeforeMillis == 0 ? 0 : unknownBeforeMillis - ofIncarnation.epochOffset();
    }

    /**
     * Returns the moment that no grant reaches, in milliseconds since 1970.
     *
     * @param recoveryMillis how long after a moment all grants of before have ended
     */
    public final long usedUntilMillis(long recoveryMillis) {
        Definition last = lifecycle.definition();
        if (last == null) {
            return 0;
        }
        long usedUntilMillis = end(last) + last.epochOffset();
        // The number of an incarnation is when it began, or higher. A holder of a former one, which may have had
        // another
        // layout, goes on up to its ceiling if it has not heard of the destruction.
        return lifecycle.destroyedUpTo() == 0
                ? usedUntilMillis
                : Math.max(usedUntilMillis, lifecycle.incarnation() + recoveryMillis);
    }

    /** Returns the ID time that no grant of the last incarnation reaches. */
    final long end(Definition last) {
        long destroyedEnd = isDestroyed() ? last.layout().timestampValue(highestOfDestroyed) + 1 : 0;
        return Math.max(endOfGrants(last), destroyedEnd);
    }

    private long endOfGrants(Definition last) {
        return entries.values().stream().mapToLong(NodeState::nextFloor).reduce(unusedFloor(last), Math::max);
    }

    /** Returns the highest raw ID that may have been issued, as far as holders have not given grants back. */
    final long highestPossibleId() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        return highestIdBelow(endOfGrants(last), last.layout());
    }

    /**
     * Whether the incarnation began above all that former ones may have issued. Not so if a merge told of one with
     * another definition.
     */
    final boolean isAboveFormer() {
        Definition last = Objects.requireNonNull(lifecycle.definition());
        return Long.compareUnsigned(highestOfDestroyed, highestIdBelow(unusedFloor(last), last.layout())) <= 0;
    }

    private static long highestIdBelow(long idTime, SnowcastLayout layout) {
        return layout.compose(Math.max(idTime, 1) - 1, layout.logicalNodeCount() - 1, layout.idsPerMillisecond() - 1);
    }

    /** Counts the node IDs that no other holder can be granted; those of a destroyed sequencer do not count. */
    public final NodeIdCounts nodeIdCounts(long nowMillis, TableRules rules) {
        Definition present = definition();
        if (present == null) {
            return NodeIdCounts.NONE;
        }
        long clusterNow = nowMillis - present.epochOffset();
        return NodeIdCounts.of(
                entries.values(), state -> state.isHeld(clusterNow, rules), clusterNow, rules.nodeIdCount(present));
    }
}
