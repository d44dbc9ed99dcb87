// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.base.WaitQueue;
import com.noctarius.snowcast.internal.base.Waits;
import com.noctarius.snowcast.internal.holder.Demand.PlannedLook;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

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

    private final IntegerSequenceConfig config;
    private final CheckedStore store;
    private final Clock clock;
    private final Background background;
    private final WaitQueue waiters;
    private final AsyncCalls asyncCalls;
    private final Availability availability;
    private final Waits waits;
    private final ReservationLoop reservations;

    /** Written under the lock, read by every call. A stale one is used up, or as good as the present one. */
    private volatile BlockCursor current = BlockCursor.empty();

    /**
     * The look that is due, if any. A call takes a mark before it reads this, and a look sets it to null before it
     * reads whether the mark was taken. So the call wakes a thread, or the look finds the mark taken.
     */
    private volatile @Nullable PlannedLook look;

    /** A monitor is enough: nothing that blocks is done under it. */
    private final Object lock = new Object();
    // --- guarded by the lock
    private final Demand demand;
    private final Deque<BlockCursor> ready = new ArrayDeque<>();
    private boolean reserving;
    /** Integers handed out of all blocks before the one in use. */
    private long issuedBefore;

    private long currentSinceNanos;
    private long reservationCount;

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
        this.currentSinceNanos = clock.nanos();
    }

    // --- calls

    @Override
    public long next() throws InterruptedException {
        BlockCursor cursor = current;
        long taken;
        while ((taken = take(cursor)) == NONE) {
            cursor = successorOf(cursor);
        }
        return taken;
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
            if (cursor.isMarkIn(position, atMost)) {
                atMark(cursor);
            }
            if (position < cursor.count) {
                return new Block(cursor.at(position), Math.min(atMost, cursor.count - position), cursor.step);
            }
        }
    }

    @Override
    public void prefetch() throws InterruptedException {
        BlockCursor present = current;
        if (remaining() == 0 && !advanceOrReserve(present)) {
            waiters.await(
                    () -> tryToEndWait(present) || availability.isFailing() ? 0 : WaitQueue.UNTIL_WOKEN,
                    config.maxWait());
            advanceOrReserve(present);
        }
    }

    /** Returns an integer, or {@code NONE} when the block is used up. */
    private long take(BlockCursor cursor) {
        long position = cursor.take(1);
        if (position == cursor.mark) {
            atMark(cursor);
        }
        return position < cursor.count ? cursor.at(position) : NONE;
    }

    // --- from one block to the next

    /** Waits for the cursor that follows one that is used up. */
    private BlockCursor successorOf(BlockCursor usedUp) throws InterruptedException {
        if (!advance(usedUp)) {
            reserveSoon();
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
        reserveSoon();
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

    /** Moves on to the block in hand if the given one is still in use. Returns whether another one is in use. */
    private boolean advance(BlockCursor usedUp) {
        synchronized (lock) {
            BlockCursor next = current == usedUp ? ready.poll() : null;
            if (next != null) {
                issuedBefore += usedUp.count;
                currentSinceNanos = clock.nanos();
                current = next;
            }
            return current != usedUp && !isClosed();
        }
    }

    // --- reservations

    /** Starts a reservation, unless one is under way or enough is in hand. Does not block. */
    private void reserveSoon() {
        synchronized (lock) {
            if (reserving) {
                return;
            }
            long taken = current.takenCount();
            long now = clock.nanos();
            demand.measure(issuedBefore + taken, taken, now - currentSinceNanos, now);
            if (isEnoughReady() || !availability.admitReservation()) {
                return;
            }
            reserving = true;
        }
        reservations.start();
    }

    /**
     * One block is enough, unless it does not last until the next one is there. With a threshold of 1 nothing is wanted
     * before the block in use is at its end.
     */
    private boolean isEnoughReady() {
        return !ready.isEmpty()
                && (ready.size() >= MAX_READY || config.prefetchThreshold() >= 1 || demand.isEnough(remaining()));
    }

    /** Makes one reservation. Returns whether another one is needed. */
    private boolean reserve() {
        long size;
        synchronized (lock) {
            if (isClosed()) {
                reserving = false;
                return false;
            }
            size = demand.blockSize();
        }
        long begin = clock.nanos();
        Block block = store.reserve(size);
        long nanos = clock.nanos() - begin;
        FlightEvents.reserved(name(), block.first(), block.count(), nanos);
        boolean isTooLate;
        boolean isAnotherNeeded;
        synchronized (lock) {
            isTooLate = isClosed();
            if (!isTooLate) {
                ready.add(BlockCursor.of(block, config.prefetchThreshold()));
            }
            reservationCount++;
            demand.reserved(nanos);
            availability.reserved();
            isAnotherNeeded = !isClosed() && !isEnoughReady();
            reserving = isAnotherNeeded;
        }
        if (isTooLate) {
            store.giveBack(block);
        }
        waiters.wake();
        lookLater();
        return isAnotherNeeded;
    }

    private void failed(boolean isTriedAgain) {
        synchronized (lock) {
            reserving = isTriedAgain;
        }
        waiters.wake();
    }

    // --- looks

    /** Has a thread look at the next mark when it is due, if that is in time, so that no call has to wake a thread. */
    private void lookLater() {
        synchronized (lock) {
            BlockCursor next = current.isMarkTaken() ? ready.peek() : current;
            long now = clock.nanos();
            if (next == null || reserving || isClosed() || (look != null && look.dueNanos() - now > 0)) {
                return;
            }
            long untilMark = next.mark + 1 - next.takenCount() + (next == current ? 0 : current.remaining());
            PlannedLook due = demand.lookAt(next, untilMark, remaining() - untilMark, now);
            if (due != null) {
                look = due;
                try {
                    background.run(() -> lookNow(due), Duration.ofNanos(due.dueNanos() - now));
                } catch (RuntimeException | Error e) {
                    look = null; // No thread is to be had: the call that takes the mark tries again.
                }
            }
        }
    }

    private void lookNow(PlannedLook due) {
        look = null;
        // If the mark was not taken, the rate has fallen: the call that takes it wakes a thread.
        if (due.cursor().isMarkTaken()) {
            reserveSoon();
            lookLater();
        }
    }

    /** The call that takes a mark leaves the reservation to a look that is due soon. */
    private void atMark(BlockCursor cursor) {
        PlannedLook due = look;
        if (due == null || !due.isSoon(cursor, clock.nanos())) {
            reserveSoon();
        }
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
        synchronized (lock) {
            long inBlocks = ready.stream().mapToLong(BlockCursor::remaining).sum();
            return current.remaining() + inBlocks;
        }
    }

    @Override
    public IntegerSequenceStats stats() {
        synchronized (lock) {
            long remaining = remaining();
            long taken = current.takenCount();
            return new IntegerSequenceStats(
                    issuedBefore + taken,
                    remaining,
                    demand.timeToEmpty(remaining, taken, clock.nanos() - currentSinceNanos),
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
        while (!ready.isEmpty()) {
            rests.add(ready.removeLast().takeRest());
        }
        Block rest = current.takeRest();
        issuedBefore += current.count;
        if (rest != null) {
            issuedBefore -= rest.count();
            rests.add(rest);
        }
        current = BlockCursor.empty();
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
