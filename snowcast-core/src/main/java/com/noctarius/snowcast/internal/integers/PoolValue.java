// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.store.Block;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pool has handed out, and what it has left. Immutable.
 *
 * <p>Blocks are cut from the lower end of the first open range. A pool without a parent store has one range, all
 * integers of the sequence; a pool with a parent store has the ranges that were installed.
 *
 * @param open what is left of the ranges, in the order of their use
 * @param takeovers what was open when each of the last {@link #MAX_TAKEOVERS} owners took over: for a merge
 * @param highest the highest integer handed out; -1 if none
 * @param installs how many ranges were installed
 * @param installed the newest {@link #MAX_REMEMBERED} of them
 */
public record PoolValue(
        List<Block> open, List<Takeover> takeovers, long highest, long installs, List<Block> installed) {
    /** How many ranges a late copy of an installation may be behind. */
    static final int MAX_REMEMBERED = 64;

    /** How many owners a split may be behind. */
    static final int MAX_TAKEOVERS = 16;

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
    static final PoolValue NONE = new PoolValue(List.of(), List.of(new Takeover(0, List.of(), 0)), -1, 0, List.of());

    /** Makes immutable copies. */
    public PoolValue {
        open = List.copyOf(open);
        takeovers = List.copyOf(takeovers);
        installed = List.copyOf(installed);
    }

    /**
     * Begins the next life, or the same one anew after a loss. The owners of the former life are remembered: the network
     * may have been split before this life.
     *
     * @param open its range; empty with a parent store
     * @param highest the highest integer below the range
     * @param version above all numbers of installations in former lives, so that a delayed install of an earlier life is
     *     never mistaken for one of this life
     * @param epoch random
     */
    PoolValue beginning(List<Block> open, long highest, long version, long epoch) {
        Takeover former = new Takeover(epoch, installed, version);
        return new PoolValue(open, newest(takeovers, former, MAX_TAKEOVERS), highest, version, List.of())
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
    PoolValue without(Block next) {
        List<Block> left = new ArrayList<>(open.subList(1, open.size()));
        Block rest = above(open.get(0), next.last());
        if (rest != null) {
            left.add(0, rest);
        }
        return withOpen(left, Math.max(highest, next.last()));
    }

    /**
     * Takes the upper end of a block back.
     *
     * @param highestNow the highest integer that is handed out without it
     */
    PoolValue with(Block rest, long highestNow) {
        List<Block> more = new ArrayList<>(open);
        Block next = more.isEmpty() ? null : more.get(0);
        if (next != null && next.step() == rest.step() && rest.last() + rest.step() == next.first()) {
            more.set(0, new Block(rest.first(), rest.count() + next.count(), rest.step()));
        } else {
            more.add(0, rest);
        }
        return withOpen(more, highestNow);
    }

    /** Whether a block was handed out since this owner took over or was merged: nobody else can have handed it out. */
    boolean isHandedOutSinceTakeover(Block block) {
        long installedBefore = installed.size() - (installs - present().installs);
        List<Block> ranges = new ArrayList<>(present().open);
        ranges.addAll(installed.subList((int) Math.max(installedBefore, 0), installed.size()));
        return ranges.stream().anyMatch(range -> covers(range, block));
    }

    /** Leaves out the highest integer that a holder was given, and all below it in the same range. */
    PoolValue withoutGiven(long given) {
        List<Block> left = new ArrayList<>();
        for (Block range : open) {
            addIfPresent(left, contains(range, given) ? above(range, given) : range);
        }
        return left.equals(open) ? this : withOpen(left, Math.max(highest, given));
    }

    /**
     * Adds a range of the parent store, once. A holder says how many installations it knew of when it had the range: if
     * its own has come before, it is among those since, which are remembered. If they are forgotten, the range is a gap.
     *
     * @param taken the range's integers up to this one are left out
     */
    PoolValue installed(Block range, long knownInstalls, long taken) {
        if (installs - knownInstalls > MAX_REMEMBERED || knownInstalls > installs || installed.contains(range)) {
            return this;
        }
        List<Block> more = new ArrayList<>(open);
        addIfPresent(more, above(range, taken));
        return new PoolValue(more, takeovers, highest, installs + 1, newest(installed, range, MAX_REMEMBERED));
    }

    static <T> List<T> newest(List<T> items, T next, int count) {
        List<T> kept = new ArrayList<>(items);
        kept.add(next);
        return kept.subList(Math.max(kept.size() - count, 0), kept.size());
    }

    private PoolValue withOpen(List<Block> newOpen, long newHighest) {
        return new PoolValue(newOpen, takeovers, newHighest, installs, installed);
    }

    /** Whether all open ranges together have at most half as many integers as the newest range had. */
    boolean isRunningLow() {
        long left = 0;
        for (Block range : open) {
            left = Math.min(left, Long.MAX_VALUE - range.count()) + range.count();
        }
        return installed.isEmpty()
                || left <= installed.get(installed.size() - 1).count() / 2;
    }

    /** Returns the beginning of the present owner. */
    Takeover present() {
        return takeovers.get(takeovers.size() - 1);
    }

    /** A new owner takes over. */
    PoolValue takenOver(long epoch) {
        Takeover takeover = new Takeover(epoch, open, installs);
        return new PoolValue(open, newest(takeovers, takeover, MAX_TAKEOVERS), highest, installs, installed);
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

    /** Leaves out all integers up to one. */
    PoolValue withoutAllUpTo(long integer) {
        List<Block> left = new ArrayList<>();
        open.forEach(range -> addIfPresent(left, above(range, integer)));
        return withOpen(left, highest);
    }

    static boolean covers(Block block, Block part) {
        return block.step() == part.step() && contains(block, part.first()) && contains(block, part.last());
    }

    static void addIfPresent(List<Block> blocks, @Nullable Block block) {
        if (block != null) {
            blocks.add(block);
        }
    }

    private static boolean contains(Block range, long integer) {
        return integer >= range.first() && integer <= range.last() && (integer - range.first()) % range.step() == 0;
    }

    /** Returns the part of a range above an integer; null if there is none. */
    static @Nullable Block above(Block range, long integer) {
        if (integer < range.first()) {
            return range;
        }
        long index = (integer - range.first()) / range.step() + 1;
        return index >= range.count() ? null : range.part(index, range.count());
    }
}
