// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.internal.replica.Acknowledgers;
import com.noctarius.snowcast.store.Block;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
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
 * @param acknowledgers the backups that had to acknowledge what the present owner answered
 */
public record PoolValue(
        List<Block> open,
        List<Takeover> takeovers,
        long highest,
        long installs,
        List<Block> installed,
        Acknowledgers acknowledgers) {
    /** How many ranges a late copy of an installation may be behind. */
    static final int MAX_REMEMBERED = 64;

    /** How many owners a split may be behind. */
    static final int MAX_TAKEOVERS = 16;

    /**
     * What there was when an owner began; its epoch is random.
     *
     * @param member the backup that took over, or the member that created the sequence if nothing was lost before; else null
     * @param lastChange the last change that the backup knew; else 0
     */
    public record Takeover(long epoch, @Nullable UUID member, long lastChange, List<Block> open, long installs) {
        public Takeover {
            open = List.copyOf(open);
        }
    }

    /** Before the first life, on all sides of a split alike. */
    static final PoolValue NONE = new PoolValue(
            List.of(), List.of(new Takeover(0, null, 0, List.of(), 0)), -1, 0, List.of(), Acknowledgers.UNKNOWN);

    public PoolValue {
        open = List.copyOf(open);
        takeovers = List.copyOf(takeovers);
        installed = List.copyOf(installed);
    }

    /**
     * Begins the next life, or the same one anew after a loss. The owners of the former life are remembered: the network
     * may have been split before this life.
     *
     * @param highest the highest integer below its range
     * @param version above all numbers of installations in former lives, so that a delayed install of an earlier life is
     *     never mistaken for one of this life
     * @param creator the member that begins it, if it is known that nobody has created it before; else null
     */
    PoolValue beginning(List<Block> open, long highest, long version, long epoch, @Nullable UUID creator) {
        Takeover former = new Takeover(epoch, creator, 0, installed, version);
        List<Takeover> more = newest(takeovers, former, MAX_TAKEOVERS);
        return new PoolValue(open, more, highest, version, List.of(), Acknowledgers.UNKNOWN).takenOver(epoch, null, 0);
    }

    /** Returns the next block of at most that many; null if nothing is open. */
    @Nullable
    Block next(long size) {
        return open.isEmpty()
                ? null
                : open.get(0).part(0, Math.min(size, open.get(0).count()));
    }

    /** Takes the upper end of a block back; {@code highestNow} is the highest integer handed out without it. */
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
        return Stream.concat(present().open.stream(), installedSince(present().installs))
                .anyMatch(range -> covers(range, block));
    }

    /** Returns the ranges that were installed after that many others, as far as they are remembered. */
    Stream<Block> installedSince(long installsThen) {
        return installed.stream().skip(Math.max(installed.size() - (installs - installsThen), 0));
    }

    /** Leaves out the highest integer that a holder is or was given, and all below it in the same range. */
    PoolValue withoutGiven(long given) {
        List<Block> left = open.stream()
                .flatMap(range -> contains(range, given) ? above(range, given) : Stream.of(range))
                .toList();
        return left.equals(open) ? this : withOpen(left, Math.max(highest, given));
    }

    /**
     * Adds a range of the parent store, once. A holder says how many installations it knew of when it had the range: if
     * its own has come before, it is among those since, which are remembered. If they are forgotten, the range is a gap;
     * so is one that shares integers with another, as no parent store gives it. Integers up to {@code taken} are left out.
     */
    PoolValue installed(Block range, long knownInstalls, long taken) {
        boolean isShared = installed.stream().anyMatch(other -> mayShare(other, range));
        if (installs - knownInstalls > MAX_REMEMBERED || knownInstalls > installs || isShared) {
            return this;
        }
        List<Block> more = Stream.concat(open.stream(), above(range, taken)).toList();
        List<Block> newestRanges = newest(installed, range, MAX_REMEMBERED);
        return new PoolValue(more, takeovers, highest, installs + 1, newestRanges, acknowledgers);
    }

    /** Whether two ranges overlap and, by their steps, have the same integers somewhere. */
    private static boolean mayShare(Block one, Block other) {
        long gcd = BigInteger.valueOf(one.step())
                .gcd(BigInteger.valueOf(other.step()))
                .longValueExact();
        return one.first() <= other.last() && other.first() <= one.last() && (one.first() - other.first()) % gcd == 0;
    }

    static <T> List<T> newest(List<T> items, T next, int count) {
        List<T> kept = new ArrayList<>(items);
        kept.add(next);
        return kept.subList(Math.max(kept.size() - count, 0), kept.size());
    }

    private PoolValue withOpen(List<Block> newOpen, long newHighest) {
        return new PoolValue(newOpen, takeovers, newHighest, installs, installed, acknowledgers);
    }

    /** The present owner is about to answer a request, which some backups have to acknowledge. */
    PoolValue acknowledgedBy(List<UUID> backups, long lastChange) {
        return with(acknowledgers.next(backups, lastChange));
    }

    /** An answer is given from now on; it is not known who acknowledges it, unless that was said. */
    PoolValue answering() {
        return acknowledgers.isNothingAnswered() ? with(Acknowledgers.UNKNOWN) : this;
    }

    PoolValue with(Acknowledgers next) {
        return new PoolValue(open, takeovers, highest, installs, installed, next);
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

    Takeover present() {
        return takeovers.get(takeovers.size() - 1);
    }

    /** Whether the present life, or its end of a loss, began with a request of that epoch, as far as is remembered. */
    boolean isBegunBy(long epoch) {
        return takeovers.stream().anyMatch(takeover -> takeover.epoch == epoch);
    }

    PoolValue takenOver(long epoch, @Nullable UUID member, long lastChange) {
        Takeover takeover = new Takeover(epoch, member, lastChange, open, installs);
        List<Takeover> more = newest(takeovers, takeover, MAX_TAKEOVERS);
        Acknowledgers present = member == null ? Acknowledgers.UNKNOWN : Acknowledgers.NOTHING_ANSWERED;
        return new PoolValue(open, more, highest, installs, installed, present);
    }

    /** Leaves out all integers up to one. */
    PoolValue withoutAllUpTo(long integer) {
        return withOpen(open.stream().flatMap(range -> above(range, integer)).toList(), highest);
    }

    static boolean covers(Block block, Block part) {
        return block.step() == part.step() && contains(block, part.first()) && contains(block, part.last());
    }

    private static boolean contains(Block range, long integer) {
        return integer >= range.first() && integer <= range.last() && (integer - range.first()) % range.step() == 0;
    }

    /** Returns the part of a range above an integer, if there is one. */
    static Stream<Block> above(Block range, long integer) {
        if (integer < range.first()) {
            return Stream.of(range);
        }
        long index = (integer - range.first()) / range.step() + 1;
        return index >= range.count() ? Stream.empty() : Stream.of(range.part(index, range.count()));
    }
}
