// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import org.jspecify.annotations.Nullable;

/**
 * The last incarnation of a name, the destroyed incarnations, and the number of the last change. An incarnation lasts
 * from a creation to the destruction. The owner and every replica of a table have a copy. Immutable.
 *
 * <p>Change numbers order all changes of a name. They are a hybrid logical clock: each change adds one. An owner that
 * was promoted begins at or above the number of the present millisecond, and far above all numbers that it has
 * received; an owner to which the data has migrated continues with the numbers of the former one. Therefore all changes
 * of the new owner are newer than the changes of the former owner, even those that only other replicas have received.
 * The exception is a new owner whose clock is behind and that has received nothing from the former owner. For this
 * case, copies accept all changes of the partition's owner: see {@link #requireFrom}.
 *
 * @param definition the definition of the last incarnation; null if no incarnation of the name is known
 * @param incarnation the number of the last incarnation: the time when it began, in milliseconds since 1970, or a
 *     higher number; 0 if there was none
 * @param destroyedUpTo the tombstone: the highest incarnation that was destroyed; 0 if there was none
 */
public record Lifecycle(
        String name, @Nullable Definition definition, long incarnation, long destroyedUpTo, long changeNumber) {
    /**
     * The change numbers per millisecond of the clock, and the minimum by which a new owner raises the change number.
     */
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

    /** Returns the number of synchronous backups of the last incarnation, even if it was destroyed. */
    public int backupCount() {
        return definition == null ? 0 : definition.backupCount();
    }

    /** Returns whether a replica is beyond the backup count, so that it receives headers without node IDs. */
    public boolean isBeyondBackups(int replicaIndex) {
        return definition != null && replicaIndex > definition.backupCount();
    }

    /** Returns whether a holder's incarnation was destroyed; false if the holder does not know its incarnation (0). */
    public boolean isDestroyed(long holderIncarnation) {
        return holderIncarnation != 0 && holderIncarnation <= destroyedUpTo;
    }

    /**
     * Returns the number of a holder's incarnation; 0, as if the holder did not know it, if the number is too high:
     * above {@code latestMillis}, and above the number of the last incarnation. Such an incarnation began while all
     * clocks were ahead, and its data is lost; or the request is forged. A table without data would adopt even the
     * highest number, and then no later incarnation would be possible.
     */
    public long ifPossible(long holderIncarnation, long latestMillis) {
        return holderIncarnation <= Math.max(incarnation, latestMillis) ? holderIncarnation : 0;
    }

    public Lifecycle changed() {
        return at(changeNumber + 1);
    }

    private Lifecycle at(long change) {
        return new Lifecycle(name, definition, incarnation, destroyedUpTo, change);
    }

    /**
     * Returns this lifecycle with the first change number of a new owner.
     *
     * @param salt random. Its lowest bits are part of the number, so that two owners that take over on two sides of a
     *     split at the same moment almost never use the same numbers
     */
    public Lifecycle ofNewOwner(long salt, long nowMillis) {
        long begin = Math.max(changeNumber + CHANGES_PER_MILLISECOND, nowMillis * CHANGES_PER_MILLISECOND);
        return at(begin + (salt & (CHANGES_PER_MILLISECOND - 1)));
    }

    /**
     * Returns this lifecycle with a new incarnation. If {@code holderIncarnation} is not 0, continues the holder's
     * incarnation, because a holder may outlive the table's data. The number of a new incarnation is at least the
     * present time, so that it differs from numbers that were lost with the data.
     */
    public Lifecycle created(Definition newDefinition, long holderIncarnation, long nowMillis) {
        long next = holderIncarnation == 0
                ? Math.max(Math.addExact(incarnation, 1), nowMillis)
                : Math.max(incarnation, holderIncarnation);
        return new Lifecycle(name, newDefinition, next, destroyedUpTo, changeNumber);
    }

    /** Returns this lifecycle with the last incarnation destroyed, and the next change number. */
    public Lifecycle destroyed() {
        return new Lifecycle(name, definition, incarnation, incarnation, changeNumber + 1);
    }

    /**
     * Throws if a change is older than this copy and its sender is not the owner: this copy must not acknowledge the
     * change.
     */
    public void requireFrom(boolean senderIsOwner, Lifecycle sent) {
        if (sent.changeNumber < changeNumber && !senderIsOwner) {
            throw new IllegalStateException(name + ": change " + sent.changeNumber
                    + " of a member that is not known as the owner, for a copy with change " + changeNumber);
        }
    }

    /** Returns this lifecycle with a change number of at least {@code change}. */
    public Lifecycle countingAbove(long change) {
        return at(Math.max(changeNumber, change));
    }

    /**
     * Returns this lifecycle with the incarnation of the losing side of a split, and the higher change number of the
     * two sides.
     */
    public Lifecycle adopted(Lifecycle losing) {
        long destroyed = Math.max(losing.destroyedUpTo, destroyedUpTo);
        long change = Math.max(losing.changeNumber, changeNumber);
        return new Lifecycle(name, losing.definition, losing.incarnation, destroyed, change);
    }
}
