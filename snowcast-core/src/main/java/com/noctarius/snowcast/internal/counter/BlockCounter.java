// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which integers of one sequence were handed out. Lives with the owner of the sequence's partition and, as a copy, with
 * its backups.
 *
 * <p>The invariant: no two requests are answered with blocks that share an integer, as long as what was answered is on the
 * replica that becomes the next owner. One that does not know what was handed out hands out nothing, until somebody says
 * where to go on.
 *
 * <p>A repeated request gets its first answer again. That saves integers and is no matter of safety: a block that is handed
 * out anew, because the first answer was forgotten, is a gap. So only the last answers are kept.
 *
 * <p>Deterministic: time and randomness are arguments. Each method either does all that it says, or throws and leaves the counter as it
 * was. Not thread-safe: used on the partition's thread.
 */
public final class BlockCounter {
    /** How far the versions of two owners lie apart, for each millisecond between their beginnings. */
    private static final long CHANGES_PER_MILLISECOND = 1L << 20;

    static final int MAX_ANSWERS = 100;
    /** How long one holder has for reserving a range before another one is asked. */
    static final long RANGE_ASKED_MILLIS = 10_000;

    private final String name;

    private @Nullable CounterDefinition definition;
    private long incarnation;
    private long destroyedUpTo;
    private DestroyedValues destroyed = DestroyedValues.NONE;

    /** When what was handed out became unknown; 0 if it is known. */
    private long lostSinceMillis;

    /**
     * The number of the last change, in the one order of all changes of this counter. A promoted owner goes on far above:
     * what only other replicas heard from the one before it is older than all it does.
     */
    private long version;

    /** The version of the value that this copy has: a lower one is outdated. */
    private long valueVersion;

    private CounterValue value = CounterValue.NONE;

    /** The last ones, in the order in which they were given. */
    private final Map<UUID, Answer> answers = new LinkedHashMap<>();

    /** Answers of lower versions are not given again. */
    private long answersSince;

    /** Known to this owner only: a hint. */
    private long rangeAskedMillis;

    private boolean rangeAsked;

    /** Makes a counter for a name that was never created. */
    public BlockCounter(String name) {
        this.name = name;
    }

    /** Makes a counter for a name of which it is not known whether it was created. */
    static BlockCounter lost(String name, long sinceMillis) {
        BlockCounter counter = new BlockCounter(name);
        counter.lostSinceMillis = sinceMillis;
        return counter;
    }

    /**
     * Hands out a block; creates the sequence if there is none. A holder's request that was answered last is answered
     * again.
     *
     * @param nowMillis cluster time
     * @return the answer, or null if the holder's incarnation was destroyed
     * @throws IntegerSequenceAlreadyRegisteredException if there is one with another definition
     * @throws SnowcastIllegalStateException if what was handed out is not known, or a new life has no room above the last
     * @throws BlockStoreExhaustedException if nothing is left
     * @throws BlockStoreException if the holder's sequence is not known
     * @throws SnowcastStateException if a later request of the holder was answered before
     */
    public @Nullable Reservation reserve(ReserveRequest request, long nowMillis) {
        if (request.incarnation() != 0 && request.incarnation() <= destroyedUpTo) {
            return null;
        }
        CounterDefinition present = definition();
        if (present != null && !present.equals(request.definition())) {
            throw new IntegerSequenceAlreadyRegisteredException("integer sequence " + name
                    + " is registered with another definition: " + present + ", not " + request.definition());
        }
        if (present == null || isStopped(present)) {
            begin(request, nowMillis);
        }
        Answer known = answers.get(request.holder());
        if (known != null && request.size() > 0 && known.requestNumber() >= request.requestNumber()) {
            if (known.requestNumber() == request.requestNumber()) {
                return new Reservation(incarnation, known.block(), known.version(), value.installs(), false);
            }
            throw new SnowcastStateException("integer sequence " + name + ": request " + request.requestNumber()
                    + " of this holder came after request " + known.requestNumber());
        }
        CounterValue next = value.withoutGiven(request.highestGiven());
        Block range = request.range();
        if (range != null) {
            next = next.installed(range, request.knownInstalls(), destroyed.highestWithoutParent());
            rangeAsked = false;
        }
        Block block = request.size() == 0 ? null : next.next(request.size());
        if (block == null) {
            if (request.size() > 0 && !request.definition().hasParent()) {
                throw new BlockStoreExhaustedException("integer sequence " + name + ": the last value, "
                        + request.definition().lastValue() + ", was handed out");
            }
            change(next);
        } else {
            change(next.without(block));
            put(new Answer(request.holder(), request.requestNumber(), block, version));
        }
        boolean rangeWanted = request.size() > 0 && isRangeWanted(request.definition(), nowMillis);
        return new Reservation(incarnation, block, version, value.installs(), rangeWanted);
    }

