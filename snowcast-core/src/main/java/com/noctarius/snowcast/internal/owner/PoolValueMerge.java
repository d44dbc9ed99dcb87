// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.owner;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.owner.PoolValue.Takeover;
import java.util.List;
import java.util.stream.Stream;

/**
 * What two sides of a split have handed out under one name: each side all integers from the one that was the highest at the
 * split up to its own highest one.
 *
 * <p>Where the network was split, one side continued with its owner, and on the other side a backup took over at once. So the
 * owners that both sides remember, the last one of which is A, say what was the highest integer at the split:
 *
 * <pre>
 *   … A B C  |  … A      the lowest number with which B or C took over
 *   … A B    |  … A D    the lowest number with which B or D took over
 *   … A      |  … A      the number with which A took over
 *   … A X    |  … A      the same, if X is no backup that took over from A, but a new life
 * </pre>
 */
record PoolValueMerge(PoolValue kept, int keptKnown, PoolValue other, int otherKnown) {
    /** Merges the value that continues with the other side's. */
    PoolValueMerge(PoolValue kept, PoolValue other) {
        this(kept, knownTo(kept, other), other, knownTo(other, kept));
    }

    /** Returns how many owners there were up to the last one that the other side remembers. */
    private static int knownTo(PoolValue side, PoolValue other) {
        int known = side.takeovers().size();
        while (known > 0 && !other.takeovers().contains(side.takeovers().get(known - 1))) {
            known--;
        }
        return known;
    }

    /** Returns the highest integer at the split, or a lower one; -1 if no owner is known to both sides. */
    long highestAtSplit() {
        if (keptKnown == 0) {
            return -1;
        }
        boolean isTakenOver =
                Stream.concat(keptSince().limit(1), otherSince().limit(1)).anyMatch(Takeover::isOfBackup);
        long highestOfShared = kept.takeovers().get(keptKnown - 1).highest();
        return Stream.concat(keptSince(), otherSince())
                .mapToLong(Takeover::highest)
                .reduce(isTakenOver ? Long.MAX_VALUE : highestOfShared, Math::min);
    }

    /** Returns the value that continues above an integer: a third side may have handed out the same as the other one. */
    PoolValue united(long epoch, long highest) {
        long above = highestAtSplit();
        return kept.merged(epoch, highest, other.highest() > above ? above : highest);
    }

    private Stream<Takeover> keptSince() {
        return kept.takeovers().stream().skip(keptKnown);
    }

    private Stream<Takeover> otherSince() {
        return other.takeovers().stream().skip(otherKnown);
    }

    /** Returns what both sides may have handed out; none if one side was given no answer of its own. */
    List<PossibleDuplicateIntegers> duplicates(String name) {
        long above = highestAtSplit();
        long highest = Math.min(kept.highest(), other.highest());
        if (highest <= above
                || gaveNothingUnknown(kept, keptKnown, other, otherKnown)
                || gaveNothingUnknown(other, otherKnown, kept, keptKnown)) {
            return List.of();
        }
        return List.of(new PossibleDuplicateIntegers(name, above + 1, highest));
    }

    /**
     * Whether a side answered nothing since the split that the other one does not know: its owner was that of both, or has
     * created what the other side did not hear of; and the member that was the next owner on the other side had to
     * acknowledge all that was answered since. Or a backup has taken over that has answered nothing, since it is below the
     * quorum, and it knows no more of the former owner than the other side does.
     */
    private static boolean gaveNothingUnknown(PoolValue side, int known, PoolValue apartFrom, int otherKnown) {
        if (side.acknowledgers().isNothingAnswered()) {
            return known == side.takeovers().size() - 1 && knowsNoLess(apartFrom, otherKnown, side.present());
        }
        boolean isAnswered = isOwnerOfBoth(side, known) || side.acknowledgers().areOfAll();
        if (!isAnswered || otherKnown == apartFrom.takeovers().size()) {
            return false;
        }
        Takeover successor = apartFrom.takeovers().get(otherKnown);
        return side.acknowledgers().knows(successor.member(), successor.lastChange());
    }

    /** Whether a side knows as much of the last owner that both sides know as a backup that took over from it. */
    private static boolean knowsNoLess(PoolValue side, int known, Takeover successor) {
        return side.takeovers().stream()
                .skip(known)
                .filter(takeover -> takeover.member() != null)
                .findFirst()
                .map(takeover -> takeover.lastChange() >= successor.lastChange())
                .orElse(known > 0);
    }

    /** Whether the present owner is the last one that both sides know; a life that began since is no other owner's. */
    private static boolean isOwnerOfBoth(PoolValue side, int known) {
        return known > 0 && side.takeovers().stream().skip(known).allMatch(takeover -> takeover.member() == null);
    }
}
