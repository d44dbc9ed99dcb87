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
 * does all that it says, or throws and leaves the pool as it was, but for the note of who acknowledges from now on, which is
 * true of refused requests, too. Not thread-safe: used on the partition's thread.
 */
public final class IntegerPool {
    /** Who asks for more gets so many: no single request uses up a sequence of many integers. */
    static final long MAX_SIZE = IntegerSequenceConfig.MAX_BLOCK_SIZE;

    private Lifecycle<PoolDefinition> lifecycle;

    /** The highest integer of destroyed lives and of other sides of a split; -1 if there is none. All replicas have it. */
    private long highestOfOthers = -1;

    /** When what was handed out became unknown, in cluster time; 0 if it is known. */
    private long lostSinceMillis;

    private PoolValue value = PoolValue.NONE;

    /** The change that made the value that this copy has: if it is not the last change, the value is outdated. */
    private long valueVersion;

    private final RememberedReplies replies = new RememberedReplies();

    /** Who told this copy what it knows; null if it was this member, as the owner. */
    private @Nullable UUID toldBy;

    public IntegerPool(String name) {
        lifecycle = Lifecycle.unused(name);
    }

    /** Makes a pool for a name that may have been created, unless {@code sinceMillis} is 0: then nothing was lost. */
    static IntegerPool lost(String name, long sinceMillis) {
        return lost(name, sinceMillis, 0);
    }

    /** As before; its changes shall be newer than one that the owner has made before it lost its data. */
    static IntegerPool lost(String name, long sinceMillis, long lastChange) {
        IntegerPool pool = new IntegerPool(name);
        pool.lifecycle = pool.lifecycle.countingAbove(lastChange);
        pool.lostSinceMillis = sinceMillis;
        return pool;
    }

    /**
     * Hands out a block, the same for a repeated request; creates the sequence. Empty if its incarnation was destroyed.
     * All replicas get a creation: a name that is unknown to the last replica that is left would begin again.
     */
    public Decision<Optional<Reservation>, PoolSnapshot> reserve(ReserveRequest request, OwnerContext owner) {
        lifecycle.requirePossible(request.incarnation(), owner.latestIncarnation());
        answeredBy(owner);
        Optional<Reservation> reservation = lifecycle.isDestroyed(request.incarnation())
                ? Optional.empty()
                : Optional.of(reserveOfPresentLife(request, owner));
        return new Decision<>(reservation, change(request.holder()), request.incarnation() == 0);
    }

