// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import org.jspecify.annotations.Nullable;

/**
 * The incarnations of a name, and the number of its last change. Each owner and each replica of a table has a copy.
 * Immutable.
 *
 * <p>Change numbers order all changes of a name. They are a hybrid logical clock: each change adds one, and each new
 * owner begins above the present millisecond and far above all numbers it knows. So changes that only some replica
 * received from the former owner are older than all changes of the new owner, unless the new owner's clock is behind
 * and it never received anything from the former one. In that case the copies follow the owner of the partition: see
 * {@link #requireFrom}.
 *
 * @param definition of the last incarnation; null if there is no known incarnation of the name
 * @param incarnation the number of the last one; 0 if there was none
 * @param destroyedUpTo the tombstone: the highest incarnation that was destroyed; 0 if there was none
 */
public record Lifecycle(
        String name, @Nullable Definition definition, long incarnation, long destroyedUpTo, long changeNumber) {
    /** The minimum by which a new owner raises the change number. */
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

    /** Returns the number of synchronous backups, even of a destroyed incarnation. */
    public int backupCount() {
        return definition == null ? 0 : definition.backupCount();
    }

    /** Returns whether a replica gets only what every replica must have. */
    public boolean isBeyondBackups(int replicaIndex) {
        return definition != null && replicaIndex > definition.backupCount();
    }

    /** Returns whether a holder belongs to a destroyed incarnation. */
    public boolean isDestroyed(long holderIncarnation) {
        return holderIncarnation != 0 && holderIncarnation <= destroyedUpTo;
    }

    /** Fails if an incarnation that a holder claims cannot have begun yet by cluster time; it may be adopted. */
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
     * Starts the change numbers of a new owner.
     *
     * @param salt random, a part of the number: two owners that take over on two sides of a split at the same moment
     *     must not use the same numbers
     */
    public Lifecycle takenOver(long salt, long nowMillis) {
        long begin = Math.max(changeNumber + CHANGES_PER_MILLISECOND, nowMillis * CHANGES_PER_MILLISECOND);
        return new Lifecycle(
                name, definition, incarnation, destroyedUpTo, begin + (salt & (CHANGES_PER_MILLISECOND - 1)));
    }

    /** Returns the latest moment that a clock showed when an owner took over, or somewhat later. */
    public long lastMillis() {
        return changeNumber / CHANGES_PER_MILLISECOND;
    }

    /**
     * Begins an incarnation, or continues the holder's, if not 0: it may have outlived the data. A new incarnation
     * number was never used before; it contains the time, so it differs from those that were lost with the data.
     */
    public Lifecycle created(Definition newDefinition, long holderIncarnation, long nowMillis) {
        long next = holderIncarnation == 0
                ? Math.max(Math.addExact(incarnation, 1), nowMillis)
                : Math.max(incarnation, holderIncarnation);
        return new Lifecycle(name, newDefinition, next, destroyedUpTo, changeNumber);
    }

    /** Destroys an incarnation, as a new change. */
    public Lifecycle destroyed(long destroyedIncarnation) {
        return new Lifecycle(name, definition, destroyedIncarnation, destroyedIncarnation, changeNumber + 1);
    }

    /** Fails if a copy's source is older and not known as the owner: the copy must not acknowledge its change. */
    public void requireFrom(boolean isOwner, Lifecycle sent) {
        if (sent.changeNumber < changeNumber && !isOwner) {
            throw new IllegalStateException(name + ": change " + sent.changeNumber
                    + " of a member that is not known as the owner, for a copy with change " + changeNumber);
        }
    }

    /** Raises the change number to at least that of another copy, or of this one before a loss. */
    public Lifecycle countingAbove(long change) {
        return new Lifecycle(name, definition, incarnation, destroyedUpTo, Math.max(changeNumber, change));
    }

    /** Continues the incarnation of the losing side of a split, with this side's change numbers. */
    public Lifecycle adopted(Lifecycle losing, long destroyedHere) {
        long destroyed = Math.max(losing.destroyedUpTo, destroyedHere);
        return new Lifecycle(name, losing.definition, losing.incarnation, destroyed, changeNumber);
    }
}
