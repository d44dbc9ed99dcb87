// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import org.jspecify.annotations.Nullable;

/**
 * Which incarnations of a name there were, and the number of the last change: each owner and each replica of a table
 * has a copy. Immutable.
 *
 * <p>Change numbers put all changes under a name into one order. They are a hybrid logical clock: each change counts up
 * by one, and each new owner begins above the present millisecond and far above all that it knows. So what only some
 * replica received from the owner before is older than all that the new owner does, unless the new owner's clock is
 * behind and it never received anything from the former one. Then the copies go by who owns the partition: see
 * {@link #requireFrom}.
 *
 * @param definition of the last incarnation; null if the name was never created, as far as is known
 * @param incarnation the number of the last one; 0 if there was none
 * @param destroyedUpTo the tombstone: the highest incarnation that was destroyed; 0 if there was none
 */
public record Lifecycle(
        String name, @Nullable Definition definition, long incarnation, long destroyedUpTo, long changeNumber) {
    /** By how much a new owner goes up at least. */
    private static final long CHANGES_PER_MILLISECOND = 1L << 20;

    public static Lifecycle unused(String name) {
        return new Lifecycle(name, null, 0, 0, 0);
    }

    public boolean isAlive() {
        return definition != null && incarnation > destroyedUpTo;
    }

    public @Nullable Definition living() {
        return isAlive() ? definition : null;
    }

    /** Returns the number of synchronous backups, also of a destroyed incarnation. */
    public int backupCount() {
        return definition == null ? 0 : definition.backupCount();
    }

    /** Whether a replica is sent only what every replica has to know. */
    public boolean isBeyondBackups(int replicaIndex) {
        return definition != null && replicaIndex > definition.backupCount();
    }

    /** Whether a holder belongs to an incarnation that was destroyed. */
    public boolean isDestroyed(long holderIncarnation) {
        return holderIncarnation != 0 && holderIncarnation <= destroyedUpTo;
    }

    /** Requires that an incarnation that a holder claims can have begun, by cluster time: it may be taken over. */
    public void requirePossible(long holderIncarnation, long latestMillis) {
        long max = Math.max(incarnation, latestMillis);
        if (holderIncarnation > max) {
            throw new IllegalArgumentException(
                    name + ": incarnation must be at most " + max + ": " + holderIncarnation);
        }
    }

    public Lifecycle changed() {
        return new Lifecycle(name, definition, incarnation, destroyedUpTo, changeNumber + 1);
    }

    /**
     * Begins with the changes of a new owner. The ID of its table is in the number: two owners that take over on two
     * sides of a split at the same moment must not count alike.
     */
    public Lifecycle takenOver(long tableId, long nowMillis) {
        long begin = Math.max(changeNumber + CHANGES_PER_MILLISECOND, nowMillis * CHANGES_PER_MILLISECOND);
        return new Lifecycle(
                name, definition, incarnation, destroyedUpTo, begin + (tableId & (CHANGES_PER_MILLISECOND - 1)));
    }

    /** Returns the latest moment that a clock showed when an owner took over, or somewhat later. */
    public long lastMillis() {
        return changeNumber / CHANGES_PER_MILLISECOND;
    }

    /**
     * Begins an incarnation, or continues the one that a holder knows, if not 0: it may have outlived the data. The
     * incarnation of a new one was never in use before; time keeps it apart from those that were lost with the data.
     */
    public Lifecycle created(Definition newDefinition, long holderIncarnation, long nowMillis) {
        long next = holderIncarnation == 0
                ? Math.max(Math.addExact(incarnation, 1), nowMillis)
                : Math.max(incarnation, holderIncarnation);
        return new Lifecycle(name, newDefinition, next, destroyedUpTo, changeNumber);
    }

    /** Ends an incarnation, with a change. */
    public Lifecycle destroyed(long destroyedIncarnation) {
        return new Lifecycle(name, definition, destroyedIncarnation, destroyedIncarnation, changeNumber + 1);
    }

    /** Fails if a copy's new source is older, and not known as the owner: the copy must not acknowledge it. */
    public void requireFrom(boolean isOwner, Lifecycle sent) {
        if (sent.changeNumber < changeNumber && !isOwner) {
            throw new IllegalStateException(name + ": change " + sent.changeNumber
                    + " of a member that is not known as the owner, for a copy with change " + changeNumber);
        }
    }

    /** Counts no less than another copy, or than this one before a loss. */
    public Lifecycle countingAbove(long change) {
        return new Lifecycle(name, definition, incarnation, destroyedUpTo, Math.max(changeNumber, change));
    }

    /** Continues the incarnation of the losing side of a split, in the order of this side's changes. */
    public Lifecycle adopted(Lifecycle losing, long destroyedHere) {
        long destroyed = Math.max(losing.destroyedUpTo, destroyedHere);
        return new Lifecycle(name, losing.definition, losing.incarnation, destroyed, changeNumber);
    }
}
