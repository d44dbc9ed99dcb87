// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last {@link #MAX_OWNERS} owners of a name: by these the sides of a split find out where they parted. Immutable.
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
     * @param knownChange the last change of the owner before it that it knew; 0 if it is no backup that took over, or
     *     the change with which it began, which is another one on each side of a split
     * @param lowest the lowest ID time of any node ID that it gave; {@code MAX_VALUE} if it gave none
     */
    public record Owner(long epoch, @Nullable UUID member, long knownChange, long lowest) {
        boolean isOfBackup() {
            return member != null && knownChange != 0;
        }

        private boolean isSame(Owner other) {
            boolean isMember = member == null || other.member == null || member.equals(other.member);
            return epoch == other.epoch && knownChange == other.knownChange && isMember;
        }
    }

    /**
     * The backups that had to acknowledge what an owner answered lately. Immutable.
     *
     * <p>An answer counts only if all of them have acknowledged the change behind it. So a backup that became the owner
     * on the other side of a split, and that does not have a change, proves that no holder was given what that change
     * says: the merge has nothing to report of it.
     *
     * @param members in any order; empty if it is not known who has acknowledged
     * @param sinceChange the last change that was made before the first request that these members had to acknowledge
     */
    public record Acknowledgers(List<UUID> members, long sinceChange) {
        /** No member is known to have acknowledged what was answered. */
        public static final Acknowledgers UNKNOWN = new Acknowledgers(List.of(), 0);

        /** Nothing was answered yet. */
        static final Acknowledgers NOTHING_ANSWERED = new Acknowledgers(List.of(), Long.MAX_VALUE);

        public Acknowledgers {
            members = List.copyOf(members);
        }

        /** Returns what holds after a request that some members have to acknowledge, and that follows a change. */
        Acknowledgers next(List<UUID> ofRequest, long lastChange) {
            boolean isSame = members.size() == ofRequest.size() && members.containsAll(ofRequest);
            return isSame && !isNothingAnswered() ? this : new Acknowledgers(ofRequest, lastChange);
        }

        boolean isNothingAnswered() {
            return sinceChange == Long.MAX_VALUE;
        }

        /** Whether they had to acknowledge all that was ever answered under a name. */
        boolean areOfAll() {
            return sinceChange == 0;
        }

        /**
         * Whether all that was answered is known to a replica.
         *
         * @param replica null if it is not known which member it is
         * @param lastChange the owner's last change that it knows
         */
        boolean knows(@Nullable UUID replica, long lastChange) {
            return replica != null && members.contains(replica) && lastChange >= sinceChange;
        }
    }

    public OwnerHistory {
        owners = List.copyOf(owners);
    }

    /** Begins with an owner that has given nothing. */
    public static OwnerHistory beginning(long epoch) {
        return new OwnerHistory(List.of(new Owner(epoch, null, 0, Long.MAX_VALUE)), Acknowledgers.UNKNOWN);
    }

    /** The first owner creates what was not created before. */
    OwnerHistory createdBy(UUID member) {
        return new OwnerHistory(List.of(new Owner(present().epoch, member, 0, Long.MAX_VALUE)), acknowledgers);
    }

    /** The present owner is about to answer a request, which some backups have to acknowledge. */
    OwnerHistory acknowledgedBy(List<UUID> backups, long lastChange) {
        return new OwnerHistory(owners, acknowledgers.next(backups, lastChange));
    }

    /** The owner has from now on what these backups may never have received. */
    OwnerHistory unacknowledged() {
        return new OwnerHistory(owners, Acknowledgers.UNKNOWN);
    }

    private Owner present() {
        return owners.get(owners.size() - 1);
    }

    /** Returns the lowest that the present owner gave; {@code MAX_VALUE} if it gave none. */
    long lowestOfPresent() {
        return present().lowest;
    }

    /** Returns the last change of the owner before the present one that the present one knew. */
    long lastChangeOfFormer() {
        return present().knownChange;
    }

    /** A backup takes over, which knows that last change, and has answered nothing. */
    OwnerHistory takenOver(long epoch, UUID member, long lastChange) {
        return new OwnerHistory(
                and(new Owner(epoch, member, lastChange, Long.MAX_VALUE)), Acknowledgers.NOTHING_ANSWERED);
    }

    private List<Owner> and(Owner next) {
        List<Owner> kept = new ArrayList<>(owners);
        kept.add(next);
        kept = kept.subList(Math.max(kept.size() - MAX_OWNERS, 0), kept.size());
        if (kept.size() <= owners.size()) {
            // What the forgotten owner gave counts as given by the next one, which was not the first.
            Owner first = kept.get(0);
            long lowest = Math.min(owners.get(0).lowest, first.lowest);
            kept.set(0, new Owner(first.epoch, null, first.knownChange, lowest));
        }
        return kept;
    }

    /** The present owner gave a node ID from an ID time on. */
    OwnerHistory gave(long from) {
        Owner present = present();
        if (from >= present.lowest) {
            return this;
        }
        List<Owner> changed = new ArrayList<>(owners);
        changed.set(changed.size() - 1, new Owner(present.epoch, present.member, present.knownChange, from));
        return new OwnerHistory(changed, acknowledgers);
    }

    // --- two sides of a split

    /**
     * Whether this side gave nothing since the split that the other one does not know: its owner was that of both, or
     * has created what the other side did not receive; and the member that was the next owner on the other side had to
     * acknowledge all that was answered since. Or a backup has taken over that has answered nothing, since it is below
     * the quorum, and it knows no more of the former owner than the other side does.
     */
    boolean gaveNothingUnknownTo(OwnerHistory other) {
        int known = knownTo(other);
        int otherKnown = other.knownTo(this);
        if (acknowledgers.isNothingAnswered()) {
            return known == owners.size() - 1 && other.knowsNoLess(otherKnown, present());
        }
        boolean isOwnerOfBoth = known > 0 && owners.stream().skip(known).allMatch(owner -> owner.member == null);
        if (otherKnown == other.owners.size() || !(isOwnerOfBoth || acknowledgers.areOfAll())) {
            return false;
        }
        Owner successor = other.owners.get(otherKnown);
        return acknowledgers.knows(successor.member, successor.knownChange);
    }

    /** Whether this side knows as much of the last common owner as a backup that took over from it. */
    private boolean knowsNoLess(int known, Owner successor) {
        return owners.stream()
                .skip(known)
                .filter(owner -> owner.member != null)
                .findFirst()
                .map(owner -> owner.knownChange >= successor.knownChange)
                .orElse(known > 0);
    }

    /** Returns from where on both sides may have given the same, by the lowest that the present owner of each gave. */
    long lowestShared(long lowest, OwnerHistory other, long otherLowest) {
        int known = knownTo(other);
        int otherKnown = other.knownTo(this);
        long lastChange = lastChangeOf(known);
        long otherLastChange = other.lastChangeOf(otherKnown);
        long here = lowestFrom(lastChange == Long.MAX_VALUE ? known - 1 : known, lowest);
        long there = other.lowestFrom(otherLastChange == Long.MAX_VALUE ? otherKnown - 1 : otherKnown, otherLowest);
        if (lastChange == otherLastChange || Math.max(lastChange, otherLastChange) == Long.MAX_VALUE) {
            return Math.max(here, there);
        }
        // The last common owner was on the side that knows more of what it did; there its grants count as that side's.
        return lastChange > otherLastChange ? there : here;
    }

    /** Returns the last change that both sides know; -1 if there is none, or if it is forgotten. */
    long lastSharedChange(OwnerHistory other) {
        int known = knownTo(other);
        long shared = Math.min(lastChangeOf(known), other.lastChangeOf(other.knownTo(this)));
        // Both go by one owner: the network was split while the owner moved.
        return shared == Long.MAX_VALUE ? -1 : shared;
    }

    /** Returns the last change of the first owners known here; {@code MAX_VALUE} if the last of them went on here. */
    private long lastChangeOf(int count) {
        if (count == 0) {
            return -1;
        }
        return count == owners.size() || !owners.get(count).isOfBackup()
                ? Long.MAX_VALUE
                : owners.get(count).knownChange;
    }

    /** Returns how many owners there were up to the last one that the other side knows. */
    private int knownTo(OwnerHistory other) {
        int known = owners.size();
        while (known > 0 && !other.isKnown(owners.get(known - 1))) {
            known--;
        }
        return known;
    }

    private boolean isKnown(Owner owner) {
        return owners.stream().anyMatch(owner::isSame);
    }

    /** Returns the lowest that this side gave since the split, by the last common owner or a later one. */
    long lowestSinceSplit(long lowest, OwnerHistory other) {
        return lowestFrom(Math.max(knownTo(other) - 1, 0), lowest);
    }

    /** Also of the owners before the present one, from one on: they are not known by node ID. */
    private long lowestFrom(int first, long lowestOfPresent) {
        var former = owners.stream().limit(owners.size() - 1).skip(first);
        return former.mapToLong(Owner::lowest).reduce(lowestOfPresent, Math::min);
    }
}
