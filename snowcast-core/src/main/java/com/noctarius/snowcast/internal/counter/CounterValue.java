// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.counter;

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
 * @param ranges the ranges as they were when the present owner took over, and those installed since, the newest {@link
 *     #MAX_REMEMBERED}: what is missing in the open ones was handed out since then
 * @param highest the highest integer handed out; -1 if none
 * @param installs how many ranges were installed
 * @param installed the newest {@link #MAX_REMEMBERED} of them
 */
public record CounterValue(List<Block> open, List<Block> ranges, long highest, long installs, List<Block> installed) {
    /** How many ranges a late copy of an installation may be behind. */
    static final int MAX_REMEMBERED = 64;

    /** Makes immutable copies. */
    public CounterValue {
        open = List.copyOf(open);
        ranges = List.copyOf(ranges);
        installed = List.copyOf(installed);
    }

    /**
     * Returns the value of a counter that begins, or begins anew after a loss.
     *
     * @param open its range; empty with a parent store
     * @param highest the highest integer below the range
     * @param installs higher than any number that a former value of the counter had: a late copy of an installation in
     *     that one is not one in this
     */
    static CounterValue beginning(List<Block> open, long highest, long installs) {
        return new CounterValue(open, open, highest, installs, List.of());
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
        return new CounterValue(left, ranges, Math.max(highest, next.last()), installs, installed);
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
        return new CounterValue(more, ranges, highestNow, installs, installed);
    }

    /** Leaves out what a holder was given, as it says: of a range, all up to there. */
    CounterValue withoutGiven(long given) {
        List<Block> left = new ArrayList<>();
        for (Block range : open) {
            addIfPresent(left, contains(range, given) ? above(range, given) : range);
        }
        return left.equals(open) ? this : new CounterValue(left, ranges, Math.max(highest, given), installs, installed);
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
        return new CounterValue(left, ranges, highest, installs, installed);
    }

    /**
     * Adds a range of the parent store, once: a holder says how many installations it knows of, so if its own is among
     * them it is among those since. One of which that cannot be told any more is a gap.
     *
     * @param floor the lowest integer that may be handed out
     */
    CounterValue installed(Block range, long knownInstalls, long floor) {
        if (installs - knownInstalls > MAX_REMEMBERED || knownInstalls > installs || installed.contains(range)) {
            return this;
        }
        List<Block> more = new ArrayList<>(open);
        addIfPresent(more, range.first() >= floor ? range : above(range, floor - 1));
        return new CounterValue(more, newest(ranges, range), highest, installs + 1, newest(installed, range));
    }

    private static List<Block> newest(List<Block> blocks, Block next) {
        List<Block> kept = new ArrayList<>(blocks);
        kept.add(next);
        return kept.subList(Math.max(kept.size() - MAX_REMEMBERED, 0), kept.size());
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
    CounterValue takenOver() {
        return new CounterValue(open, open, highest, installs, installed);
    }

    /** Returns what the present owner has handed out, or left out. */
    List<Block> handedOut() {
        List<Block> handedOut = new ArrayList<>();
        for (Block range : ranges) {
            Block left = range;
            for (Block rest : open) {
                if (rest.step() == range.step() && rest.last() == range.last()) {
                    left = rest.first() <= range.first()
                            ? null
                            : range.part(0, (rest.first() - range.first()) / range.step());
                }
            }
            addIfPresent(handedOut, left);
        }
        return handedOut;
    }

    /** Leaves out what the losing side of a split network has handed out. */
    CounterValue mergedWith(CounterValue losing) {
        CounterValue merged = withoutAll(losing.handedOut());
        // Neither side's number is near: a range that was installed on the losing side cannot be once more.
        long installsOfNeither = Math.max(installs, losing.installs) + MAX_REMEMBERED + 1;
        return new CounterValue(merged.open, ranges, Math.max(highest, losing.highest), installsOfNeither, List.of());
    }

    /** Leaves out all up to an integer; of ranges that begin above it, nothing. */
    CounterValue withoutAllUpTo(long integer) {
        List<Block> left = new ArrayList<>();
        open.forEach(range -> addIfPresent(left, above(range, integer)));
        return new CounterValue(left, ranges, highest, installs, installed);
    }

    /** Returns the stretches that blocks of both lists reach over. */
    static List<Block> intersections(List<Block> some, List<Block> others) {
        List<Block> found = new ArrayList<>();
        for (Block one : some) {
            for (Block other : others) {
                if (shareIntegers(one, other)) {
                    found.add(Block.of(
                            Math.max(one.first(), other.first()),
                            Math.min(Math.min(one.last(), other.last()), Long.MAX_VALUE - 1)));
                }
            }
        }
        return found;
    }

    private static boolean shareIntegers(Block a, Block b) {
        boolean isApart = a.step() == b.step() && (a.first() - b.first()) % a.step() != 0;
        return !isApart && a.first() <= b.last() && b.first() <= a.last();
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
