// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.base.Waits;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A sequence of one process that hands out integers of blocks: one block in use, the next ones in hand, and at most one
 * reservation under way.
 *
 * <p>Calls take positions of the block in use by fetch-and-add. Everything else happens once per block, under a lock
 * that is not held while the store is asked.
 */
public final class BlockSequence implements IntegerSequence {
    /** What {@link #take} returns instead of an integer if the block is used up. */
    private static final long NONE = -1;

    /** Bounds what a process that dies takes with it. */
    private static final int MAX_READY = 4;

    private static final AtomicReferenceFieldUpdater<BlockSequence, BlockCursor> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(BlockSequence.class, BlockCursor.class, "current");

    private final IntegerSequenceConfig config;
    private final CheckedStore store;
    private final Clock clock;
    private final Background background;
    private final WaitQueue waiters;
    private final AsyncCalls asyncCalls;
    private final Availability availability;
    private final Waits waits;
    private final ReservationLoop reservations;

    /**
     * The block in use. Moved on by the calls that find it used up, and only then; never back. A stale one is used up,
     * or as good as the present one.
     */
    private volatile BlockCursor current = BlockCursor.empty();

    /** A monitor is enough: nothing that blocks is done under it. */
    private final Object lock = new Object();
    // --- guarded by the lock
    private final Demand demand;
    /** The last block in hand. */
    private BlockCursor last = current;

    private boolean reserving;
    /** Since when the reservation under way is wanted: a thread has to wake up for it. */
    private long wantedSinceNanos;
    /** Taken back from calls by the end of the sequence. */
    private long unusedCount;

    private long reservationCount;
    /** The number of the check that is planned; earlier ones are void. */
    private long checkNumber;
    /** How many integers were used when it was planned. */
    private long usedAtPlan;
    // ---

    /**
     * Whether a check is planned, or a reservation under way which plans one at its end. Written under the lock. A call
     * that moves on to the next block reads it, and begins the watch if it is false.
     */
    private volatile boolean isWatched;

    /** Makes a sequence that belongs to no {@code Snowcast}. Fails if the store will never serve it. */
    public static BlockSequence standalone(IntegerSequenceConfig config) {
        BlockSequence sequence =
                new BlockSequence(config, IntegerSequences.storeOf(config), SystemClock.INSTANCE, Background.THREADS);
        sequence.prepare();
        return sequence;
    }

    /** Makes a sequence; nothing is reserved before the first call. */
    BlockSequence(IntegerSequenceConfig config, BlockStore store, Clock clock, Background background) {
        this.config = config;
        this.store = new CheckedStore(config, store);
        this.clock = clock;
        this.background = background;
        this.waiters = new WaitQueue(clock);
        // All asynchronous calls wait for the same block: a failure to reserve it is the failure of all.
        this.asyncCalls = new AsyncCalls(this::tryNext, this::nextOrWait, clock, Duration.ZERO);
        this.availability = new Availability(config, store, clock);
        this.waits = new Waits(nanos -> FlightEvents.waited("integer sequence", config.name(), nanos));
        this.reservations = new ReservationLoop(background, availability, this::reserve, this::failed);
        this.demand = new Demand(config);
    }

    // --- calls

    @Override
    public long next() throws InterruptedException {
        BlockCursor cursor = current;
        long position;
        while ((position = cursor.take(1)) >= cursor.count) {
            cursor = successorOf(cursor);
        }
        return cursor.at(position);
    }

    @Override
    public OptionalLong tryNext() {
        long integer = tryNextOr(NONE);
        return integer == NONE ? OptionalLong.empty() : OptionalLong.of(integer);
    }

    @Override
    public long tryNextOr(long ifNone) {
        BlockCursor cursor = current;
        long taken;
        while ((taken = take(cursor)) == NONE) {
            if (!advanceOrReserve(cursor)) {
                return ifNone;
            }
            cursor = current;
        }
        return taken;
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return asyncCalls.next();
    }