    private void change(CounterValue next) {
        if (!next.equals(value)) {
            value = next;
            valueVersion = ++version;
        }
    }

    private void put(Answer answer) {
        answers.remove(answer.holder());
        answers.put(answer.holder(), answer);
        if (answers.size() > MAX_ANSWERS) {
            answers.remove(answers.keySet().iterator().next());
        }
    }

    /** Here, and at the next owners. */
    private void forgetAnswers() {
        answersSince = version;
        answers.clear();
    }

    /** One holder at a time is asked for a range; that two reserve one all the same costs nothing. */
    private boolean isRangeWanted(CounterDefinition present, long nowMillis) {
        long sinceAsked = nowMillis - rangeAskedMillis;
        if (!present.hasParent() || !value.isRunningLow()) {
            return false;
        }
        if (rangeAsked && sinceAsked >= 0 && sinceAsked < RANGE_ASKED_MILLIS) {
            return false;
        }
        rangeAsked = true;
        rangeAskedMillis = nowMillis;
        return true;
    }

    // --- lives

    /** Whether it hands out nothing until somebody says where to go on. */
    private boolean isStopped(CounterDefinition present) {
        return lostSinceMillis != 0 && !present.hasParent();
    }

    /** Begins a life, or goes on with one of which it is not known what was handed out. */
    private void begin(ReserveRequest request, long nowMillis) {
        CounterDefinition wanted = request.definition();
        boolean goesOn = definition() != null;
        if (lostSinceMillis == 0 && request.incarnation() != 0) {
            throw new BlockStoreException("integer sequence " + name
                    + " does not exist in this cluster; create it again, or wait for the end of a merge");
        }
        long taken = lostSinceMillis == 0 ? -1 : takenBeforeLoss(request, nowMillis);
        taken = Math.max(Math.max(wanted.firstValue() - 1, destroyed.highest()), taken);
        if (!wanted.hasParent() && taken >= wanted.lastValue()) {
            throw new SnowcastIllegalStateException(
                    "integer sequence " + name + ": the last value, " + wanted.lastValue() + ", leaves no room above "
                            + taken + ", up to which integers were handed out before under that name");
        }
        List<Block> open = wanted.hasParent() ? List.of() : List.of(all(taken + 1, wanted.lastValue()));
        long epoch = request.holder().getLeastSignificantBits();
        beginAt(nowMillis, epoch);
        if (!goesOn) {
            // A holder that outlived the counter brings its incarnation back. Else never one that was in use before:
            // time keeps them apart from those of a counter that was lost.
            incarnation = request.incarnation() != 0 ? request.incarnation() : Math.max(incarnation + 1, nowMillis);
        }
        definition = wanted;
        lostSinceMillis = 0;
        value = value.beginning(open, taken, version, epoch);
    }

