// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import static com.noctarius.snowcast.internal.integers.PoolValue.MAX_REMEMBERED;
import static com.noctarius.snowcast.internal.integers.PoolValue.MAX_TAKEOVERS;
import static com.noctarius.snowcast.internal.integers.PoolValue.above;
import static com.noctarius.snowcast.internal.integers.PoolValue.covers;
import static com.noctarius.snowcast.internal.integers.PoolValue.newest;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.integers.PoolValue.Takeover;
import com.noctarius.snowcast.internal.replica.Acknowledgers;
import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The merge of what two sides of a split have handed out under one name.
 *
 * <p>Where the network was split, one side went on with its owner, and on the other one a replica took over at once. By the
 * owners that both sides know, A the last, it is found out what was open then:
 *
 * <pre>
 *   … A B C  |  … A      what was open when B took over, on either side
 *   … A B    |  … A D    the more of what was open when B and when D took over
 *   … A      |  … A      what was open when A took over
 * </pre>
 *
 * <p>Of that, a side has handed out since the split what it has open no more.
 */
record PoolValueMerge(PoolValue kept, PoolValue other, List<Block> keptHandedOut, List<Block> otherHandedOut) {
    /** Merges the value that goes on with the other side's. */
    PoolValueMerge(PoolValue kept, PoolValue other) {
        this(kept, other, handedOutApart(kept, other), handedOutApart(other, kept));
    }

    /** Returns the value that goes on, without what the other side has handed out. */
    PoolValue united(long epoch) {
        // A third side may have handed out the same.
        List<Block> begun = new ArrayList<>(otherHandedOut);
        begun.addAll(kept.installed());
        // Neither side's number is near: a range that was installed on the other side cannot be once more.
        long installsOfNeither = Math.max(kept.installs(), other.installs()) + MAX_REMEMBERED + 1;
        Takeover takeover = new Takeover(epoch, null, 0, begun, installsOfNeither);
        // The owners are kept: a third side may know them.
        List<Takeover> owners = newest(kept.takeovers(), takeover, MAX_TAKEOVERS);
        long highest = Math.max(kept.highest(), other.highest());
        return new PoolValue(openApart(), owners, highest, installsOfNeither, List.of(), Acknowledgers.UNKNOWN)
                .takenOver(epoch, null, 0);
    }

    /** Returns the open ranges without what the other side has handed out, and without all below that in one range. */
    private List<Block> openApart() {
        List<Block> left = kept.open();
        for (Block block : otherHandedOut) {
            left = left.stream()
                    .flatMap(range -> shareIntegers(range, block) ? above(range, block.last()) : Stream.of(range))
                    .toList();
        }
        return left;
    }

    /** Returns the stretches that both sides may have handed out; none if one side was given no answer of its own. */
    List<PossibleDuplicateIntegers> duplicates(String name) {
        if (gaveNothingUnknown(kept, other) || gaveNothingUnknown(other, kept)) {
            return List.of();
        }
        List<PossibleDuplicateIntegers> found = new ArrayList<>();
        for (Block one : otherHandedOut) {
            for (Block block : keptHandedOut) {
                if (shareIntegers(one, block)) {
                    found.add(new PossibleDuplicateIntegers(
                            name, Math.max(one.first(), block.first()), Math.min(one.last(), block.last())));
                }
            }
        }
        return found;
    }

    /**
     * Whether a side answered nothing since the split that the other one does not know: its owner was that of both, or has
     * created what the other side did not hear of; and the member that was the next owner on the other side had to
     * acknowledge all that was answered since. Or a backup has taken over that has answered nothing, since it is below the
     * quorum, and it knows no more of the former owner than the other side does.
     */
    private static boolean gaveNothingUnknown(PoolValue side, PoolValue apartFrom) {
        int known = knownTo(side, apartFrom);
        int otherKnown = knownTo(apartFrom, side);
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

    /**
     * Returns what a side has handed out, or left out, since the split; or more. If the last owner that both sides know may
     * be forgotten, it is all that was ever handed out.
     */
    private static List<Block> handedOutApart(PoolValue side, PoolValue apartFrom) {
        int known = knownTo(side, apartFrom);
        if (known == 0 && side.takeovers().size() == MAX_TAKEOVERS) {
            return allUpTo(side.highest());
        }
        List<Takeover> beginnings = beginnings(side, known, apartFrom);
        long installsThen = beginnings.stream().mapToLong(Takeover::installs).reduce(side.installs(), Math::min);
        List<Block> handedOut = new ArrayList<>();
        Stream.concat(beginnings.stream().flatMap(one -> one.open().stream()), side.installedSince(installsThen))
                .forEach(range -> addUncovered(handedOut, withoutOpen(range, side)));
        return handedOut;
    }

    private static List<Block> allUpTo(long highest) {
        if (highest < 0) {
            return List.of();
        }
        // One block cannot have all that there are.
        return highest == Long.MAX_VALUE
                ? List.of(Block.of(0, 0), Block.of(1, highest))
                : List.of(Block.of(0, highest));
    }

    /** Returns the takeovers since the split: a later one has more open than the first only if another life began. */
    private static List<Takeover> beginnings(PoolValue side, int known, PoolValue apartFrom) {
        Stream<Takeover> ofOther = apartFrom.takeovers().stream().skip(knownTo(apartFrom, side));
        List<Takeover> beginnings = Stream.concat(side.takeovers().stream().skip(known), ofOther.limit(1))
                .toList();
        return beginnings.isEmpty() ? List.of(side.present()) : beginnings;
    }

    /** Returns how many owners there were up to the last one that the other side knows. */
    private static int knownTo(PoolValue side, PoolValue other) {
        int known = side.takeovers().size();
        while (known > 0 && !other.takeovers().contains(side.takeovers().get(known - 1))) {
            known--;
        }
        return known;
    }

    /** Returns the part of a range that is not open any more; null if all is, or if nothing was ever handed out. */
    private static @Nullable Block withoutOpen(Block range, PoolValue side) {
        long last = Math.min(range.last(), side.highest());
        for (Block rest : side.open()) {
            if (isRestOf(rest, range)) {
                last = rest.first() - rest.step();
            } else if (isRestOf(range, rest)) {
                return null; // More than that was taken back.
            }
        }
        return last < range.first() ? null : range.part(0, (last - range.first()) / range.step() + 1);
    }

    private static boolean isRestOf(Block rest, Block range) {
        return rest.step() == range.step() && rest.last() == range.last() && rest.first() >= range.first();
    }

    private static boolean shareIntegers(Block a, Block b) {
        boolean isApart = a.step() == b.step() && (a.first() - b.first()) % a.step() != 0;
        return !isApart && a.first() <= b.last() && b.first() <= a.last();
    }

    private static void addUncovered(List<Block> blocks, @Nullable Block block) {
        if (block != null && blocks.stream().noneMatch(other -> covers(other, block))) {
            blocks.removeIf(other -> covers(block, other));
            blocks.add(block);
        }
    }
}