    private Reservation reserveOfPresentLife(ReserveRequest request, OwnerContext owner) {
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
            requireNotFarAhead(request, value.highest());
        }
        RememberedReply known = replies.to(request.holder());
        if (known != null && request.size() > 0 && known.requestNumber() >= request.requestNumber()) {
            if (known.requestNumber() == request.requestNumber()
                    && !known.blocks().isEmpty()) {
                return reservation(known.block(), known.version());
            }
            throw new SnowcastStateException("integer sequence " + lifecycle.name() + ": request "
                    + request.requestNumber() + " of this holder came after request " + known.requestNumber());
        }
        Block block = handOut(request);
        return reservation(block, lifecycle.changeNumber());
    }

    /** A decision about a loss decides nothing else: neither creates it a sequence, nor may it seem to have moved one. */
    private void requireLostOrRepeated(@Nullable PoolDefinition present, ReserveRequest request) {
        boolean isLost = present == null ? lostSinceMillis != 0 : isStopped();
        if (isLost || (present != null && value.isBegunBy(request.epoch()))) {
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
                + " is not lost, and continues above " + value.highest()
                + ": there is nothing to resume, and nothing was changed. To use it, call createIntegerSequence");
    }

    private Reservation reservation(@Nullable Block block, long version) {
        return new Reservation(lifecycle.incarnation(), block, version);
    }

    /** Hands out the integers above the highest one, or above what the holder was given, if the pool was set back. */
    private @Nullable Block handOut(ReserveRequest request) {
        long lastValue = request.definition().lastValue();
        long taken = Math.max(value.highest(), Math.min(request.highestGiven(), lastValue));
        requireLeft(request, taken);
        if (request.size() == 0) {
            changeTo(value.withHighest(taken));
            return null;
        }
        long size = Math.min(request.size(), MAX_SIZE);
        Block block = Block.of(taken + 1, taken < lastValue - size ? taken + size : lastValue);
        long last = lifecycle.changeNumber();
        changeTo(value.withHighest(block.last()));
        replies.add(
                RememberedReply.after(replies.to(request.holder()), request, block, last, lifecycle.changeNumber()));
        return block;
    }

    private void requireLeft(ReserveRequest request, long taken) {
        long lastValue = request.definition().lastValue();
        if (request.size() > 0 && Math.max(taken, request.highestGiven()) >= lastValue) {
            throw new BlockStoreExhaustedException(
                    "integer sequence " + lifecycle.name() + ": the last value, " + lastValue + ", was handed out");
        }
    }

    /** The highest integer of a holder tells a pool that was set back where to go on, but by no more than a block. */
    private void requireNotFarAhead(ReserveRequest request, long highest) {
        long max = Math.min(Math.max(highest, 0), Long.MAX_VALUE - MAX_SIZE) + MAX_SIZE;
        if (request.highestGiven() > max) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name()
                    + ": the highest integer that a holder was given must be at most " + max + ": "
                    + request.highestGiven() + "; after a former cluster, take a firstValue above all in use");
        }
    }

    private void changeTo(PoolValue next) {
        if (!next.equals(value)) {
            value = next;
            advance(lifecycle.changed());
        }
    }

    private void advance(Lifecycle<PoolDefinition> next) {
        lifecycle = next;
        valueVersion = next.changeNumber();
    }

    /** Notes who has to acknowledge what is answered from now on, also if this request is repeated or refused. */
    private void answeredBy(OwnerContext owner) {
        if (lifecycle.definition() != null) {
            value = value.acknowledgedBy(owner.backups(), lifecycle.changeNumber());
        }
    }

    // --- lives

    /** Whether it hands out nothing until an operator resumes the sequence. */
    private boolean isStopped() {
        return lifecycle.isAlive() && lostSinceMillis != 0;
    }

    /** Begins a life, or goes on with a life whose value was lost. */
    private void begin(ReserveRequest request, OwnerContext owner) {
        PoolDefinition wanted = request.definition();
        if (lostSinceMillis == 0 && request.incarnation() != 0) {
            throw new BlockStoreException("integer sequence " + lifecycle.name()
                    + " does not exist in this cluster; create it again, or wait for the end of a merge");
        }
        long taken = lostSinceMillis == 0 ? -1 : takenBeforeLoss(request);
        taken = Math.max(Math.max(wanted.firstValue() - 1, highestOfOthers), taken);
        if (taken >= wanted.lastValue()) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name() + ": the last value, "
                    + wanted.lastValue() + ", leaves no room above " + taken
                    + ", up to which integers were handed out before under that name");
        }
        requireNotFarAhead(request, taken);
        requireLeft(request, taken);
        UUID creator = null;
        if (lifecycle.definition() == null && lostSinceMillis == 0) {
            creator = owner.member();
            value = value.acknowledgedBy(owner.backups(), lifecycle.changeNumber());
        } // After a loss it may have been created before, and be known to others.
        long epoch = request.epoch();
        advance(lifecycle.takenOver(epoch, owner.nowMillis()));
        replies.forgetUpTo(lifecycle.changeNumber()); // A copy may have some of before a loss.
        if (!lifecycle.isAlive()) {
            lifecycle = lifecycle.created(wanted, request.incarnation(), owner.nowMillis());
        }
        lostSinceMillis = 0;
        value = value.beginningAbove(taken, epoch, creator, lifecycle.changeNumber());
    }

    /** Returns the highest integer that may have been handed out before a loss, as an operator and the holder say. */
    private long takenBeforeLoss(ReserveRequest request) {
        ReserveRequest.AfterLoss afterLoss = request.afterLoss();
        if (afterLoss == null || afterLoss.lostBeforeMillis() <= lostSinceMillis) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name()
                    + ": all replicas of its pool were lost at " + Instant.ofEpochMilli(lostSinceMillis)
                    + ", and it is not known which integers were handed out. It continues as soon as an operator calls"
                    + " resumeIntegerSequence(config, v, t): v above all integers in use, t after that moment and not in"
                    + " the future"
                    + (afterLoss == null ? "" : "; not " + Instant.ofEpochMilli(afterLoss.lostBeforeMillis())));
        }
        return Math.max(afterLoss.firstValue() - 1, request.highestGiven());
    }

    /**
     * Takes the upper end of the last block back if nothing was reserved since, and no copy of the request has come before.
     * Returns the new state, or {@link GiveBackRequest#REFUSED}.
     *
     * <p>What a former owner handed out, or this one before a merge, another side of a split may have handed out, too. It is
     * refused, since each takeover and each merge changes the pool.
     */
    public Decision<Long, PoolSnapshot> giveBack(GiveBackRequest request) {
        Block rest = request.rest();
        RememberedReply reply = replies.to(request.holder());
        boolean isCurrent = lifecycle.isAlive()
                && request.incarnation() == lifecycle.incarnation()
                && request.version() == lifecycle.changeNumber();
        boolean isHeld = reply != null && reply.version() == request.version() && reply.contains(rest);
        if (!isCurrent || rest.last() != value.highest() || reply == null || !isHeld) {
            return Decision.unchanged(GiveBackRequest.REFUSED);
        }
        changeTo(value.withHighest(rest.first() - 1));
        replies.add(reply.without(rest, lifecycle.changeNumber()));
        return Decision.forBackups(lifecycle.changeNumber(), snapshotFor(0));
    }

    /** Ends a life, and returns whether it is destroyed, now or before. The next one begins above all it handed out. */
    public Decision<Boolean, PoolSnapshot> destroy(long ofIncarnation, OwnerContext owner) {
        lifecycle.requirePossible(ofIncarnation, owner.latestIncarnation());
        boolean isUnknown = lifecycle.definition() == null;
        if (isUnknown ? lostSinceMillis == 0 : lifecycle.incarnation() != ofIncarnation) {
            return Decision.unchanged(false);
        }
        if (lifecycle.destroyedUpTo() < ofIncarnation) {
            advance(lifecycle.destroyed(ofIncarnation));
            highestOfOthers = Math.max(highestOfOthers, value.highest());
            replies.forgetUpTo(lifecycle.changeNumber());
        }
        return Decision.forAll(true, snapshotFor(0));
    }

    // --- replicas

    /** Called when this copy became the owner's: if it may not have all that the owner had, the value is lost. */
    public void promoted(int fromReplicaIndex, UUID member, long epoch, long nowMillis) {
        toldBy = null;
        if (lifecycle.isAlive() && (!isComplete() || lifecycle.isBeyondBackups(fromReplicaIndex))) {
            lose(epoch, nowMillis);
        } else {
            value = value.takenOver(epoch, member, lifecycle.changeNumber());
            advance(lifecycle.takenOver(epoch, nowMillis));
        }
    }

    private boolean isComplete() {
        return valueVersion == lifecycle.changeNumber();
    }

    private void lose(long epoch, long nowMillis) {
        lostSinceMillis = Math.max(nowMillis, lifecycle.lastMillis()); // No former decision is about this loss.
        advance(lifecycle.takenOver(epoch, nowMillis));
        replies.forgetUpTo(lifecycle.changeNumber());
        value = PoolValue.NONE;
    }

    public @Nullable PoolDefinition definition() {
        return lifecycle.living();
    }

    public PoolSnapshot snapshotFor(int replicaIndex) {
        return snapshot(replies.all()).forReplica(replicaIndex);
    }

    /** Returns a copy of what a holder's request may have changed. */
    private PoolSnapshot change(UUID holder) {
        RememberedReply reply = replies.to(holder);
        return snapshot(reply == null ? List.of() : List.of(reply));
    }

    private PoolSnapshot snapshot(List<RememberedReply> some) {
        return new PoolSnapshot(
                lifecycle, highestOfOthers, lostSinceMillis, replies.forgottenUpTo, isComplete() ? value : null, some);
    }

    /** Joins what a member sent. What another one told is given up: the blocks that it gave may be others' by now. */
    IntegerPool joined(PoolSnapshot other, @Nullable UUID sender, boolean isOwner) {
        boolean isOther = sender != null && !sender.equals(toldBy);
        if (isOther) {
            lifecycle.requireFrom(isOwner, other.lifecycle());
        }
        IntegerPool copy = isOther ? of(other) : this;
        copy.join(other);
        copy.toldBy = sender;
        return copy;
    }

    static IntegerPool of(PoolSnapshot snapshot) {
        IntegerPool pool = new IntegerPool(snapshot.name());
        pool.valueVersion = -1;
        pool.join(snapshot);
        return pool;
    }

    /** Joins a snapshot of the owner: the newest counts, in whatever order they arrive. */
    public void join(PoolSnapshot other) {
        long otherVersion = other.lifecycle().changeNumber();
        if (otherVersion < lifecycle.changeNumber()) {
            return;
        }
        lifecycle = other.lifecycle();
        highestOfOthers = other.highestOfOthers();
        lostSinceMillis = other.lostSinceMillis();
        if (other.value() != null) {
            value = other.value();
            valueVersion = otherVersion;
        }
        other.replies().forEach(replies::add);
        replies.forgetUpTo(other.repliesForgottenUpTo());
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
     *   destroyed               alive, in a later life      the losing side's
     *   destroyed, alive        any other                   this side's
     * </pre>
     *
     * <p>What continues, continues above all that either side has handed out, in whichever life.
     */
    public Decision<List<PossibleDuplicateIntegers>, PoolSnapshot> merge(
            PoolSnapshot losing, long epoch, long nowMillis) {
        Lifecycle<PoolDefinition> theirs = losing.lifecycle();
        boolean isCreated = lifecycle.definition() != null;
        if (theirs.definition() == null || (isCreated && losing.value() == null)) {
            return Decision.unchanged(List.of());
        }
        boolean isLaterLife = theirs.isAlive() && theirs.incarnation() > lifecycle.destroyedUpTo();
        boolean isOfLosing = !isCreated || isStopped() || (!lifecycle.isAlive() && isLaterLife);
        lifecycle = lifecycle.notBefore(theirs);
        if (isOfLosing) {
            lifecycle = lifecycle.adopted(theirs, lifecycle.isAlive() ? 0 : lifecycle.destroyedUpTo());
        }
        lostSinceMillis = lostSince(losing, isOfLosing);
        advance(lifecycle.takenOver(epoch, nowMillis));
        replies.forgetUpTo(lifecycle.changeNumber()); // What they gave may have been handed out on the other side, too.
        highestOfOthers = Math.max(highestOfOthers, losing.highestOfOthers());
        PoolValue lost = losing.value();
        if (lost == null) {
            if (lifecycle.isAlive()) {
                lose(epoch, nowMillis);
            }
            return Decision.forAll(List.of(), snapshotFor(0));
        }
        highestOfOthers = Math.max(highestOfOthers, lost.highest());
        // Whichever life continues: a third side may have handed out the same as either.
        PoolValueMerge merge = isOfLosing ? new PoolValueMerge(lost, value) : new PoolValueMerge(value, lost);
        value = merge.united(epoch, Math.max(value.highest(), highestOfOthers));
        return Decision.forAll(merge.duplicates(lifecycle.name()), snapshotFor(0));
    }

    /** Returns when what the life that continues has handed out became unknown to both sides; 0 if one of them knows it. */
    private long lostSince(PoolSnapshot losing, boolean isOfLosing) {
        boolean isOneLife = losing.lifecycle().incarnation() == lifecycle.incarnation();
        if (isOneLife && losing.lostSinceMillis() == 0) {
            return 0; // Also of a life that this side has destroyed after it was lost here.
        }
        return isOfLosing ? Math.max(lostSinceMillis, losing.lostSinceMillis()) : lostSinceMillis;
    }

    long lastChange() {
        return lifecycle.changeNumber();
    }

    public int backupCount() {
        return lifecycle.backupCount();
    }
}