    /** Returns the highest integer that may have been handed out before a loss, as an operator and the holder say. */
    private long takenBeforeLoss(ReserveRequest request, long nowMillis) {
        ReserveRequest.AfterLoss afterLoss = request.afterLoss();
        if (request.definition().hasParent() && (definition == null || definition.hasParent())) {
            return -1; // The parent store knows.
        }
        // One for the time to come would decide for a loss that nobody knew of when it was made.
        if (afterLoss == null
                || lostSinceMillis >= afterLoss.lostBeforeMillis()
                || afterLoss.lostBeforeMillis() > nowMillis) {
            throw new SnowcastIllegalStateException("integer sequence " + name
                    + ": all replicas of its counter were lost at " + Instant.ofEpochMilli(lostSinceMillis)
                    + ", and it is not known which integers were handed out. It goes on as soon as somebody calls"
                    + " resumeIntegerSequence(config, v, t): v above all integers in use, t after that moment and not in"
                    + " the future"
                    + (afterLoss == null ? "" : "; not " + Instant.ofEpochMilli(afterLoss.lostBeforeMillis())));
        }
        return Math.max(afterLoss.firstValue() - 1, request.highestGiven());
    }

    /** A block has at most {@code Long.MAX_VALUE} integers; of all there are, the last one is left out. */
    private static Block all(long first, long last) {
        return Block.of(first, last - first == Long.MAX_VALUE ? last - 1 : last);
    }

    /** Also by chance: two owners that take over on two sides of a split at the same moment must not count alike. */
    private void beginAt(long nowMillis, long epoch) {
        version = Math.max(version + CHANGES_PER_MILLISECOND, nowMillis * CHANGES_PER_MILLISECOND)
                + (epoch & (CHANGES_PER_MILLISECOND - 1));
        valueVersion = version;
    }

    /**
     * Takes the upper end of a block back, if this is still the state that its holder knows: nothing was reserved since,
     * and no copy of the request has come before. Without a parent store, it has to be the last block.
     *
     * @return the new state, or {@link GiveBackRequest#REFUSED}
     */
    public long giveBack(GiveBackRequest request) {
        CounterDefinition present = definition();
        Block rest = request.rest();
        boolean isCurrent = present != null && request.incarnation() == incarnation && request.version() == version;
        if (present == null || !isCurrent || !(present.hasParent() || rest.last() == value.highest())) {
            return GiveBackRequest.REFUSED;
        }
        if (!value.isHandedOutSinceTakeover(rest)) {
            return GiveBackRequest.REFUSED; // The losing side of a merge may have handed out the same.
        }
        change(value.with(rest, present.hasParent() ? value.highest() : rest.first() - 1));
        return version;
    }

    /**
     * Ends a life. From here on its holders get nothing; a next life begins above all that it may have handed out.
     *
     * @return whether it is destroyed, now or before; false if another life has begun or there was none
     */
    public boolean destroy(long ofIncarnation) {
        boolean isUnknown = definition == null && lostSinceMillis != 0;
        if (isUnknown) {
            incarnation = ofIncarnation;
        }
        if (incarnation != ofIncarnation || (definition == null && !isUnknown)) {
            return false;
        }
        if (destroyedUpTo < incarnation) {
            destroyedUpTo = incarnation;
            destroyed = destroyed.with(value.highest(), definition != null && definition.hasParent());
            valueVersion = ++version;
            forgetAnswers();
        }
        return true;
    }

    // --- replicas

    /**
     * Called when this copy became the owner's: if it may not have all that the owner had, the value is lost.
     *
     * @param epoch random
     * @param nowMillis cluster time
     */
    public void promoted(int fromReplicaIndex, long epoch, long nowMillis) {
        CounterDefinition present = definition();
        boolean isComplete = valueVersion == version;
        if (present != null && (!isComplete || fromReplicaIndex > present.backupCount())) {
            lose(epoch, nowMillis);
        } else {
            beginAt(nowMillis, epoch);
            value = value.takenOver(epoch);
        }
    }

    private void lose(long epoch, long nowMillis) {
        beginAt(nowMillis, epoch);
        lostSinceMillis = nowMillis;
        forgetAnswers();
        value = CounterValue.NONE.beginning(List.of(), -1, version, epoch);
    }

    /** Returns a copy for a replica. */
    public CounterSnapshot snapshotFor(int replicaIndex) {
        return snapshot(List.copyOf(answers.values())).forReplica(replicaIndex);
    }

