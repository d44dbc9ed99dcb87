// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.base.Waits;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Reserves the blocks of one sequence, usually each before the reserved integers are used up. At most one reservation
 * runs at a time. After a temporary failure it is retried, with growing delays.
 *
 * <p>While a sequence is in use, it is <em>watched</em>: a timer thread checks periodically whether the next block is
 * due. A call makes this check only if it finds no integer, or if it moves to the next block while the sequence is not
 * watched. Thread-safe. No method blocks except {@link #close}, which calls the store. Other calls of the store run on
 * threads that may block.
 */
final class BlockSupply {
    /** The maximum number of prefetched blocks, which limits the gap if a process dies. */
    private static final int MAX_READY = 4;

    private static final long FIRST_BACKOFF_MILLIS = 10;
    private static final long MAX_BACKOFF_MILLIS = 1_000;
    private static final int MAX_DOUBLINGS = 7;

    private final IntegerSequenceConfig config;
    private final CheckedStore store;
    private final Clock clock;
    private final Background background;
    private final Availability availability;
    private final WaitQueue waiters;
    private final Supplier<BlockCursor> inUse;

    /** A monitor suffices, because no thread blocks while it holds this lock. */
    private final Object lock = new Object();
    // --- guarded by the lock
    private final Demand demand;
    /** The block that was in use when the last block was added. */
    private BlockCursor first;
    /** The last reserved block. */
    private BlockCursor last;

    /**
     * Whether a thread reserves blocks or will try again. If no thread can be started for this, a later call tries to
     * start one.
     */
    private boolean reserving;
    /** When the running reservation became due: its measured duration includes the start of its thread. */
    private long wantedSinceNanos;
    /** Whether a check is scheduled, or a reservation is running, which schedules a check at its end. */
    private boolean isWatched;
    /** The number of the scheduled check; a check with another number does nothing. */
    private long lookNumber;
    /** How many unused integers were withdrawn when the sequence was closed. */
    private long unusedCount;

    private long reservationCount;
    // ---

    /**
     * Makes a supply that has reserved nothing.
     *
     * @param waiters the calls that wait for a block
     * @param inUse returns the block in use; an empty block before the first reservation
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
        this.demand = new Demand(config);
        this.first = inUse.get();
        this.last = first;
    }

    /** How calls use the sequence at the time of a check. */
    private enum Use {
        /** A call moves to the next block, and no check is scheduled. */
        BEGINS,
        GOES_ON,
        /** No integer was used since the last check. */
        IDLE
    }

    /** Starts a reservation if one is due; to be called if no integer is left. */
    void want() {
        reserveIfDue(Use.GOES_ON);
    }

    /** Starts the periodic checks, because a call has moved on from a block with {@link BlockCursor#beginsWatch}. */
    void beginWatch() {
        reserveIfDue(Use.BEGINS);
    }

    // --- reservations

    /**
     * Starts a reservation if one is due and may begin. If none is due, schedules the next check, unless the sequence
     * is idle. While a reservation is running, starts and schedules nothing.
     */
    private void reserveIfDue(Use use) {
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
        reserveAfter(Duration.ZERO);
    }

    /**
     * Returns at how many remaining integers the next block is due. It is due when the configured share of the last
     * block is used, or earlier if the remaining integers would not last until the next block is reserved. The checks
     * of an idle sequence end only when a whole block is left: when calls use the sequence again, that block must last
     * until the next block is reserved. Unless the block in use is used up, at most {@link #MAX_READY} blocks follow
     * it. With a threshold of 1, a block is due only when all integers are used.
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

    /** Makes reservations on a background thread, one after the other while more are needed. */
    private void reserveAfter(Duration delay) {
        try {
            background.run(this::reserveWhileNeeded, delay);
        } catch (RuntimeException | Error e) {
            // The background rejects the task, or the process can have no more threads.
            failed(e, false);
        }
    }

    private void reserveWhileNeeded() {
        try {
            boolean isAnotherNeeded = true;
            while (isAnotherNeeded) {
                isAnotherNeeded = reserve();
            }
        } catch (RuntimeException | Error e) {
            failed(e, true);
        }
    }

    /** Makes one reservation, unless the sequence is closed. Returns whether another reservation is needed. */
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
        Block block = store.reserve(size);
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

    /** Adds a reserved block. Returns whether another reservation is needed; if not, schedules the next check. */
    private boolean add(Block block, long usedBefore) {
        long now = clock.nanos();
        long left = remaining();
        long used = usedCount(left);
        reservationCount++;
        availability.reserved();
        demand.reserved(used, now - wantedSinceNanos, now);
        wantedSinceNanos = now;
        BlockCursor added = last.followedBy(block);
        last.next = added; // A call may now move to the added block.
        last = added;
        cutOffUsedUp();
        double rate = demand.ratePerNano(used, now);
        // If calls used nothing during the reservation, the burst has ended and needs no more blocks.
        boolean isInUse = left == 0 || used > usedBefore;
        boolean isAnotherNeeded = isInUse && left + block.count() <= dueAt(rate, Use.GOES_ON);
        if (!isAnotherNeeded) {
            plan(Use.GOES_ON, rate, left + block.count());
        }
        return isAnotherNeeded;
    }

    /**
     * Unlinks the used-up blocks. A used-up block in the garbage collector's old generation would otherwise keep all
     * later blocks alive during collections of the young generation. Calls do not unlink blocks, because that would
     * cost them cache misses.
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

    private void failed(Throwable e, boolean mayPass) {
        Duration delay = Duration.ZERO;
        boolean isTriedAgain = false;
        try {
            delay = backoff(availability.failed(failure(e)));
            isTriedAgain = mayPass && !availability.isRefusing();
        } finally {
            // Reset the field even if the lines above throw, for example because memory is short: while it is true, no
            // other reservation is started.
            synchronized (lock) {
                reserving = isTriedAgain;
                watched(isTriedAgain);
            }
            waiters.wake();
        }
        if (isTriedAgain) {
            reserveAfter(delay);
        }
    }

    /** Wraps an error, such as a lack of memory: it may be temporary, and must not end the reservations forever. */
    private static RuntimeException failure(Throwable e) {
        return e instanceof RuntimeException exception ? exception : new BlockStoreException(e.toString(), e);
    }

    /** Returns an exponential delay. Half of the delay is random, so that not all processes retry at the same time. */
    private static Duration backoff(int failuresInARow) {
        long bound = Math.min(FIRST_BACKOFF_MILLIS << Math.min(failuresInARow - 1, MAX_DOUBLINGS), MAX_BACKOFF_MILLIS);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
    }

    // --- periodic checks; callers of all methods but lookAgain hold the lock

    /** Schedules the next check of how many integers are left, unless the sequence is idle. */
    private void plan(Use use, double rate, long left) {
        watched(use != Use.IDLE && !availability.isClosed() && tryToPlan(rate, left));
    }

    /** Schedules a check; returns false if the process can have no thread for it. */
    private boolean tryToPlan(double rate, long left) {
        demand.looked(usedCount(remaining()), clock.nanos());
        long number = ++lookNumber;
        long delayNanos = demand.nextLookNanos(rate, left - dueAt(rate, Use.GOES_ON));
        try {
            background.check(() -> lookAgain(number), Duration.ofNanos(delayNanos));
            return true;
        } catch (RuntimeException | Error e) {
            return false; // The next call that moves to another block tries again.
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
        reserveIfDue(use);
    }

    /** Records whether the sequence is watched. If not, the call that moves to the next block starts the checks. */
    private void watched(boolean isWatched) {
        this.isWatched = isWatched;
        if (!isWatched) {
            BlockCursor marked;
            do {
                marked = inUse.get();
                marked.beginsWatch = true;
            } while (marked != inUse.get()); // A call may have moved to the next block before it saw the mark.
        }
    }

    // --- reserved integers

    /** Returns the reserved blocks, beginning with the block in use. */
    private List<BlockCursor> inHand() {
        List<BlockCursor> cursors = new ArrayList<>(MAX_READY + 1);
        BlockCursor first;
        do {
            cursors.clear();
            first = inUse.get();
            for (BlockCursor cursor = first; cursor != null; cursor = cursor.next) {
                cursors.add(cursor);
            }
        } while (first != inUse.get()); // If a call has moved on, blocks may be missing in the list.
        return cursors;
    }

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

    /** Closes the sequence, and returns the unused integers to the store, which may block. */
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
     * Withdraws all blocks. Returns the unused parts in reverse order, because a store may take back only its last
     * block.
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
