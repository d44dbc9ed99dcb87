// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.store.BlockStoreException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Does what a pool does, and counts the rare states that it is in by what it answers and becomes. */
public final class PoolWatch {
    private final Reached<PoolState> reached;

    public PoolWatch(Reached<PoolState> reached) {
        this.reached = reached;
    }

    private void addIf(boolean isReached, PoolState state) {
        reached.addIf(isReached, state);
    }

    public Decision<Optional<Reservation>, Snapshot<PoolDefinition, RememberedReply>> reserve(
            IntegerPool pool, ReserveRequest request, OwnerContext owner) {
        Snapshot<PoolDefinition, RememberedReply> before = pool.snapshotFor(0);
        Decision<Optional<Reservation>, Snapshot<PoolDefinition, RememberedReply>> decision;
        try {
            decision = pool.reserve(request, owner);
        } catch (SnowcastException | BlockStoreException e) {
            addIf(e instanceof BlockStoreException, PoolState.RESERVE_OF_UNKNOWN_LIFE);
            addIf(e instanceof SnowcastStateException, PoolState.LATE_REQUEST);
            boolean isStopped = e instanceof SnowcastIllegalStateException && before.unknownBeforeMillis() != 0;
            addIf(isStopped, PoolState.STOPPED_AFTER_LOSS);
            throw e;
        }
        Snapshot<PoolDefinition, RememberedReply> after = pool.snapshotFor(0);
        Reservation reservation = decision.answer().orElse(null);
        if (reservation == null) {
            reached.add(PoolState.RESERVE_OF_DESTROYED_LIFE);
            return decision;
        }
        boolean isSame = after.lifecycle().changeNumber() == before.lifecycle().changeNumber();
        addIf(isSame && reservation.block() != null, PoolState.ANSWERED_AGAIN);
        boolean isFirst = !before.lifecycle().isAlive();
        addIf(isFirst && before.lifecycle().definition() != null, PoolState.LIFE_AFTER_DESTROYED);
        addIf(before.unknownBeforeMillis() != 0 && after.unknownBeforeMillis() == 0, PoolState.RESUMED_AFTER_LOSS);
        if (!isFirst && !isSame) {
            addIf(request.highestGiven() > before.usedUpTo(), PoolState.HOLDER_KNOWS_MORE);
        }
        return decision;
    }

    public Decision<Long, Snapshot<PoolDefinition, RememberedReply>> giveBack(
            IntegerPool pool, GiveBackRequest request) {
        Lifecycle<PoolDefinition> before = pool.snapshotFor(0).lifecycle();
        boolean isKnown = pool.snapshotFor(0).entries().stream()
                .anyMatch(reply -> reply.holder().equals(request.holder()));
        Decision<Long, Snapshot<PoolDefinition, RememberedReply>> decision = pool.giveBack(request);
        boolean isOther = !before.isAlive() || before.incarnation() != request.incarnation();
        if (decision.answer() != GiveBackRequest.REFUSED) {
            reached.add(PoolState.GIVEN_BACK);
        } else if (isOther) {
            reached.add(PoolState.GIVEN_BACK_OF_OTHER_LIFE);
        } else {
            reached.add(isKnown ? PoolState.GIVEN_BACK_TOO_LATE : PoolState.GIVEN_BACK_UNKNOWN);
        }
        return decision;
    }

    public Decision<Boolean, Snapshot<PoolDefinition, RememberedReply>> destroy(
            IntegerPool pool, long incarnation, OwnerContext owner) {
        boolean isDestroyed = pool.snapshotFor(0).lifecycle().isDestroyed(incarnation);
        Decision<Boolean, Snapshot<PoolDefinition, RememberedReply>> decision = pool.destroy(incarnation, owner);
        boolean done = decision.answer();
        addIf(done && pool.definition() != null, PoolState.DESTROY_OF_OTHER_LIFE);
        addIf(done && isDestroyed, PoolState.DESTROYED_AGAIN);
        return decision;
    }

    /** Counts what a copy is that is about to become the owner's. */
    public void promoting(Snapshot<PoolDefinition, RememberedReply> copy, int fromReplicaIndex, long nowMillis) {
        Lifecycle<PoolDefinition> lifecycle = copy.lifecycle();
        if (lifecycle.isAlive()) {
            boolean isBeyond = lifecycle.isBeyondBackups(fromReplicaIndex);
            addIf(copy.kind() == Snapshot.Kind.HEADER, PoolState.PROMOTED_INCOMPLETE);
            addIf(copy.kind() == Snapshot.Kind.FULL && isBeyond, PoolState.PROMOTED_BEYOND_BACKUPS);
            addIf(lifecycle.lastMillis() > nowMillis, PoolState.PROMOTED_BEHIND_CHANGES);
        }
    }

    /** Counts what a merge of a pool with that of a losing side is about. */
    public Decision<List<PossibleDuplicateIntegers>, Snapshot<PoolDefinition, RememberedReply>> merge(
            IntegerPool pool,
            Snapshot<PoolDefinition, RememberedReply> losing,
            Supplier<Decision<List<PossibleDuplicateIntegers>, Snapshot<PoolDefinition, RememberedReply>>> merge) {
        Lifecycle<PoolDefinition> mine = pool.snapshotFor(0).lifecycle();
        OwnerHistory owners = pool.owners;
        Decision<List<PossibleDuplicateIntegers>, Snapshot<PoolDefinition, RememberedReply>> decision = merge.get();
        Lifecycle<PoolDefinition> theirs = losing.lifecycle();
        boolean isAdopted = pool.snapshotFor(0).lifecycle().incarnation() == theirs.incarnation()
                && mine.incarnation() != theirs.incarnation();
        addIf(theirs.definition() == null, PoolState.MERGED_UNKNOWN_THERE);
        addIf(isAdopted && mine.definition() == null, PoolState.MERGED_ADOPTED_UNKNOWN);
        addIf(isAdopted && mine.definition() != null, PoolState.MERGED_ADOPTED_LATER_LIFE);
        boolean isOneIncarnation = mine.isAlive() && theirs.isAlive() && mine.incarnation() == theirs.incarnation();
        addIf(isOneIncarnation, PoolState.MERGED_ONE_LIFE);
        boolean isOther = mine.definition() != null && theirs.definition() != null && !isAdopted && !isOneIncarnation;
        addIf(isOther, PoolState.MERGED_OTHER_LIFE);
        addIf(!decision.answer().isEmpty(), PoolState.MERGED_WITH_DUPLICATES);
        boolean isFull = owners.owners().size() == OwnerHistory.MAX_OWNERS;
        addIf(isFull && owners.lastSharedChange(losing.owners()) < 0, PoolState.MERGED_WITHOUT_COMMON_OWNER);
        return decision;
    }
}
