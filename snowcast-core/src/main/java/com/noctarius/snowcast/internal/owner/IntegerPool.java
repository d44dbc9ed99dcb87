// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceNotLostException;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which integers of one sequence were handed out. Lives with the owner of its partition and, as a copy, with backups.
 *
 * <p>The invariant: no two requests are answered with blocks that share an integer, as long as what was answered is on
 * the replica that becomes the next owner. One that does not know it hands out nothing until an operator resumes the
 * sequence.
 *
 * <p>Deterministic: {@code nowMillis}, in cluster time, and the random {@code epoch} are arguments. Each method either
 * does all that it says, or throws and leaves the pool as it was, but for the note of who acknowledges from now on,
 * which is true of refused requests, too. Not thread-safe: used on the partition's thread.
 */
public final class IntegerPool extends Replica<PoolDefinition, RememberedReply, RememberedReplies> {
    /** Who asks for more gets so many: no single request uses up a sequence of many integers. */
    static final long MAX_SIZE = IntegerSequenceConfig.MAX_BLOCK_SIZE;

    public IntegerPool(String name) {
        super(name, 0, new RememberedReplies());
        highestOfDestroyed = -1;
        usedUpTo = -1;
    }

    /** Makes a pool for a name that may have been created, unless the moment is 0: then nothing was lost. */
    static IntegerPool unknownBefore(String name, long millis) {
        IntegerPool pool = new IntegerPool(name);
        pool.unknownBeforeMillis = millis;
        return pool;
    }

    /**
     * Hands out a block, the same for a repeated request; creates the sequence. Empty if its incarnation was destroyed.
     * All replicas get a creation: a name that is unknown to the last replica that is left would begin again.
     */
    public Decision<Optional<Reservation>, Snapshot<PoolDefinition, RememberedReply>> reserve(
            ReserveRequest request, OwnerContext owner) {
        lifecycle.requirePossible(request.incarnation(), owner.latestIncarnation());
        noteAcknowledgers(owner);
        long epochBefore = epoch;
        Optional<Reservation> reservation = lifecycle.isDestroyed(request.incarnation())
                ? Optional.empty()
                : Optional.of(reserveInPresent(request, owner));
        return new Decision<>(
                reservation, change(request.holder()), request.incarnation() == 0 || epoch != epochBefore);
    }

