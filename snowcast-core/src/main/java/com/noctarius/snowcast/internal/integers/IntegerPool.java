// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceNotLostException;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.replica.Acknowledgers;
import com.noctarius.snowcast.internal.replica.Lifecycle;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which integers of one sequence were handed out. Lives with the owner of its partition and, as a copy, with backups.
 *
 * <p>The invariant: no two requests are answered with blocks that share an integer, as long as what was answered is on the
 * replica that becomes the next owner. One that does not know it hands out nothing, until somebody says where to go on.
 *
 * <p>Deterministic: {@code nowMillis}, in cluster time, and the random {@code epoch} are arguments. Each method either
 * does all that it says, or throws and leaves the pool as it was. Not thread-safe: used on the partition's thread.
 */
public final class IntegerPool {
    /** How long one holder has for reserving a range before another holder is asked. */
    static final long RANGE_ASKED_MILLIS = 10_000;

    /** Who asks for more gets so many: no single request uses up a sequence of many integers. */
    static final long MAX_SIZE = IntegerSequenceConfig.MAX_BLOCK_SIZE;

    private static final long NEVER = Long.MIN_VALUE;

    private Lifecycle<PoolDefinition> lifecycle;
    private DestroyedValues destroyed = DestroyedValues.NONE;

    /** When what was handed out became unknown, in cluster time; 0 if it is known. */
    private long lostSinceMillis;

    private PoolValue value = PoolValue.NONE;

    /** The change that made the value that this copy has: if it is not the last change, the value is outdated. */
    private long valueVersion;

    private final RememberedReplies replies = new RememberedReplies();

    /** Who told this copy what it knows; null if it was this member, as the owner. */
    private @Nullable UUID toldBy;

    /** The member that is about to create it, while nobody has created it before; else null. */
    private @Nullable UUID creator;

    /** When a holder was asked for a range, in cluster time. Known to this owner only: a hint. */
    private long rangeAskedMillis = NEVER;

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

