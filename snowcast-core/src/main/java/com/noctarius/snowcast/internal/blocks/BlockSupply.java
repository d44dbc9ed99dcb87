// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.base.WaitQueue.Waits;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Reserves the blocks of one sequence, usually each before the reserved integers are used up: one reservation at a
 * time, on another thread, repeated with growing delays after temporary failures. Calls check whether a block is
 * needed: once per block, at {@link BlockCursor#prefetchAt}, and if they find no integer. Thread-safe. Only
 * {@link #prepare} and {@link #close} block, because they call the store.
 */
final class BlockSupply {
    private static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());

    /** The maximum number of prefetched blocks, which limits the gap if a process dies. */
    private static final int MAX_READY = 4;

    private static final long FIRST_BACKOFF_MILLIS = 10;
    private static final long MAX_BACKOFF_MILLIS = 1_000;
    private static final int MAX_DOUBLINGS = 7;

    private final IntegerSequenceConfig config;
    final BlockStore store;
    private final Clock clock;
    private final Background background;
    final Availability availability;
    /** The calls that wait for a block. */
    final WaitQueue waiters;

    final Waits waits = new Waits();
    private final Supplier<BlockCursor> inUse;
    private volatile boolean isPrepared;

    private final Object lock = new Object();
    // --- guarded by the lock
    private final Demand demand;
    /** The block that was in use when the last block was added. */
    private BlockCursor first;
    /** The last reserved block. */
    private BlockCursor last;

    /** Whether a thread reserves blocks or will try again. */
    private boolean reserving;
    /** When the running reservation became due. */
    private long wantedSinceNanos;
    /** How many integers were reserved, without those that were withdrawn when the sequence was closed. */
    private long integerCount;

    private long reservationCount;
    private long failureCount;
    // ---

    /**
     * Makes a supply that has reserved nothing.
     *
     * @param inUse returns the block in use; an empty block before the first reservation
     */
    BlockSupply(
            IntegerSequenceConfig config,
            BlockStore store,
            Clock clock,
            Background background,
            Supplier<BlockCursor> inUse) {
        this.config = config;
        this.store = store;
        this.clock = clock;
        this.background = background;
        this.availability = new Availability(config, store, clock);
        this.waiters = new WaitQueue(clock);
        this.inUse = inUse;
        this.demand = new Demand(config);
        this.first = inUse.get();
        this.last = first;
    }

    // --- the store

    /** Fails if the store rejects this sequence. Only logs other exceptions, such as that of an unreachable store. */
    void prepare() {
        try {
            store.prepare(config.name(), config.firstValue());
        } catch (NonTransientBlockStoreException e) {
            throw e;
        } catch (RuntimeException e) {
            warn("not known whether the store has it: " + e);
        }
        isPrepared = true;
    }

    /** Returns whether {@link #prepare} has returned without an exception. */
    boolean isPrepared() {
        return isPrepared;
    }

    /**
     * Reserves a block and cuts it off at the last value. If the block begins out of range, gives it back and fails.
     */
    private Block reserveInRange(long size) {
        String name = config.name();
        Block block = Objects.requireNonNull(
                store.reserve(name, size), () -> "no block for sequence " + name + ": reserve() must not return null");
        if (block.first() < config.firstValue()) {
            giveBack(block);
            throw new NonTransientBlockStoreException("sequence " + name + ": " + store + " must begin at "
                    + config.firstValue() + " or above, and gave " + block);
        }
        if (block.first() > config.lastValue()) {
            // A retry may succeed: a store of several shards may have lower integers left.
            giveBack(block);
            throw new BlockStoreExhaustedException("the last value is " + config.lastValue());
        }
        long inRange = (config.lastValue() - block.first()) / block.step() + 1;
        return inRange >= block.count() ? block : block.part(0, inRange);
    }

    /** Returns integers to the store. Only logs a failure, so that the caller can still return other blocks. */
    private void giveBack(Block rest) {
        try {
            store.giveBack(config.name(), rest);
        } catch (RuntimeException e) {
            warn("could not give back " + rest + ", a gap: " + e);
        }
    }

    private void warn(String message) {
        LOGGER.log(Level.WARNING, "integer sequence " + config.name() + ": " + message);
    }

    // --- reservations

    /** Starts a reservation if a block is needed. */
    void want() {
        synchronized (lock) {
            long left = remaining();
            long now = clock.nanos();
            demand.measure(usedCount(left), left == 0, now);
            // A running reservation checks at its end whether another block is needed.
            if (reserving || !isBlockNeeded(usedCount(left), now) || !availability.admitReservation()) {
                return;
            }
            reserving = true;
            wantedSinceNanos = now;
        }
        reserveAfter(Duration.ZERO);
    }

    /**
     * Returns whether a block has to be reserved: if there is no later {@link BlockCursor#prefetchAt}, at which the
     * next check would come, or if the integers after it would not last until a further block is reserved; but not if
     * {@link #MAX_READY} blocks follow the block in use.
     */
    private boolean isBlockNeeded(long usedCount, long nowNanos) {
        List<BlockCursor> inHand = inHand();
        if (inHand.size() > MAX_READY) {
            return false;
        }
        long leftAtNextCheck = -1;
        for (BlockCursor cursor : inHand) {
            leftAtNextCheck = leftAtNextCheck < 0 ? cursor.leftAfterPrefetchAt() : leftAtNextCheck + cursor.count;
        }
        long enough = config.prefetchThreshold() < 1 ? demand.enough(demand.ratePerNano(usedCount, nowNanos)) : 0;
        return leftAtNextCheck < enough;
    }

    /** Makes reservations on a background thread while more are needed. */
    private void reserveAfter(Duration delay) {
        try {
            background.run(this::reserveWhileNeeded, delay);
        } catch (RuntimeException | Error e) {
            // The background rejects the task, or the process can have no more threads.
            failed(e, delay.isZero());
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
                return false;
            }
            size = demand.blockSize();
            usedBefore = usedCount(remaining());
        }
        Block block = reserveInRange(size);
        boolean isTooLate;
        boolean isAnotherNeeded = false;
        synchronized (lock) {
            isTooLate = availability.isClosed();
            if (!isTooLate) {
                isAnotherNeeded = add(block, usedBefore);
                reserving = isAnotherNeeded;
            }
        }
        if (isTooLate) {
            giveBack(block);
        }
        waiters.wake();
        return isAnotherNeeded;
    }

    /** Adds a reserved block. Returns whether another reservation is needed. */
    private boolean add(Block block, long usedBefore) {
        long now = clock.nanos();
        long left = remaining();
        long used = usedCount(left);
        reservationCount++;
        availability.reserved();
        demand.reserved(used, left == 0, now - wantedSinceNanos, now);
        wantedSinceNanos = now;
        BlockCursor added = BlockCursor.of(block, config.prefetchThreshold());
        integerCount += added.count;
        last.next = added; // A call may now move to the added block.
        last = added;
        cutOffUsedUp();
        // If calls used nothing during the reservation, the burst has ended and needs no more blocks.
        boolean isInUse = left == 0 || used > usedBefore;
        return isInUse && isBlockNeeded(used, now);
    }

    /**
     * Unlinks the used-up blocks: one in the garbage collector's old generation would keep all later blocks alive.
     * Calls do not unlink blocks, because that would cost them cache misses.
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
        Duration delay;
        boolean isTriedAgain;
        synchronized (lock) {
            // First of all, because the next lines may throw, for example if memory is short: while this is true, no
            // reservation begins.
            reserving = false;
            failureCount++;
            // An error, such as a lack of memory, may be temporary.
            delay = backoff(availability.failed(
                    e instanceof RuntimeException exception ? exception : new BlockStoreException(e.toString(), e)));
            isTriedAgain = mayPass && !availability.isRefusing();
            reserving = isTriedAgain;
        }
        waiters.wake();
        if (isTriedAgain) {
            reserveAfter(delay);
        }
    }

    /** Returns an exponential delay, half of it random, so that not all processes retry at the same time. */
    private static Duration backoff(int failuresInARow) {
        long bound = Math.min(FIRST_BACKOFF_MILLIS << Math.min(failuresInARow - 1, MAX_DOUBLINGS), MAX_BACKOFF_MILLIS);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
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
        return integerCount - left;
    }

    IntegerSequence.Stats stats() {
        synchronized (lock) {
            long left = remaining();
            boolean isUnused = reservationCount == 0 && failureCount == 0;
            return new IntegerSequence.Stats(
                    usedCount(left),
                    left,
                    isUnused
                            ? IntegerSequence.Stats.ENDLESS
                            : Demand.timeToEmpty(left, demand.ratePerNano(usedCount(left), clock.nanos())),
                    demand.blockSize(),
                    reservationCount,
                    failureCount,
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
        rests.forEach(this::giveBack);
    }

    /** Withdraws all blocks. Returns the rests in reverse order: a store may take back only its last block. */
    private List<Block> takeBlocks() {
        List<Block> rests = new ArrayList<>();
        for (BlockCursor cursor : inHand()) {
            Block rest = cursor.takeRest();
            if (rest != null) {
                rests.add(rest);
                integerCount -= rest.count();
            }
        }
        Collections.reverse(rests);
        return rests;
    }

    /** Runs reservations and, at a shutdown, closings on background threads, because stores block. */
    interface Background {
        /** The threads of this process: one for each running reservation or closing. */
        Background THREADS = new Background() {
            private final Executor threads = Threads.named("snowcast.reservations");

            @Override
            public void run(Runnable task, Duration delay) {
                if (delay.isZero()) {
                    threads.execute(task);
                } else {
                    Delays.execute(task, delay.toNanos(), threads);
                }
            }
        };

        /** Runs a task on another thread, after a delay. Does not block. */
        void run(Runnable task, Duration delay);

        /** Runs a task on another thread, or on this one if no thread can be created. */
        default void runInAnyCase(Runnable task) {
            try {
                run(task, Duration.ZERO);
            } catch (RuntimeException | Error e) {
                task.run();
            }
        }
    }
}