    private Reservation reserveInPresent(ReserveRequest request, OwnerContext owner) {
        long nowMillis = owner.nowMillis();
        PoolDefinition present = lifecycle.living();
        if (present != null && !present.equals(request.definition())) {
            throw new IntegerSequenceAlreadyRegisteredException(
                    "integer sequence " + lifecycle.name() + present.differenceTo(request.definition()));
        }
        ReserveRequest.AfterLoss afterLoss = request.afterLoss();
        if (afterLoss != null && afterLoss.lostBeforeMillis() > nowMillis) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name()
                    + ": lostBefore must not lie in the future, or it would speak of losses that are to come (cluster time "
                    + Instant.ofEpochMilli(nowMillis) + "): " + Instant.ofEpochMilli(afterLoss.lostBeforeMillis()));
        }
        if (afterLoss != null) {
            requireLostOrRepeated(present, request);
        }
        if (present == null || isStopped()) {
            begin(request, owner);
        } else {
            requireNotFarAhead(request, usedUpTo);
        }
        RememberedReply known = entries.to(request.holder());
        if (known != null && request.size() > 0 && known.requestNumber() >= request.requestNumber()) {
            if (known.requestNumber() == request.requestNumber()
                    && !known.blocks().isEmpty()) {
                owners = owners.gave(known.block().first());
                return reservation(known.block(), known.version());
            }
            throw new SnowcastStateException("integer sequence " + lifecycle.name() + ": request "
                    + request.requestNumber() + " of this holder came after request " + known.requestNumber());
        }
        Block block = handOut(request);
        return reservation(block, lifecycle.changeNumber());
    }

    /** A decision about a loss decides nothing else: it does not create a sequence, nor seem to have moved one. */
    private void requireLostOrRepeated(@Nullable PoolDefinition present, ReserveRequest request) {
        boolean isLost = present == null ? unknownBeforeMillis != 0 : isStopped();
        if (isLost || (present != null && owners.isBegunBy(request.epoch()))) {
            return;
        }
        if (present == null) {
            throw new IntegerSequenceUnknownException("integer sequence " + lifecycle.name()
                    + (lifecycle.definition() == null ? " does not exist" : " was destroyed")
                    + " in this cluster, and nothing was lost: there is nothing to resume, and nothing was created. If"
                    + " the cluster was restarted as a whole, create the sequence with a firstValue above all integers in"
                    + " use (createIntegerSequence)");
        }
        throw new IntegerSequenceNotLostException("integer sequence " + lifecycle.name()
                + " is not lost, and continues above " + usedUpTo
                + ": there is nothing to resume, and nothing was changed. To use it, call createIntegerSequence");
    }

    private Reservation reservation(@Nullable Block block, long version) {
        return new Reservation(lifecycle.incarnation(), block, version);
    }

    /** Hands out the integers above the highest one, or above what the holder was given, if the pool was set back. */
    private @Nullable Block handOut(ReserveRequest request) {
        long lastValue = request.definition().lastValue();
        long taken = Math.max(usedUpTo, Math.min(request.highestGiven(), lastValue));
        requireLeft(request, taken);
        if (request.size() == 0) {
            changeTo(taken);
            return null;
        }
        long size = Math.min(request.size(), MAX_SIZE);
        Block block = Block.of(taken + 1, taken < lastValue - size ? taken + size : lastValue);
        long last = lifecycle.changeNumber();
        changeTo(block.last());
        owners = owners.gave(block.first());
        entries.put(
                RememberedReply.after(entries.to(request.holder()), request, block, last, lifecycle.changeNumber()));
        return block;
    }

    private void requireLeft(ReserveRequest request, long taken) {
        long lastValue = request.definition().lastValue();
        if (request.size() > 0 && Math.max(taken, request.highestGiven()) >= lastValue) {
            throw new BlockStoreExhaustedException(
                    "integer sequence " + lifecycle.name() + ": the last value, " + lastValue + ", was handed out");
        }
    }

    /** A pool that was set back continues above the highest integer of a holder, but by no more than a block. */
    private void requireNotFarAhead(ReserveRequest request, long highest) {
        long max = Math.min(Math.max(highest, 0), Long.MAX_VALUE - MAX_SIZE) + MAX_SIZE;
        if (request.highestGiven() > max) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name()
                    + ": the highest integer that a holder was given must be at most " + max + ": "
                    + request.highestGiven() + "; after a former cluster, take a firstValue above all in use");
        }
    }

    private void changeTo(long highest) {
        if (highest != usedUpTo) {
            usedUpTo = highest;
            nextChange();
        }
    }

    // --- incarnations

    /** Whether it hands out nothing until an operator resumes the sequence. */
    private boolean isStopped() {
        return lifecycle.isAlive() && unknownBeforeMillis != 0;
    }

    /** Begins an incarnation, or continues one whose value was lost. */
    private void begin(ReserveRequest request, OwnerContext owner) {
        PoolDefinition wanted = request.definition();
        if (unknownBeforeMillis == 0 && request.incarnation() != 0) {
            throw new BlockStoreException("integer sequence " + lifecycle.name()
                    + " does not exist in this cluster; create it again, or wait for the end of a merge");
        }
        long taken = unknownBeforeMillis == 0 ? -1 : takenBeforeLoss(request);
        taken = Math.max(Math.max(wanted.firstValue() - 1, highestOfDestroyed), taken);
        if (taken >= wanted.lastValue()) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name() + ": the last value, "
                    + wanted.lastValue() + ", leaves no room above " + taken
                    + ", up to which integers were handed out before under that name");
        }
        requireNotFarAhead(request, taken);
        requireLeft(request, taken);
        boolean isAfterLoss = unknownBeforeMillis != 0; // It may have been created before, and be known to others.
        UUID creator = null;
        if (lifecycle.definition() == null && !isAfterLoss) {
            creator = owner.member();
            acknowledgedBy(owner);
        }
        startOver(request.epoch(), owner.nowMillis());
        if (!lifecycle.isAlive()) {
            lifecycle = lifecycle.created(wanted, request.incarnation(), owner.nowMillis());
        }
        unknownBeforeMillis = 0;
        usedUpTo = taken;
        // What was handed out before a loss is not known.
        owners = owners.begun(new OwnerHistory.Owner(
                request.epoch(),
                creator,
                creator == null ? lifecycle.changeNumber() : 0,
                isAfterLoss ? 0 : Long.MAX_VALUE));
    }

    /** Forgets all replies, here and at the next owners: a copy may have some of before a loss or a merge. */
    private void startOver(long newEpoch, long nowMillis) {
        beginNewChanges(newEpoch, nowMillis);
        epoch = lifecycle.changeNumber();
        entries.clear();
    }

    /** Returns the highest integer that may have been handed out before a loss, as an operator and the holder say. */
    private long takenBeforeLoss(ReserveRequest request) {
        ReserveRequest.AfterLoss afterLoss = request.afterLoss();
        if (afterLoss == null || afterLoss.lostBeforeMillis() <= unknownBeforeMillis) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name()
                    + ": all replicas of its pool were lost at " + Instant.ofEpochMilli(unknownBeforeMillis)
                    + ", and it is not known which integers were handed out. It continues as soon as an operator calls"
                    + " resumeIntegerSequence(config, v, t): v above all integers in use, t after that moment and not in"
                    + " the future"
                    + (afterLoss == null ? "" : "; not " + Instant.ofEpochMilli(afterLoss.lostBeforeMillis())));
        }
        return Math.max(afterLoss.firstValue() - 1, request.highestGiven());
    }

    /**
     * Takes the upper end of the last block back if nothing was reserved since, and no copy of the request has come
     * before. Returns the new state, or {@link GiveBackRequest#REFUSED}.
     *
     * <p>What a former owner handed out, or this one before a merge, another side of a split may have handed out, too.
     * It is refused, since each takeover and each merge changes the pool.
     */
    public Decision<Long, Snapshot<PoolDefinition, RememberedReply>> giveBack(GiveBackRequest request) {
        Block rest = request.rest();
        RememberedReply reply = entries.to(request.holder());
        boolean isCurrent = lifecycle.isAlive()
                && request.incarnation() == lifecycle.incarnation()
                && request.version() == lifecycle.changeNumber();
        boolean isHeld = reply != null && reply.version() == request.version() && reply.contains(rest);
        if (!isCurrent || rest.last() != usedUpTo || reply == null || !isHeld) {
            return Decision.unchanged(GiveBackRequest.REFUSED);
        }
        changeTo(rest.first() - 1);
        entries.put(reply.without(rest, lifecycle.changeNumber()));
        return Decision.forBackups(lifecycle.changeNumber(), snapshotFor(0));
    }

    /** Ends an incarnation; returns whether it is destroyed, now or before. The next begins above all it handed out. */
    public Decision<Boolean, Snapshot<PoolDefinition, RememberedReply>> destroy(
            long ofIncarnation, OwnerContext owner) {
        lifecycle.requirePossible(ofIncarnation, owner.latestIncarnation());
        if (lifecycle.isDestroyed(ofIncarnation)) {
            return Decision.forAll(true, snapshotFor(0)); // Also if there is a later one by now.
        }
        // A lost pool keeps the tombstone of a name that it does not know, so that no copy brings it back.
        boolean isUnknown = lifecycle.definition() == null;
        if (isUnknown ? unknownBeforeMillis == 0 : lifecycle.incarnation() != ofIncarnation) {
            return Decision.unchanged(false);
        }
        lifecycle = lifecycle.destroyed(ofIncarnation);
        highestOfDestroyed = Math.max(highestOfDestroyed, usedUpTo);
        entries.clear();
        return Decision.forAll(true, snapshotFor(0));
    }

    // --- replicas

    @Override
    void recover(long newEpoch, long nowMillis, long recoveryMillis) {
        unknownBeforeMillis = Math.max(nowMillis, lifecycle.lastMillis()); // No former decision is about this loss.
        startOver(newEpoch, nowMillis);
        usedUpTo = -1;
        owners = OwnerHistory.beginning(0);
    }

    /** Returns a copy of what a holder's request may have changed. */
    private Snapshot<PoolDefinition, RememberedReply> change(UUID holder) {
        RememberedReply reply = entries.to(holder);
        return change(reply == null ? List.of() : List.of(reply));
    }

    // --- the merge of a split network

    /**
     * Unites this pool with that of the losing side of a split. Returns what both may have handed out.
     *
     * <pre>
     *   this side               losing side                 what continues
     *   any                     never created               this side's, and nothing changes
     *   created                 no value                    this side's, and nothing changes
     *   never created, lost     created                     the losing side's: alive, destroyed or lost
     *   destroyed               alive, a later incarnation  the losing side's
     *   destroyed, alive        any other                   this side's
     * </pre>
     *
     * <p>What continues, continues above all that either side has handed out, in any incarnation.
     */
    public Decision<List<PossibleDuplicateIntegers>, Snapshot<PoolDefinition, RememberedReply>> merge(
            Snapshot<PoolDefinition, RememberedReply> losing, long newEpoch, long nowMillis) {
        Lifecycle<PoolDefinition> theirs = losing.lifecycle();
        boolean isCreated = lifecycle.definition() != null;
        // So it is of a copy whose owner has just gone: it is this member's, but not promoted yet.
        boolean isUnknownThere = losing.kind() == Snapshot.Kind.HEADER;
        if (theirs.definition() == null || (isCreated && isUnknownThere)) {
            return Decision.unchanged(List.of());
        }
        return Decision.forAll(mergeOnce(losing, () -> unite(losing, newEpoch, nowMillis)), snapshotFor(0));
    }

    private List<PossibleDuplicateIntegers> unite(
            Snapshot<PoolDefinition, RememberedReply> losing, long newEpoch, long nowMillis) {
        Lifecycle<PoolDefinition> theirs = losing.lifecycle();
        boolean isCreated = lifecycle.definition() != null;
        boolean isLaterIncarnation = theirs.isAlive() && theirs.incarnation() > lifecycle.destroyedUpTo();
        boolean isOfLosing = !isCreated || isStopped() || (!lifecycle.isAlive() && isLaterIncarnation);
        lifecycle = lifecycle.countingAbove(theirs.changeNumber());
        if (isOfLosing) {
            lifecycle = lifecycle.adopted(theirs, lifecycle.isAlive() ? 0 : lifecycle.destroyedUpTo());
        }
        unknownBeforeMillis = lostSince(losing, isOfLosing);
        startOver(newEpoch, nowMillis); // What was answered may have been handed out on the other side, too.
        highestOfDestroyed = Math.max(highestOfDestroyed, losing.highestOfDestroyed());
        if (losing.kind() == Snapshot.Kind.HEADER) {
            if (lifecycle.isAlive()) {
                recover(newEpoch, nowMillis, 0);
            }
            return List.of();
        }
        List<PossibleDuplicateIntegers> duplicates = duplicates(losing);
        OwnerHistory kept = isOfLosing ? losing.owners() : owners;
        OwnerHistory other = isOfLosing ? owners : losing.owners();
        // Whichever incarnation continues: a third side may have handed out the same as either.
        owners = kept.unacknowledged().gave(other.lowestSinceSplit(other.lowestOfPresent(), kept));
        highestOfDestroyed = Math.max(highestOfDestroyed, losing.usedUpTo());
        usedUpTo = Math.max(isOfLosing ? losing.usedUpTo() : usedUpTo, highestOfDestroyed);
        return duplicates;
    }

    /** Returns what both sides may have handed out; none if one side was given no answer unknown to the other. */
    private List<PossibleDuplicateIntegers> duplicates(Snapshot<PoolDefinition, RememberedReply> losing) {
        OwnerHistory theirs = losing.owners();
        long first = owners.lowestShared(owners.lowestOfPresent(), theirs, theirs.lowestOfPresent());
        long last = Math.min(usedUpTo, losing.usedUpTo());
        return last < first || owners.gaveNothingUnknownTo(theirs) || theirs.gaveNothingUnknownTo(owners)
                ? List.of()
                : List.of(new PossibleDuplicateIntegers(lifecycle.name(), first, last));
    }

    /** Returns when what the continuing incarnation handed out became unknown to both sides; 0 if one knows it. */
    private long lostSince(Snapshot<PoolDefinition, RememberedReply> losing, boolean isOfLosing) {
        boolean isOneIncarnation = losing.lifecycle().incarnation() == lifecycle.incarnation();
        if (isOneIncarnation && losing.unknownBeforeMillis() == 0) {
            return 0; // Also of an incarnation that this side has destroyed after it was lost here.
        }
        return isOfLosing ? Math.max(unknownBeforeMillis, losing.unknownBeforeMillis()) : unknownBeforeMillis;
    }
}