    private OptionalLong nextOrWait() throws InterruptedException {
        BlockCursor cursor = current;
        long taken = take(cursor);
        if (taken != NONE) {
            return OptionalLong.of(taken);
        }
        successorOf(cursor);
        return OptionalLong.empty();
    }

    @Override
    public void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, integers.length);
        int index = fromIndex;
        while (index < toIndex) {
            Block run = nextRun(toIndex - index);
            for (long i = 0; i < run.count(); i++) {
                integers[index++] = run.at(i);
            }
        }
    }

    /** Takes at most so many consecutive integers of one block; waits for the first as {@link #next()} does. */
    public Block nextRun(int atMost) throws InterruptedException {
        for (BlockCursor cursor = current; ; cursor = successorOf(cursor)) {
            long position = cursor.take(atMost);
            if (position < cursor.count) {
                return cursor.from(position, atMost);
            }
        }
    }

    /** Leaves the block to the first call, which begins the watch. */
    @Override
    public void prefetch() throws InterruptedException {
        if (remaining() == 0) {
            look(Use.GOES_ON);
            waiters.await(() -> isPrefetched() ? 0 : WaitQueue.UNTIL_WOKEN, config.maxWait());
            if (remaining() == 0 && availability.isRefusing()) {
                throw availability.refusal();
            }
        }
    }

    private boolean isPrefetched() {
        return remaining() > 0 || availability.isRefusing() || availability.isFailing();
    }

    /** Returns an integer, or {@code NONE} when the block is used up. */
    private long take(BlockCursor cursor) {
        long position = cursor.take(1);
        return position < cursor.count ? cursor.at(position) : NONE;
    }

    // --- from one block to the next

    /** Waits for the cursor that follows one that is used up. */
    private BlockCursor successorOf(BlockCursor usedUp) throws InterruptedException {
        if (!advance(usedUp)) {
            look(Use.GOES_ON);
            long since = waits.begin(clock);
            try {
                waiters.await(() -> tryToEndWait(usedUp) ? 0 : WaitQueue.UNTIL_WOKEN, config.maxWait());
            } finally {
                waits.end(clock, since);
            }
            if (!advance(usedUp)) {
                throw availability.refusal();
            }
        }
        return current;
    }

    /** Returns whether the next block is in use. If it is not there, has one reserved, or fails if none will come. */
    private boolean advanceOrReserve(BlockCursor usedUp) {
        if (advance(usedUp)) {
            return true;
        }
        look(Use.GOES_ON);
        boolean isOver = tryToEndWait(usedUp);
        if (isOver && !advance(usedUp)) {
            throw availability.refusal();
        }
        return isOver;
    }

    /** Returns whether a wait is over. The next block first: what is read then is as new as the reason of a wake-up. */
    private boolean tryToEndWait(BlockCursor usedUp) {
        return advance(usedUp) || availability.isRefusing();
    }

    /** Moves on to the next block in hand if the given one is still in use. Returns whether another one is in use. */
    private boolean advance(BlockCursor usedUp) {
        BlockCursor next = usedUp.next;
        if (next != null && CURRENT.compareAndSet(this, usedUp, next)) {
            usedUp.next = null; // An old block would keep all later ones from a collection of the young generation.
            if (!isWatched) {
                look(Use.BEGINS);
            }
        }
        return current != usedUp;
    }

    /** Returns the blocks in hand, the one in use first. */
    private List<BlockCursor> inHand() {
        List<BlockCursor> cursors = new ArrayList<>(MAX_READY + 1);
        BlockCursor first;
        do {
            cursors.clear();
            first = current;
            for (BlockCursor cursor = first; cursor != null; cursor = cursor.next) {
                cursors.add(cursor);
            }
        } while (first != current); // Else the rest may have been cut off.
        return cursors;
    }

    // --- reservations

    /** How calls use the sequence at the time of a look. */
    private enum Use {
        /** A call moves on to the next block, and no look is planned. */
        BEGINS,
        GOES_ON,
        /** Nothing was used since the last look. */
        IDLE
    }

    /**
     * Starts a reservation if one is due and none is under way; else plans when to look again. Does not block. Called
     * by the thread that watches all sequences; by a call that has run out; and by one that moves on to the next block
     * while no look is planned.
     */
    private void look(Use use) {
        synchronized (lock) {
            long left = remaining();
            long now = clock.nanos();
            if (left == 0) {
                demand.ranOut(now);
            }
            if (reserving) {
                return;
            }
            double rate = demand.ratePerNano(usedCount(left), now);
            if (left > dueAt(rate, use)) {
                plan(use, rate, left);
                return;
            }
            isWatched = availability.admitReservation();
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
            if (isClosed()) {
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
        long end = clock.nanos();
        FlightEvents.reserved(name(), block.first(), block.count(), end - begin);
        boolean isTooLate;
        boolean isAnotherNeeded;
        synchronized (lock) {
            isTooLate = isClosed();
            long left = remaining();
            long used = usedCount(left);
            reservationCount++;
            demand.reserved(used, end - wantedSinceNanos, end);
            wantedSinceNanos = end;
            availability.reserved();
            if (!isTooLate) {
                BlockCursor added = last.followedBy(block);
                last.next = added; // From here on a call may move on to it, and cut it off from the one before.
                last = added;
            }
            double rate = demand.ratePerNano(used, end);
            // Not when nothing was used meanwhile: a burst that has ended needs no more.
            boolean isInUse = left == 0 || used > usedBefore;
            isAnotherNeeded = !isTooLate && isInUse && left + block.count() <= dueAt(rate, Use.GOES_ON);
            reserving = isAnotherNeeded;
            if (!isAnotherNeeded) {
                plan(Use.GOES_ON, rate, left + block.count());
            }
        }
        if (isTooLate) {
            store.giveBack(block);
        }
        waiters.wake();
        return isAnotherNeeded;
    }

    private void failed(boolean isTriedAgain) {
        synchronized (lock) {
            reserving = isTriedAgain;
            isWatched = isTriedAgain;
        }
        waiters.wake();
    }

    // --- the watch

    /** Plans the next look, unless nothing is used. To be called under the lock. */
    private void plan(Use use, double rate, long left) {
        isWatched = use != Use.IDLE && !isClosed() && tryToPlan(rate, left);
    }

    /** Returns whether the look is planned: not if the process can have no thread for it. */
    private boolean tryToPlan(double rate, long left) {
        usedAtPlan = usedCount(remaining());
        demand.looked(usedAtPlan, clock.nanos());
        long number = ++checkNumber;
        long delayNanos = demand.nextLookNanos(rate, left - dueAt(rate, Use.GOES_ON));
        try {
            background.check(() -> check(number), Duration.ofNanos(delayNanos));
            return true;
        } catch (RuntimeException | Error e) {
            return false; // The next call that moves on to another block tries again.
        }
    }

    private void check(long number) {
        Use use;
        synchronized (lock) {
            if (number != checkNumber || isClosed()) {
                return;
            }
            use = usedCount(remaining()) == usedAtPlan ? Use.IDLE : Use.GOES_ON;
        }
        look(use);
    }

    // --- what it is, and how it is

    IntegerSequenceConfig config() {
        return config;
    }

    @Override
    public String name() {
        return config.name();
    }

    BlockStore store() {
        return store.unchecked();
    }

    /** Fails if the store will never serve this sequence. Whether the store can be reached, the first call shows. */
    void prepare() {
        store.prepare();
    }

    boolean isPrepared() {
        return store.isPrepared();
    }

    @Override
    public long remaining() {
        return inHand().stream().mapToLong(BlockCursor::remaining).sum();
    }

    private long usedCount(long left) {
        return last.end() - left - unusedCount;
    }

    @Override
    public IntegerSequenceStats stats() {
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

    // --- the end

    @Override
    public void close() {
        close("it was closed");
    }

    /** Gives what is left of the blocks back, which may block. */
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

    @Override
    public boolean isClosed() {
        return availability.isClosed();
    }

    @Override
    public String toString() {
        return "IntegerSequence{name=" + config.name() + ", remaining=" + remaining() + ", store=" + store() + ", "
                + IntegerSequences.settings(config) + '}';
    }
}