    /** Returns a copy of what a holder's request may have changed. */
    public CounterSnapshot change(UUID holder) {
        Answer answer = answers.get(holder);
        return snapshot(answer == null ? List.of() : List.of(answer));
    }

    private CounterSnapshot snapshot(List<Answer> some) {
        return new CounterSnapshot(
                name,
                definition,
                incarnation,
                destroyedUpTo,
                destroyed,
                lostSinceMillis,
                version,
                answersSince,
                valueVersion == version ? value : null,
                some);
    }

    /** Makes a copy of another replica's counter. */
    static BlockCounter of(CounterSnapshot snapshot) {
        BlockCounter counter = new BlockCounter(snapshot.name());
        counter.version = -1;
        counter.join(snapshot);
        return counter;
    }

    /** Joins what the owner knew at some moment: the last state there was, in whatever order they arrive. */
    public void join(CounterSnapshot other) {
        if (other.version() < version) {
            return;
        }
        definition = other.definition();
        incarnation = other.incarnation();
        destroyedUpTo = other.destroyedUpTo();
        destroyed = other.destroyed();
        lostSinceMillis = other.lostSinceMillis();
        version = other.version();
        if (other.value() != null) {
            value = other.value();
            valueVersion = other.version();
        }
        answersSince = other.answersSince();
        other.answers().forEach(this::put);
        answers.values().removeIf(answer -> answer.version() < answersSince);
    }

    // --- the merge of a split network

    /**
     * Unites this counter with that of the losing side of a split network: goes on above what either has handed out.
     *
     * @param losing the other side's
     * @param epoch random
     * @param nowMillis cluster time
     * @return what both may have handed out
     */
    public List<PossibleDuplicateIntegers> merge(CounterSnapshot losing, long epoch, long nowMillis) {
        CounterDefinition present = definition();
        if (losing.definition() == null || (losing.value() == null && definition != null)) {
            return List.of();
        }
        CounterValue mine = value;
        CounterValue theirs = losing.value() == null ? CounterValue.NONE : losing.value();
        boolean isUnknownHere = definition == null || (present != null && isStopped(present));
        boolean isLaterLife = present == null && losing.isAlive() && losing.incarnation() > destroyedUpTo;
        destroyed = destroyed.with(losing.destroyed());
        version = Math.max(version, losing.version());
        beginAt(nowMillis, epoch);
        forgetAnswers(); // What they gave may have been handed out on the other side, too.
        boolean isAdopted = isUnknownHere || isLaterLife;
        if (isAdopted) {
            adopt(losing, present == null ? destroyedUpTo : 0);
        }
        // Whichever life goes on: a third side may have handed out the same as either.
        value = isAdopted ? theirs.mergedWith(mine, epoch) : mine.mergedWith(theirs, epoch);
        // What a destroyed life has handed out is known also where its value was lost.
        boolean hasParent = definition != null && definition.hasParent();
        value = value.withoutAllUpTo(hasParent ? destroyed.highestWithoutParent() : destroyed.highest());
        if (losing.value() == null && definition() != null) {
            lose(epoch, nowMillis);
        }
        if (definition() == null || losing.incarnation() != incarnation) {
            destroyed = destroyed.with(theirs.highest(), losing.definition().hasParent());
        }
        return CounterValue.intersections(name, theirs.handedOutApartFrom(mine), mine.handedOutApartFrom(theirs));
    }

    private void adopt(CounterSnapshot losing, long destroyedHere) {
        definition = losing.definition();
        incarnation = losing.incarnation();
        destroyedUpTo = Math.max(losing.destroyedUpTo(), destroyedHere);
        lostSinceMillis = losing.lostSinceMillis();
    }

    // --- what it knows

    /** Returns the definition; null if the sequence does not exist. */
    public @Nullable CounterDefinition definition() {
        return incarnation > destroyedUpTo ? definition : null;
    }

    /** Returns the number of synchronous backups, also of a destroyed sequence. */
    public int backupCount() {
        return definition == null ? 0 : definition.backupCount();
    }

    /** Returns the answers that are kept. */
    List<Answer> answers() {
        return new ArrayList<>(answers.values());
    }
}
