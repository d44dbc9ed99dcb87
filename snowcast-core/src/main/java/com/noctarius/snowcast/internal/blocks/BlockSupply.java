// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.FlightEvents;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.base.Waits;
import com.noctarius.snowcast.store.Block;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * The blocks of one sequence: has the next one reserved before those in hand are used up, by at most one reservation at
 * a time.
 *
 * <p>The thread that watches all sequences in use looks whether a block is due. Calls have nothing to do with that,
 * except those that have run out, and those that move on to the next block while nobody watches. Thread-safe. Nothing
 * blocks but the end, and the threads that ask the store.
 */
final class BlockSupply {
    /** Bounds what a process that dies takes with it. */
    private static final int MAX_READY = 4;

    private final IntegerSequenceConfig config;
    private final CheckedStore store;
    private final Clock clock;
    private final Background background;
    private final Availability availability;
    private final WaitQueue waiters;
    private final Supplier<BlockCursor> inUse;
    private final ReservationLoop reservations;

    /** A monitor is enough: nothing that blocks is done under it. */
    private final Object lock = new Object();
    // --- guarded by the lock
    private final Demand demand;
    /** The first block in hand when one was added last, or one from which the calls had moved on meanwhile. */
    private BlockCursor first;
    /** The last block in hand. */
    private BlockCursor last;

    private boolean reserving;
    /** Since when the reservation under way is wanted: a thread has to wake up for it. */
    private long wantedSinceNanos;
    /** Whether a look is planned, or a reservation under way which plans one at its end. */
    private boolean isWatched;
    /** The number of the look that is planned; earlier ones are void. */
    private long lookNumber;
    /** Taken back from calls by the end of the sequence. */
    private long unusedCount;

    private long reservationCount;
    // ---

    /**
     * Makes a supply that has reserved nothing.
     *
     * @param waiters the calls that wait for a block
     * @param inUse gives the block in use, the first in hand; an empty one at the beginning
     */
    BlockSupply(
            IntegerSequenceConfig config,
            CheckedStore store,
            Clock clock,
            Background background,
            Availability availability,
            WaitQueue waiters,
            Supplier<BlockCursor> inUse) {
        this.config = config;
        this.store = store;
        this.clock = clock;
        this.background = background;
        this.availability = availability;
        this.waiters = waiters;
        this.inUse = inUse;
        this.reservations = new ReservationLoop(background, availability, this::reserve, this::failed);
        this.demand = new Demand(config);
        this.first = inUse.get();
        this.last = first;
    }

    /** How calls use the sequence at the time of a look. */
    private enum Use {
        /** A call moves on to the next block, and no look is planned. */
        BEGINS,
        GOES_ON,
        /** Nothing was used since the last look. */
        IDLE
    }

    /** Has a block reserved if one is due: a call has found nothing, or will soon. */
    void want() {
        look(Use.GOES_ON);
    }

    /** Begins the watch: a call has moved on from a block of which {@link BlockCursor#beginsWatch} says so. */
    void beginWatch() {
        look(Use.BEGINS);
    }

    // --- reservations

    /** Starts a reservation if one is due and none is under way; else plans when to look again. */
    private void look(Use use) {
        synchronized (lock) {
            long left = remaining();
            long now = clock.nanos();
            if (left == 0) {
                demand.ranOut(now);
            }
            if (reserving || (use == Use.BEGINS && isWatched)) {
                return;
            }
            double rate = demand.ratePerNano(usedCount(left), now);
            if (left > dueAt(rate, use)) {
                plan(use, rate, left);
                return;
            }
            watched(availability.admitReservation());
            if (!isWatched) {
                return;
            }
            reserving = true;
            wantedSinceNanos = now;
        }
        reservations.start();
    }

    /**
     * Returns with how many integers left in hand the next block is due: when a share of the last one is used, or
     * earlier, if that does not last until the next one is there. The watch ends with a whole block in hand, so that
     * the call that begins it again leaves the time of a block for the next reservation. With a threshold of 1 nothing
     * is wanted before all is used.
     */
    private long dueAt(double rate, Use use) {
        if (config.prefetchThreshold() >= 1) {
            return 0;
        }
        if (use != Use.GOES_ON) {
            return use == Use.BEGINS ? last.count : last.count - 1;
        }
        long used = Math.min(Math.max((long) Math.ceil(last.count * config.prefetchThreshold()), 1), last.count);
        List<BlockCursor> inHand = inHand();
        long atMost = inHand.size() <= MAX_READY
                ? Long.MAX_VALUE
                : last.end() - inHand.get(0).end();
        return Math.min(Math.max(last.count - used, demand.enough(rate) - 1), atMost);
    }

    /** Makes one reservation. Returns whether another one is needed. */
    private boolean reserve() {
        long size;
        long usedBefore;
        synchronized (lock) {
            if (availability.isClosed()) {
                reserving = false;
                return false;
            }
            usedBefore = usedCount(remaining());
            long now = clock.nanos();
            demand.measure(usedBefore, now);
            demand.looked(usedBefore, now);
            size = demand.blockSize();
        }
        long begin = clock.nanos();
        Block block = store.reserve(size);
        FlightEvents.reserved(config.name(), block.first(), block.count(), clock.nanos() - begin);
        boolean isTooLate;
        boolean isAnotherNeeded = false;
        synchronized (lock) {
            isTooLate = availability.isClosed();
            if (!isTooLate) {
                isAnotherNeeded = add(block, usedBefore);
            }
            reserving = isAnotherNeeded;
        }
        if (isTooLate) {
            store.giveBack(block);
        }
        waiters.wake();
        return isAnotherNeeded;
    }

