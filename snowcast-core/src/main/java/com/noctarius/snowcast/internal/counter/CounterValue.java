// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a counter has handed out, and what it has left. Immutable.
 *
 * <p>Blocks are cut from the lower end of the first open range. A counter without a parent store has one range, all
 * integers of the sequence; one with a parent store has those that were installed.
 *
 * @param open what is left of the ranges, in the order of their use
 * @param takeovers what was open when the last owners took over, {@link #MAX_TAKEOVERS} at most: for a merge
 * @param highest the highest integer handed out; -1 if none
 * @param installs how many ranges were installed
 * @param installed the newest {@link #MAX_REMEMBERED} of them
 */
public record CounterValue(
        List<Block> open, List<Takeover> takeovers, long highest, long installs, List<Block> installed) {
    /** How many ranges a late copy of an installation may be behind. */
    static final int MAX_REMEMBERED = 64;

    /** How many owners a split may be behind. */
    private static final int MAX_TAKEOVERS = 16;

    /**
     * The beginning of an owner.
     *
     * @param epoch random
     * @param open what was open
     * @param installs how many ranges were installed
     */
    public record Takeover(long epoch, List<Block> open, long installs) {
        /** Makes an immutable copy. */
        public Takeover {
            open = List.copyOf(open);
        }
    }

    /** Before the first life, on all sides of a split alike. */
    static final CounterValue NONE =
            new CounterValue(List.of(), List.of(new Takeover(0, List.of(), 0)), -1, 0, List.of());

    /** Makes immutable copies. */
    public CounterValue {
        open = List.copyOf(open);
        takeovers = List.copyOf(takeovers);
        installed = List.copyOf(installed);
    }

    /**
     * Begins the next life, or the same one anew after a loss. The owners of the former are remembered: a network that was
     * split may have been so before this life.
     *
     * @param open its range; empty with a parent store
     * @param highest the highest integer below the range
     * @param version higher than any number of an installation that a former value of the counter had: a late copy of one
     *     in that is not one in this
     * @param epoch random
     */
    CounterValue beginning(List<Block> open, long highest, long version, long epoch) {
        Takeover former = new Takeover(epoch, installed, version);
        return new CounterValue(open, newest(takeovers, former, MAX_TAKEOVERS), highest, version, List.of())
                .takenOver(epoch);
    }

    /** Returns the next block of at most that many; null if nothing is open. */
    @Nullable
    Block next(long size) {
        return open.isEmpty()
                ? null
                : open.get(0).part(0, Math.min(size, open.get(0).count()));
    }

    /** Hands out the next block. */
    CounterValue without(Block next) {
        List<Block> left = new ArrayList<>(open.subList(1, open.size()));
        Block rest = above(open.get(0), next.last());
        if (rest != null) {
            left.add(0, rest);
        }
        return new CounterValue(left, takeovers, Math.max(highest, next.last()), installs, installed);
    }

    /**
     * Takes the upper end of a block back.
     *
     * @param highestNow the highest integer that is handed out without it
     */
    CounterValue with(Block rest, long highestNow) {
        List<Block> more = new ArrayList<>(open);
        Block next = more.isEmpty() ? null : more.get(0);
        if (next != null && next.step() == rest.step() && rest.last() + rest.step() == next.first()) {
            more.set(0, new Block(rest.first(), rest.count() + next.count(), rest.step()));
        } else {
            more.add(0, rest);
        }
        return new CounterValue(more, takeovers, highestNow, installs, installed);
    }

    /** Whether a block was handed out since this owner took over or was merged: nobody else can have handed it out. */
    boolean isHandedOutSinceTakeover(Block block) {
        Takeover present = takeovers.get(takeovers.size() - 1);
        List<Block> since = new ArrayList<>(present.open);
        since.addAll(installed.subList(
                (int) Math.max(installed.size() - (installs - present.installs), 0), installed.size()));
        return since.stream().anyMatch(range -> covers(range, block));
    }

    /** Leaves out what a holder was given, as it says: of a range, all up to there. */
    CounterValue withoutGiven(long given) {
        List<Block> left = new ArrayList<>();
        for (Block range : open) {
            addIfPresent(left, contains(range, given) ? above(range, given) : range);
        }
        return left.equals(open)
                ? this
                : new CounterValue(left, takeovers, Math.max(highest, given), installs, installed);
    }

    /** Leaves out blocks, and all that lies below them in the same range. */
    private CounterValue withoutAll(List<Block> blocks) {
        List<Block> left = new ArrayList<>();
        for (Block range : open) {
            Block rest = range;
            for (Block block : blocks) {
                rest = rest != null && shareIntegers(rest, block) ? above(rest, block.last()) : rest;
            }
            addIfPresent(left, rest);
        }
        return new CounterValue(left, takeovers, highest, installs, installed);
    }

    /**
     * Adds a range of the parent store, once: a holder says how many installations it knows of, so if its own is among
     * them it is among those since. One of which that cannot be told any more is a gap.
     *
     * @param taken only what is above it may be handed out
     */
    CounterValue installed(Block range, long knownInstalls, long taken) {
        if (installs - knownInstalls > MAX_REMEMBERED || knownInstalls > installs || installed.contains(range)) {
            return this;
        }
        List<Block> more = new ArrayList<>(open);
        addIfPresent(more, above(range, taken));
        return new CounterValue(more, takeovers, highest, installs + 1, newest(installed, range, MAX_REMEMBERED));
    }

    private static <T> List<T> newest(List<T> items, T next, int count) {
        List<T> kept = new ArrayList<>(items);
        kept.add(next);
        return kept.subList(Math.max(kept.size() - count, 0), kept.size());
    }

    /** Whether no more than half of the newest range is left, all in all. */
    boolean isRunningLow() {
        long left = 0;
        for (Block range : open) {
            left = Math.min(left, Long.MAX_VALUE - range.count()) + range.count();
        }
        return installed.isEmpty()
                || left <= installed.get(installed.size() - 1).count() / 2;
    }

    /** A new owner takes over. */
    CounterValue takenOver(long epoch) {
        Takeover takeover = new Takeover(epoch, open, installs);
        return new CounterValue(open, newest(takeovers, takeover, MAX_TAKEOVERS), highest, installs, installed);
    }

    /**
     * Returns what this side of a split network has handed out, or left out, since it is on its own; or more. Where the
     * network was split, one side went on with its owner, and on the other one a replica took over at once: of the first
     * owners that only one side knows, that is the one with more left. If the owner that both knew may be forgotten, it is
     * all that was ever handed out.
     */
    List<Block> handedOutApartFrom(CounterValue other) {
        int known = knownTo(other);
        int knownOfOther = other.knownTo(this);
        if (known == 0 && takeovers.size() == MAX_TAKEOVERS) {
            return allUpTo(highest);
        }
        // A later one has more only if another life began.
        List<Takeover> beginnings = new ArrayList<>(takeovers.subList(known, takeovers.size()));
        if (knownOfOther < other.takeovers.size()) {
            beginnings.add(other.takeovers.get(knownOfOther));
        }
        if (beginnings.isEmpty()) {
            beginnings.add(takeovers.get(takeovers.size() - 1));
        }
        List<Block> handedOut = new ArrayList<>();
        long installsThen = installs;
        for (Takeover beginning : beginnings) {
            beginning.open.forEach(range -> addUncovered(handedOut, withoutOpen(range)));
            installsThen = Math.min(installsThen, beginning.installs);
        }
        int installedSince = (int) Math.min(installs - installsThen, installed.size());
        installed
                .subList(installed.size() - installedSince, installed.size())
                .forEach(range -> addUncovered(handedOut, withoutOpen(range)));
        return handedOut;
    }

    /** Returns how many owners there were up to the last one that the other side knows. */
    private int knownTo(CounterValue other) {
        int known = takeovers.size();
        while (known > 0 && !other.takeovers.contains(takeovers.get(known - 1))) {
            known--;
        }
        return known;
    }

    /** Returns all integers up to one. */
    static List<Block> allUpTo(long highest) {
        if (highest < 0) {
            return List.of();
        }
        // One block cannot have all that there are.
        return highest == Long.MAX_VALUE
                ? List.of(Block.of(0, 0), Block.of(1, highest))
                : List.of(Block.of(0, highest));
    }

    private static boolean isRestOf(Block rest, Block range) {
        return rest.step() == range.step() && rest.last() == range.last() && rest.first() >= range.first();
    }

    /** Returns the part of a range that is not open any more; null if all is, or if nothing was ever handed out. */
    private @Nullable Block withoutOpen(Block range) {
        long last = Math.min(range.last(), highest);
        for (Block rest : open) {
            if (isRestOf(rest, range)) {
                last = rest.first() - rest.step();
            } else if (isRestOf(range, rest)) {
                return null; // More than that was taken back.
            }
        }
        return last < range.first() ? null : range.part(0, (last - range.first()) / range.step() + 1);
    }

    /** Leaves out what the losing side of a split network has handed out. */
    CounterValue mergedWith(CounterValue losing, long epoch) {
        List<Block> theirs = losing.handedOutApartFrom(this);
        CounterValue merged = withoutAll(theirs);
        // A third side may have handed out the same.
        List<Block> begun = new ArrayList<>(theirs);
        begun.addAll(installed);
        // Neither side's number is near: a range that was installed on the losing side cannot be once more.
        long installsOfNeither = Math.max(installs, losing.installs) + MAX_REMEMBERED + 1;
        Takeover takeover = new Takeover(epoch, begun, installsOfNeither);
        // The owners are kept: a third side may know them.
        List<Takeover> kept = newest(takeovers, takeover, MAX_TAKEOVERS);
        return new CounterValue(merged.open, kept, Math.max(highest, losing.highest), installsOfNeither, List.of())
                .takenOver(epoch);
    }

    /** Leaves out all up to an integer; of ranges that begin above it, nothing. */
    CounterValue withoutAllUpTo(long integer) {
        List<Block> left = new ArrayList<>();
        open.forEach(range -> addIfPresent(left, above(range, integer)));
        return new CounterValue(left, takeovers, highest, installs, installed);
    }

    /** Returns the stretches that blocks of both lists reach over. */
    static List<PossibleDuplicateIntegers> intersections(String name, List<Block> some, List<Block> others) {
        List<PossibleDuplicateIntegers> found = new ArrayList<>();
        for (Block one : some) {
            for (Block other : others) {
                if (shareIntegers(one, other)) {
                    found.add(new PossibleDuplicateIntegers(
                            name, Math.max(one.first(), other.first()), Math.min(one.last(), other.last())));
                }
            }
        }
        return found;
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

    private static boolean covers(Block block, Block part) {
        return block.step() == part.step() && contains(block, part.first()) && contains(block, part.last());
    }

    private static void addIfPresent(List<Block> blocks, @Nullable Block block) {
        if (block != null) {
            blocks.add(block);
        }
    }

    private static boolean contains(Block range, long integer) {
        return integer >= range.first() && integer <= range.last() && (integer - range.first()) % range.step() == 0;
    }

    /** Returns the part of a range above an integer; null if there is none. */
    private static @Nullable Block above(Block range, long integer) {
        if (integer < range.first()) {
            return range;
        }
        long index = (integer - range.first()) / range.step() + 1;
        return index >= range.count() ? null : range.part(index, range.count());
    }
}