    /** Hands out a block, the same for a repeated request; creates the sequence. Null if its life was destroyed. */
    public @Nullable Reservation reserve(ReserveRequest request, long nowMillis) {
        if (lifecycle.isDestroyed(request.incarnation())) {
            return null;
        }
        value = value.answering();
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
            begin(request, nowMillis);
        } else {
            requireNotFarAhead(request, value.highest());
        }
        RememberedReply known = replies.to(request.holder());
        if (known != null && request.size() > 0 && known.requestNumber() >= request.requestNumber()) {
            if (known.requestNumber() == request.requestNumber()
                    && !known.blocks().isEmpty()) {
                return reservation(known.block(), known.version(), false);
            }
            throw new SnowcastStateException("integer sequence " + lifecycle.name() + ": request "
                    + request.requestNumber() + " of this holder came after request " + known.requestNumber());
        }
        Block block = handOut(request);
        return reservation(block, lifecycle.changeNumber(), isRangeWanted(request, nowMillis));
    }

    /** A decision about a loss decides nothing else: neither creates it a sequence, nor may it seem to have moved one. */
    private void requireLostOrRepeated(@Nullable PoolDefinition present, ReserveRequest request) {
        boolean isLost = present == null ? lostSinceMillis != 0 : isStopped();
        if (isLost || (present != null && value.isBegunBy(request.epoch()))) {
            return;
        }
        boolean hasParent = request.definition().hasParent();
        if (present == null && !hasParent) {
            throw new IntegerSequenceUnknownException("integer sequence " + lifecycle.name()
                    + (lifecycle.definition() == null ? " does not exist" : " was destroyed")
                    + " in this cluster, and nothing was lost: there is nothing to resume, and nothing was created. If"
                    + " the cluster was restarted as a whole, create the sequence with a firstValue above all integers in"
                    + " use (createIntegerSequence)");
        }
        throw new IntegerSequenceNotLostException("integer sequence " + lifecycle.name()
                + " is not lost, and continues "
                + (hasParent ? "with what its parent store gives" : "above " + value.highest())
                + ": there is nothing to resume, and nothing was changed. To use it, call createIntegerSequence");
    }

    private Reservation reservation(@Nullable Block block, long version, boolean rangeWanted) {
        return new Reservation(lifecycle.incarnation(), block, version, value.installs(), rangeWanted);
    }

    private @Nullable Block handOut(ReserveRequest request) {
        PoolValue next = value.withoutGiven(request.highestGiven());
        Block range = request.range();
        if (range != null) {
            next = next.installed(range, request.knownInstalls(), destroyed.highestWithoutParent());
            rangeAskedMillis = NEVER;
        }
        Block block = request.size() == 0 ? null : next.next(Math.min(request.size(), MAX_SIZE));
        if (block != null) {
            long last = lifecycle.changeNumber();
            changeTo(next.withoutGiven(block.last()));
            replies.add(RememberedReply.after(
                    replies.to(request.holder()), request, block, last, lifecycle.changeNumber()));
        } else if (request.size() == 0 || hasParent()) {
            changeTo(next);
        } else {
            throw new BlockStoreExhaustedException("integer sequence " + lifecycle.name() + ": the last value, "
                    + request.definition().lastValue() + ", was handed out");
        }
        return block;
    }

    /** The highest integer of a holder tells a pool that was set back where to go on, but by no more than a block. */
    private void requireNotFarAhead(ReserveRequest request, long highest) {
        long max = Math.min(Math.max(highest, 0), Long.MAX_VALUE - MAX_SIZE) + MAX_SIZE;
        if (!request.definition().hasParent() && request.highestGiven() > max) {
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

    /** One holder at a time is asked for a range; if two reserve one all the same, both ranges are used. */
    private boolean isRangeWanted(ReserveRequest request, long nowMillis) {
        long askedAgoMillis = nowMillis - rangeAskedMillis;
        boolean isAsked = askedAgoMillis >= 0 && askedAgoMillis < RANGE_ASKED_MILLIS;
        boolean isWanted = request.size() > 0 && hasParent() && value.isRunningLow() && !isAsked;
        rangeAskedMillis = isWanted ? nowMillis : rangeAskedMillis;
        return isWanted;
    }

    /**
     * Notes which member is about to answer a request, which may be one that is repeated, and which backups have to
     * acknowledge that.
     */
    public void answeredBy(UUID member, List<UUID> backups) {
        boolean isNew = lifecycle.definition() == null;
        if (isNew && lostSinceMillis != 0) {
            return; // It may have been created before, and known to others.
        }
        creator = isNew ? member : null;
        value = value.acknowledgedBy(backups, lifecycle.changeNumber());
    }

    // --- lives

    /** Whether it hands out nothing until somebody says where to go on. */
    private boolean isStopped() {
        return lostSinceMillis != 0 && !hasParent();
    }

    private boolean hasParent() {
        return lifecycle.definition() != null && lifecycle.definition().hasParent();
    }

    /** Begins a life, or goes on with a life whose value was lost. */
    private void begin(ReserveRequest request, long nowMillis) {
        PoolDefinition wanted = request.definition();
        if (lostSinceMillis == 0 && request.incarnation() != 0) {
            throw new BlockStoreException("integer sequence " + lifecycle.name()
                    + " does not exist in this cluster; create it again, or wait for the end of a merge");
        }
        long taken = lostSinceMillis == 0 ? -1 : takenBeforeLoss(request);
        taken = Math.max(Math.max(wanted.firstValue() - 1, destroyed.highest()), taken);
        if (!wanted.hasParent() && taken >= wanted.lastValue()) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name() + ": the last value, "
                    + wanted.lastValue() + ", leaves no room above " + taken
                    + ", up to which integers were handed out before under that name");
        }
        requireNotFarAhead(request, taken);
        long epoch = request.epoch();
        advance(lifecycle.takenOver(epoch, nowMillis));
        replies.forgetUpTo(lifecycle.changeNumber()); // A copy may have some of before a loss.
        if (!lifecycle.isAlive()) {
            lifecycle = lifecycle.created(wanted, request.incarnation(), nowMillis);
        }
        // What a life without a parent store has handed out is as unknown behind a life with one as before it.
        lostSinceMillis = wanted.hasParent() ? lostSinceMillis : 0;
        Acknowledgers acknowledgers = value.acknowledgers();
        value = value.beginning(wanted.openAbove(taken), taken, lifecycle.changeNumber(), epoch, creator)
                .with(acknowledgers);
        creator = null;
    }

    /** Returns the highest integer that may have been handed out before a loss, as an operator and the holder say. */
    private long takenBeforeLoss(ReserveRequest request) {
        ReserveRequest.AfterLoss afterLoss = request.afterLoss();
        if (request.definition().hasParent() && (lifecycle.definition() == null || hasParent())) {
            return -1; // The parent store knows.
        }
        if (afterLoss == null || afterLoss.lostBeforeMillis() <= lostSinceMillis) {
            throw new SnowcastIllegalStateException("integer sequence " + lifecycle.name()
                    + ": all replicas of its pool were lost at " + Instant.ofEpochMilli(lostSinceMillis)
                    + ", and it is not known which integers were handed out. It goes on as soon as somebody calls"
                    + " resumeIntegerSequence(config, v, t): v above all integers in use, t after that moment and not in"
                    + " the future"
                    + (afterLoss == null ? "" : "; not " + Instant.ofEpochMilli(afterLoss.lostBeforeMillis())));
        }
        return Math.max(afterLoss.firstValue() - 1, request.highestGiven());
    }

    /**
     * Takes the upper end of a block back if nothing was reserved since, and no copy of the request has come before;
     * without a parent store, of the last block only. Returns the new state, or {@link GiveBackRequest#REFUSED}.
     */
    public long giveBack(GiveBackRequest request) {
        Block rest = request.rest();
        RememberedReply reply = replies.to(request.holder());
        boolean isCurrent = lifecycle.isAlive()
                && request.incarnation() == lifecycle.incarnation()
                && request.version() == lifecycle.changeNumber();
        boolean isLast = hasParent() || rest.last() == value.highest();
        boolean isHeld = reply != null && reply.version() == request.version() && reply.contains(rest);
        // What was handed out before this owner took over, the losing side of a merge may have handed out, too.
        if (!isCurrent || !isLast || reply == null || !isHeld || !value.isHandedOutSinceTakeover(rest)) {
            return GiveBackRequest.REFUSED;
        }
        changeTo(value.with(rest, hasParent() ? value.highest() : rest.first() - 1));
        replies.add(reply.without(rest, lifecycle.changeNumber()));
        return lifecycle.changeNumber();
    }

    /** Ends a life, and returns whether it is destroyed, now or before. The next one begins above all it handed out. */
    public boolean destroy(long ofIncarnation) {
        boolean isUnknown = lifecycle.definition() == null;
        if (isUnknown ? lostSinceMillis == 0 : lifecycle.incarnation() != ofIncarnation) {
            return false;
        }
        if (lifecycle.destroyedUpTo() < ofIncarnation) {
            advance(lifecycle.destroyed(ofIncarnation));
            destroyed = destroyed.with(value.highest(), hasParent());
            replies.forgetUpTo(lifecycle.changeNumber());
        }
        return true;
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
        value = PoolValue.NONE.beginning(List.of(), -1, lifecycle.changeNumber(), epoch, null);
    }

    public @Nullable PoolDefinition definition() {
        return lifecycle.living();
    }

    public PoolSnapshot snapshotFor(int replicaIndex) {
        return snapshot(replies.all()).forReplica(replicaIndex);
    }

    /** Returns a copy of what a holder's request may have changed. */
    public PoolSnapshot change(UUID holder) {
        RememberedReply reply = replies.to(holder);
        return snapshot(reply == null ? List.of() : List.of(reply));
    }

    private PoolSnapshot snapshot(List<RememberedReply> some) {
        return new PoolSnapshot(
                lifecycle, destroyed, lostSinceMillis, replies.forgottenUpTo, isComplete() ? value : null, some);
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
        destroyed = other.destroyed();
        lostSinceMillis = other.lostSinceMillis();
        if (other.value() != null) {
            value = other.value();
            valueVersion = otherVersion;
        }
        other.replies().forEach(replies::add);
        replies.forgetUpTo(other.repliesForgottenUpTo());
    }

    // --- the merge of a split network

    /** Unites this pool with that of the losing side of a split. Returns what both may have handed out. */
    public List<PossibleDuplicateIntegers> merge(PoolSnapshot losing, long epoch, long nowMillis) {
        Lifecycle<PoolDefinition> theirs = losing.lifecycle();
        if (theirs.definition() == null || (losing.value() == null && lifecycle.definition() != null)) {
            return List.of();
        }
        PoolValue lost = losing.value() == null ? PoolValue.NONE : losing.value();
        boolean isUnknownHere = lifecycle.definition() == null || (lifecycle.isAlive() && isStopped());
        boolean isOver = !lifecycle.isAlive() && theirs.incarnation() > lifecycle.destroyedUpTo();
        boolean isAdopted = isUnknownHere || (isOver && theirs.isAlive());
        destroyed = destroyed.with(losing.destroyed());
        lifecycle = lifecycle.notBefore(theirs);
        if (isAdopted) {
            lifecycle = lifecycle.adopted(theirs, lifecycle.isAlive() ? 0 : lifecycle.destroyedUpTo());
        }
        advance(lifecycle.takenOver(epoch, nowMillis));
        replies.forgetUpTo(lifecycle.changeNumber()); // What they gave may have been handed out on the other side, too.
        // Whichever life goes on: a third side may have handed out the same as either.
        PoolValueMerge merge = isAdopted ? new PoolValueMerge(lost, value) : new PoolValueMerge(value, lost);
        // What a destroyed life has handed out is known also where its value was lost.
        value = merge.united(epoch)
                .withoutAllUpTo(hasParent() ? destroyed.highestWithoutParent() : destroyed.highest());
        boolean isKnownThere = theirs.incarnation() == lifecycle.incarnation() && losing.lostSinceMillis() == 0;
        lostSinceMillis = isAdopted || isKnownThere ? losing.lostSinceMillis() : lostSinceMillis;
        if (losing.value() == null && lifecycle.isAlive()) {
            lose(epoch, nowMillis);
        }
        if (!lifecycle.isAlive() || theirs.incarnation() != lifecycle.incarnation()) {
            destroyed = destroyed.with(lost.highest(), theirs.definition().hasParent());
        }
        return merge.duplicates(lifecycle.name());
    }

    public void requirePossible(long incarnation, long latestMillis) {
        lifecycle.requirePossible(incarnation, latestMillis);
    }

    long lastChange() {
        return lifecycle.changeNumber();
    }

    public int backupCount() {
        return lifecycle.backupCount();
    }
}
