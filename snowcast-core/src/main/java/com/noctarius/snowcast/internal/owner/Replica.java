// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicates;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a member knows of a sequencer, as the owner or as a copy. Not thread-safe: used on the partition's thread.
 *
 * <p>Every replica has the lifecycle and a few numbers; the replicas within the backup count also have the states of
 * the node IDs. What one owner sends is joined, and the copy only grows in knowledge: so the order in which it arrives
 * does not matter.
 */
abstract class Replica {
    Lifecycle lifecycle;

    /** Random: distinguishes this replica from one that it replaced after a loss of data. */
    long epoch;

    /** See {@link Snapshot#unknownBeforeMillis}. */
    long unknownBeforeMillis;

    /** See {@link Snapshot#highestOfDestroyed}. */
    long highestOfDestroyed;

    /** See {@link Snapshot#usedUpTo}. */
    long usedUpTo;

    /** See {@link Snapshot#mergedMillis} and {@link Snapshot#partedMillis}. */
    long mergedMillis;

    long partedMillis;

    final NodeStates entries = new NodeStates();

    /** Which member sent this copy what it knows; null if it was this member, as the owner. */
    private @Nullable UUID toldBy;

    /** The change up to which this copy was sent all entries. */
    private long allSentUpTo;

    /** The last change up to which entries were kept from this copy; it lacks some while this is the higher one. */
    private long keptBackUpTo;

    /** The last merge, whose request may come again. Known to the owner only that has merged it. */
    private @Nullable Merged merged;

    private record Merged(Snapshot losing, List<PossibleDuplicates> found) {}

    Replica(String name, long epoch) {
        this.lifecycle = Lifecycle.unused(name);
        this.epoch = epoch;
    }

    // --- the owner

    final long nextChange() {
        lifecycle = lifecycle.changed();
        return lifecycle.changeNumber();
    }

    /** Begins with the changes of a new owner. */
    final void beginNewChanges(long newEpoch, long nowMillis) {
        lifecycle = lifecycle.takenOver(newEpoch, nowMillis);
        allSentUpTo = lifecycle.changeNumber();
    }

    /** Its changes shall be newer than one that this owner has made before it lost its data. */
    public final void countAbove(long change) {
        lifecycle = lifecycle.countingAbove(change);
    }

    public final long lastChange() {
        return lifecycle.changeNumber();
    }

    // --- another owner

    /**
     * Called when this copy became the owner's: starts over if it may not have all that the owner had.
     *
     * @param newEpoch random
     * @param recoveryMillis how long a sequencer that starts over waits
     * @return whether it started over
     */
    public final boolean promoted(int fromReplicaIndex, long newEpoch, long nowMillis, long recoveryMillis) {
        toldBy = null;
        merged = null;
        boolean hasAll = isComplete() && !lifecycle.isBeyondBackups(fromReplicaIndex);
        if (hasAll || !lifecycle.isAlive()) {
            beginNewChanges(newEpoch, nowMillis);
            return false;
        }
        recover(newEpoch, nowMillis, recoveryMillis);
        return true;
    }

    /** Starts over after a loss of data, in the same incarnation. */
    abstract void recover(long newEpoch, long nowMillis, long recoveryMillis);

    // --- what others are sent

    /** Whether this copy has all entries that the owner had. */
    final boolean isComplete() {
        return allSentUpTo >= keptBackUpTo;
    }

    public final Snapshot snapshotFor(int replicaIndex) {
        return snapshot(isComplete() ? Snapshot.Kind.FULL : Snapshot.Kind.HEADER, entries.values())
                .forReplica(replicaIndex);
    }

    /** Returns a copy with the entries that an operation may have changed; full if there are no others. */
    final Snapshot change(List<NodeState> touched) {
        boolean all = isComplete() && touched.size() == entries.size();
        return snapshot(all ? Snapshot.Kind.FULL : Snapshot.Kind.CHANGE, touched);
    }

    final Snapshot snapshot(Snapshot.Kind kind, List<NodeState> some) {
        List<NodeState> needed =
                isDestroyed() ? List.of() : some; // The highest of all is what counts of a destroyed incarnation.
        return new Snapshot(
                kind,
                lifecycle,
                epoch,
                unknownBeforeMillis,
                highestOfDestroyed,
                usedUpTo,
                mergedMillis,
                partedMillis,
                needed);
    }

    // --- what others have sent