    /** Adds a block to those in hand. Returns whether another one is needed; else plans the next look. */
    private boolean add(Block block, long usedBefore) {
        long now = clock.nanos();
        long left = remaining();
        long used = usedCount(left);
        reservationCount++;
        availability.reserved();
        demand.reserved(used, now - wantedSinceNanos, now);
        wantedSinceNanos = now;
        BlockCursor added = last.followedBy(block);
        last.next = added; // From here on a call may move on to it.
        last = added;
        cutOffUsedUp();
        double rate = demand.ratePerNano(used, now);
        // Not when nothing was used meanwhile: a burst that has ended needs no more.
        boolean isInUse = left == 0 || used > usedBefore;
        boolean isAnotherNeeded = isInUse && left + block.count() <= dueAt(rate, Use.GOES_ON);
        if (!isAnotherNeeded) {
            plan(Use.GOES_ON, rate, left + block.count());
        }
        return isAnotherNeeded;
    }

    /**
     * Cuts the chain behind the blocks that are used up: in the old generation they would keep all later ones from a
     * collection of the young one. Not done by the calls: they would have to wait for the memory of another processor.
     */
    private void cutOffUsedUp() {
        BlockCursor present = inUse.get();
        BlockCursor cursor = first;
        while (cursor != null && cursor != present) {
            BlockCursor next = cursor.next;
            cursor.next = null;
            cursor = next;
        }
        first = present;
    }

    private void failed(boolean isTriedAgain) {
        synchronized (lock) {
            reserving = isTriedAgain;
            watched(isTriedAgain);
        }
        waiters.wake();
    }

    // --- the watch; all of it under the lock, but for the look

    /** Plans the next look, unless nothing is used. */
    private void plan(Use use, double rate, long left) {
        watched(use != Use.IDLE && !availability.isClosed() && tryToPlan(rate, left));
    }

    /** Returns whether the look is planned: not if the process can have no thread for it. */
    private boolean tryToPlan(double rate, long left) {
        demand.looked(usedCount(remaining()), clock.nanos());
        long number = ++lookNumber;
        long delayNanos = demand.nextLookNanos(rate, left - dueAt(rate, Use.GOES_ON));
        try {
            background.check(() -> lookAgain(number), Duration.ofNanos(delayNanos));
            return true;
        } catch (RuntimeException | Error e) {
            return false; // The next call that moves on to another block tries again.
        }
    }

    private void lookAgain(long number) {
        Use use;
        synchronized (lock) {
            if (number != lookNumber || availability.isClosed()) {
                return;
            }
            use = demand.isUsedSinceLook(usedCount(remaining())) ? Use.GOES_ON : Use.IDLE;
        }
        look(use);
    }

    /** Notes whether somebody watches. If not, the call that moves on to the next block does more than that. */
    private void watched(boolean isWatched) {
        this.isWatched = isWatched;
        if (!isWatched) {
            BlockCursor marked;
            do {
                marked = inUse.get();
                marked.beginsWatch = true;
            } while (marked != inUse.get()); // Else a call may have moved on before it was marked.
        }
    }

    // --- what is in hand

    /** Returns the blocks in hand, the one in use first. */
    private List<BlockCursor> inHand() {
        List<BlockCursor> cursors = new ArrayList<>(MAX_READY + 1);
        BlockCursor first;
        do {
            cursors.clear();
            first = inUse.get();
            for (BlockCursor cursor = first; cursor != null; cursor = cursor.next) {
                cursors.add(cursor);
            }
        } while (first != inUse.get()); // Else the rest may have been cut off.
        return cursors;
    }

    /** How many integers are in hand. */
    long remaining() {
        return inHand().stream().mapToLong(BlockCursor::remaining).sum();
    }

    private long usedCount(long left) {
        return last.end() - left - unusedCount;
    }

    IntegerSequenceStats stats(Waits waits) {
        synchronized (lock) {
            long left = remaining();
            return new IntegerSequenceStats(
                    usedCount(left),
                    left,
                    Demand.timeToEmpty(left, demand.ratePerNano(usedCount(left), clock.nanos())),
                    demand.blockSize(),
                    reservationCount,
                    availability.failureCount(),
                    waits.count(),
                    waits.time(),
                    availability.problem(),
                    availability.isExhausted());
        }
    }

    /** Ends the sequence, and gives what is left of the blocks back, which may block. */
    void close(String reason) {
        List<Block> rests;
        synchronized (lock) {
            availability.close(reason);
            rests = takeBlocks();
        }
        waiters.wake();
        rests.forEach(store::giveBack);
    }

    /**
     * Leaves no block in hand. Returns the rests, the latest first: a store may take back only the last block it gave.
     */
    private List<Block> takeBlocks() {
        List<Block> rests = new ArrayList<>();
        for (BlockCursor cursor : inHand()) {
            Block rest = cursor.takeRest();
            if (rest != null) {
                rests.add(rest);
                unusedCount += rest.count();
            }
        }
        Collections.reverse(rests);
        return rests;
    }
}
