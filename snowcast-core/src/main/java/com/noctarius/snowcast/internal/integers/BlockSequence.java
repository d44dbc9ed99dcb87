// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.WaitQueue;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of one process: a block in use, the next ones in hand, and at most one reservation under way.
 *
 * <p>Calls take positions of the present cursor by fetch-and-add. All else is done once per block, under a lock that is
 * never held while the store is asked. It is one class, since that lock guards what calls and reservations share: the
 * present cursor, the blocks in hand, and how fast they are used up.
 */
public final class BlockSequence implements IntegerSequence {
    private static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());
    private static final long FIRST_BACKOFF_MILLIS = 10;
    private static final long MAX_BACKOFF_MILLIS = 1_000;
    private static final int MAX_DOUBLINGS = 7;
    /** What is in hand is to last for as many reservations as slow as the slowest of late. */
    private static final int LASTS_RESERVATIONS = 4;

    private static final int MAX_READY = 4;
    /** How fast slow reservations are forgotten: by this part with each that follows. */
    private static final int FORGOTTEN_PART = 8;
    /** How long an exhausted store is not asked again: somebody may raise its limit, but not for every call. */
    private static final Duration EXHAUSTED_FOR = Duration.ofSeconds(1);

    private final IntegerSequenceConfig config;
    private final BlockStore store;
    private final Clock clock;
    private final Background background;
    private final WaitQueue waiters;
    private final @Nullable PositionRuns runs;

    /**
     * How often the blocks in hand were given up. Counted before the runs are emptied, and read by a call before it
     * takes a run from a block and after it has put it down: so either that call finds it changed, or its run was
     * emptied.
     */
    private final AtomicInteger discards = new AtomicInteger();

    /** Written under the lock, read by every call. A stale one is used up, or as good as the present one. */
    private volatile BlockCursor current = BlockCursor.empty();

    private final ReentrantLock lock = new ReentrantLock();
    // --- guarded by the lock
    private final BlockSizes sizes;
    private final Deque<BlockCursor> ready = new ArrayDeque<>();
    private boolean reserving;
    private int failuresInARow;
    private long issuedBefore;
    private long issuedShown;
    private long currentSinceNanos;
    private long slowestReservationNanos;
    private @Nullable Use lastUse;
    /** Zero until two looks have given one. */
    private double ratePerNano;

    private long blockCount;
    private long failureCount;
    private long waitCount;
    private long waitNanos;

    /** Null while nothing is wrong. Written under the lock, read by calls that wait. */
    private volatile @Nullable Failure failure;

    private volatile boolean closed;
    private volatile String closedBecause = "";

    /**
     * Why there is no block.
     *
     * @param since the first of the failures in a row
     * @param lastNanos the last of them
     */
    private record Failure(Instant since, long lastNanos, RuntimeException cause) {
        boolean isExhaustion() {
            return cause instanceof BlockStoreExhaustedException;
        }
    }

    /** How many integers were taken at some time. */
    private record Use(long issued, long nanos) {}

    /** PositionRuns what blocks. */
    public interface Background {
        /** PositionRuns a task on another thread, after a delay. */
        void run(Runnable task, Duration delay);
    }

    /** Makes a sequence; nothing is reserved before the first call. */
    public BlockSequence(IntegerSequenceConfig config, BlockStore store, Clock clock, Background background) {
        this.config = config;
        this.store = store;
        this.clock = clock;
        this.background = background;
        this.waiters = new WaitQueue(clock);
        this.runs = config.ordering() == Ordering.RELAXED ? new PositionRuns() : null;
        this.sizes = new BlockSizes(config);
        this.currentSinceNanos = clock.nanos();
    }

    @Override
    public String name() {
        return config.name();
    }

    // --- integers

    @Override
    public long next() throws InterruptedException {
        if (runs != null) {
            return nextOfRun(runs);
        }
        BlockCursor cursor = current;
        long position = cursor.take(1);
        if (position < cursor.mark) {
            return cursor.at(position);
        }
        return nextFrom(cursor, position);
    }

    /** Beyond the mark of a block, or beyond its end. */
    private long nextFrom(BlockCursor first, long firstPosition) throws InterruptedException {
        BlockCursor cursor = first;
        long position = firstPosition;
        while (position >= cursor.count) {
            cursor = successorOf(cursor);
            position = cursor.take(1);
        }
        if (position == cursor.mark) {
            reserveSoon();
        }
        return cursor.at(position);
    }

    private long nextOfRun(PositionRuns ofThreads) throws InterruptedException {
        long own = closed ? PositionRuns.NONE : ofThreads.take();
        if (own != PositionRuns.NONE) {
            return own;
        }
        BlockCursor cursor = current;
        while (true) {
            long taken = takeRun(ofThreads, cursor);
            if (taken != PositionRuns.NONE) {
                return taken;
            }
            cursor = successorOf(cursor);
        }
    }

    /** Returns the first integer of a run of a block, at its end one that another thread has left, or {@code NONE}. */
    private long takeRun(PositionRuns ofThreads, BlockCursor cursor) {
        int discardsBefore = discards.get();
        long length = ofThreads.lengthFor(cursor);
        long from = cursor.take(length);
        if (from >= cursor.count) {
            return closed ? PositionRuns.NONE : ofThreads.takeAny();
        }
        if (cursor.isMarkIn(from, length)) {
            reserveSoon();
        }
        long first = ofThreads.put(cursor, from, Math.min(from + length, cursor.count));
        if (discardsBefore != discards.get()) {
            ofThreads.discard(); // The run came after the others were.
        }
        return first;
    }

    @Override
    public OptionalLong tryNext() {
        long taken = runs == null || closed ? PositionRuns.NONE : runs.take();
        BlockCursor cursor = current;
        while (taken == PositionRuns.NONE) {
            taken = runs == null ? takeOne(cursor) : takeRun(runs, cursor);
            if (taken == PositionRuns.NONE) {
                if (!hasSuccessor(cursor)) {
                    return OptionalLong.empty();
                }
                cursor = current;
            }
        }
        return OptionalLong.of(taken);
    }

    private long takeOne(BlockCursor cursor) {
        long position = cursor.take(1);
        if (position >= cursor.count) {
            return PositionRuns.NONE;
        }
        if (position == cursor.mark) {
            reserveSoon();
        }
        return cursor.at(position);
    }

    @Override
    public void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, integers.length);
        int index = fromIndex;
        BlockCursor cursor = current;
        while (index < toIndex) {
            int wanted = toIndex - index;
            long position = cursor.take(wanted);
            if (cursor.isMarkIn(position, wanted)) {
                reserveSoon();
            }
            long end = Math.min(position + wanted, cursor.count);
            while (position < end) {
                integers[index++] = cursor.at(position++);
            }
            long left = PositionRuns.NONE;
            if (index < toIndex && runs != null && !closed) {
                left = runs.takeAny();
            }
            if (left != PositionRuns.NONE) {
                integers[index++] = left;
            } else if (index < toIndex) {
                cursor = successorOf(cursor);
            }
        }
    }

    /** Waits for the cursor that follows one that is used up. */
    private BlockCursor successorOf(BlockCursor usedUp) throws InterruptedException {
        if (!advance(usedUp)) {
            reserveSoon();
            long since = clock.nanos();
            try {
                waiters.await(() -> isWaitOver(usedUp) ? 0 : WaitQueue.UNTIL_WOKEN, config.maxWait());
            } finally {
                waited(clock.nanos() - since);
            }
            if (!advance(usedUp)) {
                throw nothingLeft();
            }
        }
        return current;
    }

    /** Whether the next block is there; if not, has one reserved, or fails if none will come. */
    private boolean hasSuccessor(BlockCursor usedUp) {
        if (advance(usedUp)) {
            return true;
        }
        reserveSoon();
        if (!isWaitOver(usedUp)) {
            return false;
        }
        if (!advance(usedUp)) {
            throw nothingLeft();
        }
        return true;
    }

    /** The lock first: waiting for it can use up a wake-up, and what is read afterwards is then what was told of. */
    private boolean isWaitOver(BlockCursor usedUp) {
        if (advance(usedUp)) {
            return true;
        }
        Failure present = failure;
        return closed || (present != null && present.isExhaustion());
    }

    /** Moves on to the block in hand if the given one is still the present one; says whether there is another than it. */
    private boolean advance(BlockCursor usedUp) {
        lock.lock();
        try {
            BlockCursor next = current == usedUp ? ready.poll() : null;
            if (next != null) {
                issuedBefore += usedUp.count;
                currentSinceNanos = clock.nanos();
                current = next;
            }
            return current != usedUp && !closed;
        } finally {
            lock.unlock();
        }
    }

    private RuntimeException nothingLeft() {
        if (closed) {
            return new SnowcastStateException("integer sequence " + config.name() + " must be open: " + closedBecause);
        }
        Failure present = failure;
        if (present != null && present.isExhaustion()) {
            return new IntegerSequenceExhaustedException(
                    "integer sequence " + config.name() + " is used up: " + present.cause.getMessage(), present.cause);
        }
        String what = "integer sequence " + config.name() + " got no block within " + config.maxWait();
        return present == null
                ? new SnowcastException(what + ": the store has not answered yet")
                : new SnowcastException(
                        what + ": reservations fail since " + present.since + ": " + present.cause, present.cause);
    }

    private void waited(long nanos) {
        lock.lock();
        try {
            waitCount++;
            waitNanos += nanos;
        } finally {
            lock.unlock();
        }
    }

    // --- reservations

    /** Starts a reservation, unless one is under way or enough is in hand. Does not block. */
    private void reserveSoon() {
        lock.lock();
        try {
            if (reserving || closed) {
                return;
            }
            measure();
            if (isEnoughReady() || isStillExhausted()) {
                return;
            }
            reserving = true;
            if (failure != null && failure.isExhaustion()) {
                failure = null; // Calls shall wait for the new answer.
            }
        } finally {
            lock.unlock();
        }
        inBackground(Duration.ZERO);
    }

    private boolean isStillExhausted() {
        Failure present = failure;
        return present != null && present.isExhaustion() && clock.nanos() - present.lastNanos < EXHAUSTED_FOR.toNanos();
    }

    /** Once per block, at its mark: what comes after that may be a wait, which says nothing about the block's size. */
    private void measure() {
        long nanos = clock.nanos();
        long taken = current.takenCount();
        if (taken == 0) {
            return;
        }
        sizes.used(taken, nanos - currentSinceNanos);
        // From look to look, so that a pause between two bursts counts: for bursts alone nobody would keep blocks.
        Use use = new Use(issuedBefore + taken, nanos);
        if (lastUse != null && use.issued > lastUse.issued) {
            ratePerNano = (use.issued - lastUse.issued) / (double) Math.max(nanos - lastUse.nanos, 1);
        }
        lastUse = use;
    }

    /**
     * Mostly one block is enough. One that is used up nearly as fast as the store gives the next needs company, unless
     * nothing is wanted before the block in use is at its end.
     */
    private boolean isEnoughReady() {
        return !ready.isEmpty()
                && (ready.size() >= MAX_READY
                        || config.prefetchThreshold() >= 1
                        || ratePerNano * slowestReservationNanos * LASTS_RESERVATIONS <= remaining());
    }

    private void inBackground(Duration delay) {
        try {
            background.run(this::reserve, delay);
        } catch (RuntimeException e) {
            // Nobody will try again: the next call does.
            failed(e, false);
        }
    }

    private void reserve() {
        boolean again = true;
        while (again) {
            again = reserveOne();
        }
    }

    /** Returns whether another is to follow at once. */
    private boolean reserveOne() {
        long size;
        int discardsBefore;
        lock.lock();
        try {
            if (closed) {
                reserving = false;
                return false;
            }
            size = sizes.size();
            discardsBefore = discards.get();
        } finally {
            lock.unlock();
        }
        try {
            long begin = clock.nanos();
            Block reserved = store.reserve(config.name(), size);
            return reserved(reserved, clock.nanos() - begin, discardsBefore);
        } catch (RuntimeException e) {
            failed(e, !(e instanceof BlockStoreExhaustedException));
            return false;
        }
    }

    private boolean reserved(Block reserved, long nanos, int discardsBefore) {
        Block usable = usable(reserved);
        boolean tooLate;
        boolean isDiscarded;
        boolean again;
        lock.lock();
        try {
            isDiscarded = discardsBefore != discards.get();
            blockCount++;
            slowestReservationNanos =
                    Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
            failure = null;
            failuresInARow = 0;
            tooLate = closed;
            if (!tooLate && !isDiscarded) {
                ready.add(BlockCursor.of(usable, config.prefetchThreshold()));
            }
            again = !tooLate && !isEnoughReady();
            reserving = again;
        } finally {
            lock.unlock();
        }
        if (tooLate && !isDiscarded) {
            giveBack(List.of(reserved));
        }
        waiters.wake();
        return again;
    }

    /** The part of a block that the configuration allows. */
    private Block usable(Block reserved) {
        if (reserved.first() < config.firstValue()) {
            throw new BlockStoreException("sequence " + config.name() + ": " + store + " must begin at "
                    + config.firstValue() + " or above, and gave " + reserved);
        }
        if (reserved.first() > config.lastValue()) {
            // Not the end for ever: a store of several ranges may have lower ones left.
            giveBack(List.of(reserved));
            throw new BlockStoreExhaustedException("the last value is " + config.lastValue());
        }
        long inRange = (config.lastValue() - reserved.first()) / reserved.step() + 1;
        return inRange >= reserved.count() ? reserved : reserved.part(0, inRange);
    }

    private void failed(RuntimeException cause, boolean triesAgain) {
        Duration delay;
        lock.lock();
        try {
            Failure before = failure;
            Instant since =
                    before == null || before.isExhaustion() ? Instant.ofEpochMilli(clock.millis()) : before.since;
            failure = new Failure(since, clock.nanos(), cause);
            failureCount++;
            delay = backoff(failuresInARow++);
            reserving = triesAgain;
        } finally {
            lock.unlock();
        }
        waiters.wake();
        if (triesAgain) {
            inBackground(delay);
        }
    }

    /** Exponential, and at random in its upper half: processes that failed together do not come back together. */
    private static Duration backoff(int failures) {
        long bound = Math.min(FIRST_BACKOFF_MILLIS << Math.min(failures, MAX_DOUBLINGS), MAX_BACKOFF_MILLIS);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
    }

    // --- the rest

    @Override
    public long remaining() {
        lock.lock();
        try {
            long inBlocks = ready.stream().mapToLong(BlockCursor::remaining).sum();
            return current.remaining() + inBlocks + (runs == null ? 0 : runs.remaining());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public IntegerSequenceStats stats() {
        lock.lock();
        try {
            long remaining = remaining();
            Failure present = failure;
            // A run that a thread has in its hand counts, and no longer when it is put down.
            issuedShown =
                    Math.max(issuedShown, issuedBefore + current.takenCount() - (runs == null ? 0 : runs.remaining()));
            return new IntegerSequenceStats(
                    issuedShown,
                    remaining,
                    timeToEmpty(remaining),
                    sizes.size(),
                    blockCount,
                    failureCount,
                    waitCount,
                    Duration.ofNanos(waitNanos),
                    problem(present));
        } finally {
            lock.unlock();
        }
    }

    private String problem(@Nullable Failure present) {
        if (closed) {
            return closedBecause;
        }
        return present == null ? "" : "reservations fail since " + present.since + ": " + present.cause;
    }

    private Duration timeToEmpty(long remaining) {
        long taken = current.takenCount();
        double rate = taken > 0 ? taken / (double) Math.max(clock.nanos() - currentSinceNanos, 1) : ratePerNano;
        double nanos = remaining == 0 ? 0 : remaining / rate;
        return nanos >= Long.MAX_VALUE ? IntegerSequenceStats.ENDLESS : Duration.ofNanos((long) nanos);
    }

    @Override
    public void close() {
        close("it was closed");
    }

    /** Ends this instance, with the reason for the calls that come later. */
    public void close(String reason) {
        List<Block> rests;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closedBecause = reason;
            closed = true;
            rests = takeBlocks();
        } finally {
            lock.unlock();
        }
        waiters.wake();
        giveBack(rests);
    }

    /** What a store fails to take is a gap, and no reason to keep the others from it. */
    private void giveBack(List<Block> rests) {
        for (Block rest : rests) {
            try {
                store.giveBack(config.name(), rest);
            } catch (RuntimeException e) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "integer sequence " + config.name() + ": could not give back " + rest + "; it is a gap: " + e);
            }
        }
    }

    /**
     * Gives up the blocks in hand, and one that is being reserved, without giving them back: somebody else may have
     * been given the same integers.
     */
    void discard() {
        lock.lock();
        try {
            takeBlocks();
            discards.incrementAndGet();
        } finally {
            lock.unlock();
        }
        if (runs != null) {
            runs.discard();
        }
    }

    /** Leaves no block in hand. Returns the rests, the latest first: a pool takes back its last block only. */
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
        return closed;
    }

    /** Returns the configuration. */
    IntegerSequenceConfig config() {
        return config;
    }

    /** Returns where its blocks are reserved. */
    BlockStore store() {
        return store;
    }

    @Override
    public String toString() {
        return "IntegerSequence{name=" + config.name() + ", remaining=" + remaining() + ", store=" + store + '}';
    }
}