    /** Fails if {@link #join(Snapshot, UUID, boolean)} would. */
    final void requireJoinable(Snapshot other, @Nullable UUID sender, boolean isOwner) {
        if (isOther(sender)) {
            lifecycle.requireFrom(isOwner, other.lifecycle());
        }
        if (!isReplacedBy(other, sender)) {
            requireSameEpoch(other);
        }
    }

    private boolean isOther(@Nullable UUID sender) {
        return sender != null && !sender.equals(toldBy);
    }

    private boolean isReplacedBy(Snapshot other, @Nullable UUID sender) {
        return isOther(sender) && isOlder(other);
    }

    private void requireSameEpoch(Snapshot other) {
        boolean isOtherEpoch = other.epoch() != epoch;
        if (isOtherEpoch && (isOlder(other) || other.kind() == Snapshot.Kind.CHANGE)) {
            throw new IllegalStateException(
                    lifecycle.name() + ": change of epoch " + other.epoch() + " for a copy of epoch " + epoch);
        }
    }

    /** Joins what a member sent, null if it is not known. What another member sent beyond that is given up. */
    public final void join(Snapshot other, @Nullable UUID sender, boolean isOwner) {
        requireJoinable(other, sender, isOwner);
        if (isReplacedBy(other, sender)) {
            replaceBy(other);
        } else {
            join(other);
        }
        toldBy = sender;
    }

    /** Joins what another replica knows: of the incarnation that was changed last, every entry's newest state. */
    public final void join(Snapshot other) {
        requireSameEpoch(other);
        boolean isOlder = isOlder(other);
        boolean isOtherEpoch = other.epoch() != epoch;
        // A new owner may not know of a destruction: the entries that were forgotten for it count again.
        boolean isUndone = isDestroyed() && other.lifecycle().isAlive();
        boolean isOtherIncarnation =
                isOtherEpoch || isUndone || other.lifecycle().incarnation() != lifecycle.incarnation();
        if (isOlder && isOtherIncarnation) {
            return;
        }
        if (isOtherIncarnation) {
            forgetEntries();
        }
        if (!isOlder) {
            copyHeader(other);
        }
        joinEntries(other);
    }

    private boolean isOlder(Snapshot other) {
        return other.lifecycle().changeNumber() < lifecycle.changeNumber();
    }

    /** Forgets all entries: of another incarnation, this copy knows none yet. */
    final void forgetEntries() {
        allSentUpTo = -1;
        keptBackUpTo = 0;
        entries.clear();
    }

    final void replaceBy(Snapshot other) {
        forgetEntries();
        copyHeader(other);
        joinEntries(other);
    }

    final void copyHeader(Snapshot other) {
        merged = null;
        lifecycle = other.lifecycle();
        epoch = other.epoch();
        unknownBeforeMillis = other.unknownBeforeMillis();
        highestOfDestroyed = other.highestOfDestroyed();
        usedUpTo = other.usedUpTo();
        mergedMillis = other.mergedMillis();
        partedMillis = other.partedMillis();
    }

    final void joinEntries(Snapshot other) {
        for (NodeState state : other.entries()) {
            NodeState mine = entries.get(state.logicalNodeId());
            if (mine == null || mine.version() < state.version()) {
                entries.put(state);
            }
        }
        if (isDestroyed()) {
            entries.clear();
        }
        long changeNumber = other.lifecycle().changeNumber();
        if (other.kind() == Snapshot.Kind.HEADER) {
            keptBackUpTo = Math.max(keptBackUpTo, changeNumber);
        } else if (other.kind() == Snapshot.Kind.FULL) {
            allSentUpTo = Math.max(allSentUpTo, changeNumber);
        }
    }

    // --- merges

    /** Merges what a losing side has sent, unless it has merged just that. Returns what it has found in it. */
    final List<PossibleDuplicates> mergeOnce(Snapshot losing, Supplier<List<PossibleDuplicates>> merge) {
        Snapshot header = losing.withEntries(List.of());
        if (merged == null || !merged.losing.equals(header)) {
            merged = new Merged(header, merge.get());
        }
        return merged.found;
    }

    // --- what it knows

    final String name() {
        return lifecycle.name();
    }

    final boolean isDestroyed() {
        return lifecycle.definition() != null && !lifecycle.isAlive();
    }

    public final @Nullable Definition definition() {
        return lifecycle.living();
    }

    public final int backupCount() {
        return lifecycle.backupCount();
    }
}
