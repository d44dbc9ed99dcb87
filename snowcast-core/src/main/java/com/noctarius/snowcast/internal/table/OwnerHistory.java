// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.table;

import java.util.ArrayList;
import java.util.List;

/**
 * The owners that a table had, the last {@link #MAX_OWNERS} of them: by these the sides of a network that was split find
 * out since when each was on its own. Immutable.
 *
 * @param owners the present one last
 */
public record OwnerHistory(List<Owner> owners) {
    static final int MAX_OWNERS = 16;

    /**
     * An owner.
     *
     * @param epoch random
     * @param since lowest ID time that it gave of any node ID, as {@link NodeState#since} says
     * @param upTo its last change that its successor knew; 0 of the present owner
     */
    public record Owner(long epoch, long since, long upTo) {}

    /** Copies the list. */
    public OwnerHistory {
        owners = List.copyOf(owners);
    }

    /** Returns the history of a table that was made now. */
    static OwnerHistory beginning(long epoch) {
        return new OwnerHistory(List.of(newOwner(epoch)));
    }

    private static Owner newOwner(long epoch) {
        return new Owner(epoch, Long.MAX_VALUE, 0);
    }

    private Owner present() {
        return owners.get(owners.size() - 1);
    }

    /** Returns the last change that is not the present owner's. */
    long upToFormer() {
        return owners.size() == 1 ? 0 : owners.get(owners.size() - 2).upTo;
    }

    private OwnerHistory withPresent(Owner present) {
        List<Owner> changed = new ArrayList<>(owners);
        changed.set(changed.size() - 1, present);
        return new OwnerHistory(changed);
    }

    /**
     * Another owner takes over. What the oldest one granted counts as its successor's when it is forgotten.
     *
     * @param upTo the last change that it knows of the one before it
     */
    OwnerHistory takenOver(long epoch, long upTo) {
        List<Owner> kept = new ArrayList<>(withPresent(new Owner(present().epoch, present().since, upTo)).owners);
        kept.add(newOwner(epoch));
        if (kept.size() > MAX_OWNERS) {
            Owner forgotten = kept.remove(0);
            Owner next = kept.get(0);
            kept.set(0, new Owner(next.epoch, Math.min(forgotten.since, next.since), next.upTo));
        }
        return new OwnerHistory(kept);
    }

    /** The present owner gave a stretch of a node ID that begins there. */
    OwnerHistory gave(long since) {
        Owner present = present();
        return since >= present.since ? this : withPresent(new Owner(present.epoch, since, present.upTo));
    }

    /**
     * Returns where the IDs of one node ID begin, at the earliest, that were granted both here and on the other side of a
     * split.
     *
     * @param since where those of the present owner begin here
     * @param otherSince where those of the present owner begin on the other side
     */
    long sharedSince(long since, OwnerHistory other, long otherSince) {
        int known = knownTo(other);
        int otherKnown = other.knownTo(this);
        long here = lowest(since, known);
        long there = other.lowest(otherSince, otherKnown);
        if (known == 0 || known == owners.size() || otherKnown == other.owners.size()) {
            return Math.max(here, there);
        }
        // The owner that both had was on one side when the network was split, which knows more of what it did.
        long upTo = owners.get(known - 1).upTo;
        long otherUpTo = other.owners.get(otherKnown - 1).upTo;
        if (upTo == otherUpTo) {
            return Math.max(here, there);
        }
        return upTo > otherUpTo ? there : here;
    }

    /** Returns the last change that both sides know; -1 if there is none, or if it is forgotten. */
    long knownToBoth(OwnerHistory other) {
        int known = knownTo(other);
        long upTo = known == 0 ? -1 : Math.min(upTo(known), other.upTo(other.knownTo(this)));
        // Two that go by one owner: the network was split while it moved.
        return upTo == Long.MAX_VALUE ? -1 : upTo;
    }

    /** Returns the last change that is known here of the first owners. */
    private long upTo(int count) {
        return count == owners.size() ? Long.MAX_VALUE : owners.get(count - 1).upTo;
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

    /**
     * Returns where the IDs of one node ID begin, at the earliest, that were granted here since the split: of the owners
     * that only this side knows, and of the last one that both had, which was on one of the sides.
     *
     * @param since where those of the present owner begin
     */
    long lowestSince(long since, OwnerHistory other) {
        return lowest(since, Math.max(knownTo(other) - 1, 0));
    }

    /** Also of the owners before the present one, from the given one on. */
    private long lowest(long since, int first) {
        long lowest = since;
        for (int i = first; i < owners.size() - 1; i++) {
            lowest = Math.min(lowest, owners.get(i).since);
        }
        return lowest;
    }
}
