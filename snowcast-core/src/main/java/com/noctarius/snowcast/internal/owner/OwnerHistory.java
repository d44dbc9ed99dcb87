// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last {@link #MAX_OWNERS} owners of a table: by these the sides of a split find out where they parted. Immutable.
 *
 * <p>Both sides begin with the owners before the split. From the last common owner A on, which was on one of the sides,
 * each side has owners of its own:
 *
 * <pre>
 *   this side    … A B C      owners that only this side knows: B, C
 *   other side   … A          A went on here; its last change that B knew is the last one that both sides know
 * </pre>
 *
 * @param owners the present one last
 * @param acknowledgers the backups that had to acknowledge what the present owner gave
 */
public record OwnerHistory(List<Owner> owners, Acknowledgers acknowledgers) {
    static final int MAX_OWNERS = 16;

    /**
     * An owner.
     *
     * @param member the backup that became the owner, or the first owner if nothing was lost before it; else null
     * @param lowestIdTime the lowest ID time that it gave of any node ID; {@code MAX_VALUE} if it gave none
     * @param lastChange its last change that its successor knew; 0 of the present owner
     */
    public record Owner(long epoch, @Nullable UUID member, long lowestIdTime, long lastChange) {}

    public OwnerHistory {
        owners = List.copyOf(owners);
    }

    static OwnerHistory beginning(long epoch) {
        return new OwnerHistory(List.of(newOwner(epoch, null)), Acknowledgers.UNKNOWN);
    }

    private static Owner newOwner(long epoch, @Nullable UUID member) {
        return new Owner(epoch, member, Long.MAX_VALUE, 0);
    }

    /** The first owner creates what was not created before. */
    OwnerHistory createdBy(UUID member) {
        return new OwnerHistory(List.of(newOwner(present().epoch, member)), acknowledgers);
    }

    /** The present owner is about to answer a request, which some backups have to acknowledge. */
    OwnerHistory acknowledgedBy(List<UUID> backups, long lastChange) {
        return new OwnerHistory(owners, acknowledgers.next(backups, lastChange));
    }

    /** The table has from now on what these backups may never have heard of. */
    OwnerHistory unacknowledged() {
        return new OwnerHistory(owners, Acknowledgers.UNKNOWN);
    }

    private Owner present() {
        return owners.get(owners.size() - 1);
    }

    /** Returns the lowest ID time that the present owner gave of any node ID; {@code MAX_VALUE} if it gave none. */
    long lowestOfPresent() {
        return present().lowestIdTime;
    }

    long lastChangeOfFormer() {
        return owners.size() == 1 ? 0 : owners.get(owners.size() - 2).lastChange;
    }

    private List<Owner> withPresent(long lowestIdTime, long lastChange) {
        List<Owner> changed = new ArrayList<>(owners);
        changed.set(changed.size() - 1, new Owner(present().epoch, present().member, lowestIdTime, lastChange));
        return changed;
    }

    /** A backup takes over, which knows that last change. What a forgotten owner gave counts as its successor's. */
    OwnerHistory takenOver(long epoch, UUID member, long lastChange) {
        List<Owner> kept = withPresent(present().lowestIdTime, lastChange);
        kept.add(newOwner(epoch, member));
        if (kept.size() > MAX_OWNERS) {
            Owner forgotten = kept.remove(0);
            Owner next = kept.get(0);
            long lowest = Math.min(forgotten.lowestIdTime, next.lowestIdTime);
            kept.set(0, new Owner(next.epoch, null, lowest, next.lastChange)); // It was not the first one.
        }
        return new OwnerHistory(kept, Acknowledgers.UNKNOWN);
    }

    /** The present owner gave a node ID from an ID time on. */
    OwnerHistory gave(long idTime) {
        return idTime >= present().lowestIdTime
                ? this
                : new OwnerHistory(withPresent(idTime, present().lastChange), acknowledgers);
    }

    /**
     * Whether this side gave nothing since the split that the other one does not know: its owner was that of both, or has
     * created what the other side did not hear of; and the member that was the next owner on the other side had to
     * acknowledge all that was answered since.
     */
    boolean gaveNothingUnknownTo(OwnerHistory other) {
        int known = knownTo(other);
        int otherKnown = other.knownTo(this);
        boolean isOwnerOfBoth = known > 0 && known == owners.size();
        if (otherKnown == other.owners.size() || !(isOwnerOfBoth || acknowledgers.areOfAll())) {
            return false;
        }
        UUID successor = other.owners.get(otherKnown).member;
        return acknowledgers.knows(successor, otherKnown == 0 ? 0 : other.owners.get(otherKnown - 1).lastChange);
    }

    /** Returns from which ID time on both sides may have issued IDs of one node, by the lowest that each gave of it. */
    long lowestShared(long lowest, OwnerHistory other, long otherLowest) {
        int known = knownTo(other);
        int otherKnown = other.knownTo(this);
        long here = lowestFrom(known, lowest);
        long there = other.lowestFrom(otherKnown, otherLowest);
        if (known == 0 || known == owners.size() || otherKnown == other.owners.size()) {
            return Math.max(here, there);
        }
        // The last common owner was on the side that knows more of what it did; there its grants count as that side's.
        long lastChange = owners.get(known - 1).lastChange;
        long otherLastChange = other.owners.get(otherKnown - 1).lastChange;
        if (lastChange == otherLastChange) {
            return Math.max(here, there);
        }
        return lastChange > otherLastChange ? there : here;
    }

    /** Returns the last change that both sides know; -1 if there is none, or if it is forgotten. */
    long lastSharedChange(OwnerHistory other) {
        int known = knownTo(other);
        long shared = known == 0 ? -1 : Math.min(lastChangeOf(known), other.lastChangeOf(other.knownTo(this)));
        // Both go by one owner: the network was split while the owner moved.
        return shared == Long.MAX_VALUE ? -1 : shared;
    }

    /** Returns the last change of the first owners that this side knows. */
    private long lastChangeOf(int count) {
        return count == owners.size() ? Long.MAX_VALUE : owners.get(count - 1).lastChange;
    }

    /** Returns how many owners there were up to the last one that the other side knows. */
    private int knownTo(OwnerHistory other) {
        int known = owners.size();
        while (known > 0 && !other.isKnown(owners.get(known - 1).epoch)) {
            known--;
        }
        return known;
    }

    private boolean isKnown(long epoch) {
        return owners.stream().anyMatch(owner -> owner.epoch == epoch);
    }

    /** Returns the lowest ID time of a node ID that this side gave since the split, by the last common owner or a later one. */
    long lowestSinceSplit(long lowest, OwnerHistory other) {
        return lowestFrom(Math.max(knownTo(other) - 1, 0), lowest);
    }

    /** Also of the owners before the present one, from one on: they are not known by node ID. */
    private long lowestFrom(int first, long lowestOfPresent) {
        var former = owners.stream().limit(owners.size() - 1).skip(first);
        return former.mapToLong(Owner::lowestIdTime).reduce(lowestOfPresent, Math::min);
    }
}
