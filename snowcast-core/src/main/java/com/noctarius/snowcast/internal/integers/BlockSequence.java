// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.AsyncCalls;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.Delays;
import com.noctarius.snowcast.internal.clock.Threads;
import com.noctarius.snowcast.internal.clock.WaitQueue;
import com.noctarius.snowcast.internal.integers.CallLine.Caller;
import com.noctarius.snowcast.internal.metrics.FlightEvents;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of one process: a block in use, the next ones in hand, and at most one reservation under way.
 *
 * <p>Calls take positions of the present cursor by fetch-and-add. All else is done once per block, under a lock that is
 * never held while the store is asked. It is one class, since that lock guards what calls and reservations share: the
 * present cursor, the blocks in hand, and how fast they are used up.
 */
public final class BlockSequence implements IntegerSequence {
    /** The threads on which this process asks its stores: one per reservation under way, at most one per sequence. */
    private static final Executor THREADS = Threads.named("snowcast.blocks");

    public static final Background ON_THREADS = (task, delay) -> {
        if (delay.isZero()) {
            THREADS.execute(task);
        } else {
            Delays.execute(task, delay.toNanos(), THREADS);
        }
    };

    /** Returned instead of an integer: there is none. */
    private static final long NONE = -1;

    static final System.Logger LOGGER = System.getLogger(IntegerSequence.class.getName());
    private static final long FIRST_BACKOFF_MILLIS = 10;
    private static final long MAX_BACKOFF_MILLIS = 1_000;
    private static final int MAX_DOUBLINGS = 7;
    /** What is in hand is to last for as many reservations as slow as the slowest of late. */
    private static final int LASTS_RESERVATIONS = 4;

    private static final int MAX_READY = 4;
    /** Looks are timed for blocks that last from so long to a thousand times as long; else calls at marks wake a thread. */
    private static final long MIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A look comes later than its mark by this part of what can be spared; a call as much before its time is early. */
    private static final int LATER_PART = 4;
    /** How fast slow reservations are forgotten: by this part with each that follows. */
    private static final int FORGOTTEN_PART = 8;
    /** How long a store that failed for good is not asked again: somebody may help it, but not for every call. */
    private static final Duration FAILED_FOR = Duration.ofSeconds(1);

    final IntegerSequenceConfig config;
    final BlockStore store;
    private final Clock clock;
    private final Background background;
    private final WaitQueue waiters;
    private final AsyncCalls asyncCalls;
    /** Where all calls wait that are to come in the order of the cluster: then no block is ever in hand. */
    private final @Nullable CallLine line;

    /** How often the blocks in hand were given up: one that was asked for before is given up, too. */
    private final AtomicInteger discards = new AtomicInteger();

    /** Written under the lock, read by every call. A stale one is used up, or as good as the present one. */
    private volatile BlockCursor current = BlockCursor.empty();

    /** A monitor will do: nothing that blocks is done under it. */
    private final Object lock = new Object();
    // --- guarded by the lock
    private final BlockSizes sizes;
    private final Deque<BlockCursor> ready = new ArrayDeque<>();
    /**
     * Whether a reservation is under way. A call that has joined the line reads it without the lock, and leaves the rest to a
     * reservation: whoever ends one writes false before it looks who is in the line, so one of the two sees the other.
     */
    private volatile boolean reserving;

    private int failuresInARow;
    private long issuedBefore;
    private long currentSinceNanos;
    private long slowestReservationNanos;
    private @Nullable Use lastUse;
    /** Zero until two measurements have given one. */
    private double ratePerNano;
    /** When a thread looks by itself whether the next mark was reached, so that no call need wake one; or in the past. */
    private long lookNanos;

    private long blockCount;
    private long failureCount;
    // --- of calls, without the lock
    private final LongAdder waitCount = new LongAdder();
    private final LongAdder waitNanos = new LongAdder();

    /** Null while nothing is wrong. Written under the lock, read by calls that wait. */
    private volatile @Nullable Failure failure;

    /** Whether the store did not refuse this sequence. */
    volatile boolean isPrepared;

    /** Whether it was logged that somebody asked for it with other settings. Guarded by the lock of its name. */
    boolean isDifferenceLogged;

    private volatile @Nullable String closedBecause;

    /** The first time and the last of reservations that fail in a row, and why the last one did. */
    private record Failure(Instant since, long lastNanos, RuntimeException cause) {
        boolean isExhaustion() {
            return cause instanceof BlockStoreExhaustedException;
        }

        /** Whether somebody has to change something: no call waits for that, and nothing is tried again by itself. */
        boolean isPermanent() {
            return isExhaustion()
                    || cause instanceof NonTransientBlockStoreException
                    // A mistake of whoever wrote the store, or gave it a name or size that it does not take.
                    || cause instanceof IllegalArgumentException
                    || cause instanceof NullPointerException
                    || cause instanceof UnsupportedOperationException;
        }

        @Override
        public String toString() {
            return "reservations fail since " + since + ": " + cause;
        }
    }

    /** How many integers were taken at some time. */
    private record Use(long issued, long nanos) {}

    public interface Background {
        /** Runs a task on another thread, after a delay. */
        void run(Runnable task, Duration delay);
    }

    /** Makes a sequence; nothing is reserved before the first call. */
    public BlockSequence(IntegerSequenceConfig config, BlockStore store, Clock clock, Background background) {
        this.config = config;
        this.store = store;
        this.clock = clock;
        // All that wait, wait for the same block: a failure to reserve it is that of all.
        this.asyncCalls = new AsyncCalls(this::tryNext, this::nextOrWait, clock, Duration.ZERO);
        this.background = background;
        this.waiters = new WaitQueue(clock);
        this.line = config.ordering() == Ordering.CLUSTER ? new CallLine() : null;
        this.sizes = new BlockSizes(config);
        this.currentSinceNanos = clock.nanos();
        this.lookNanos = currentSinceNanos;
    }

    /** Fails if the store will never serve this sequence. Whether it can be reached shows with the first call. */
    public BlockSequence prepared() {
        try {
            store.prepare(config.name(), config.firstValue());
        } catch (NonTransientBlockStoreException e) {
            throw e;
        } catch (RuntimeException e) {
            LOGGER.log(
                    Level.WARNING, "integer sequence " + config.name() + ": not known whether the store has it: " + e);
        }
        isPrepared = true;
        return this;
    }

    @Override
    public String name() {
        return config.name();
    }

    // --- integers

    @Override
    public long next() throws InterruptedException {
        if (line != null) {
            return await(join(line, 1)).first();
        }
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
        if (line != null) {
            throw nothingInHand();
        }
        BlockCursor cursor = current;
        long taken;
        while ((taken = take(cursor)) == NONE) {
            if (!hasSuccessor(cursor)) {
                return ifNone;
            }
            cursor = current;
        }
        return taken;
    }

    /** Takes integers that are beside each other in one block, at most so many; waits for the first as {@link #next()}. */
    public Block nextRun(int atMost) throws InterruptedException {
        if (line != null) {
            throw nothingInHand();
        }
        BlockCursor cursor = current;
        long position;
        while ((position = cursor.take(atMost)) >= cursor.count) {
            cursor = successorOf(cursor);
        }
        if (cursor.isMarkIn(position, atMost)) {
            atMark(cursor);
        }
        return new Block(cursor.at(position), Math.min(atMost, cursor.count - position), cursor.step);
    }

    private UnsupportedOperationException nothingInHand() {
        return new UnsupportedOperationException(
                "integer sequence " + name() + " has nothing in hand: with Ordering.CLUSTER"
                        + " each call asks the cluster; call nextAsync(), which does not wait, or next()");
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        return line == null ? asyncCalls.next() : nextAsync(join(line, 1));
    }

    /** Completed on another thread than the one that brings the answer: a dependent may block. */
    private CompletableFuture<Long> nextAsync(Caller caller) {
        CompletableFuture<Long> stage = new CompletableFuture<>();
        CompletableFuture<?> unused = Delays.orTimeout(caller, config.maxWait().toNanos())
                .whenCompleteAsync(
                        (block, failure) -> {
                            if (failure == null) {
                                stage.complete(block.first());
                            } else {
                                stage.completeExceptionally(
                                        failure instanceof TimeoutException ? nothingLeft() : failure);
                            }
                        },
                        task -> background.run(task, Duration.ZERO));
        CompletableFuture<?> unusedToo = stage.whenComplete((integer, failure) -> caller.cancel(false));
        return stage;
    }

    private Caller join(CallLine calls, long wanted) {
        Caller caller = calls.join(wanted);
        if (!reserving) {
            reserveSoon();
        }
        endCalls(); // If nothing else ended them before this one had joined.
        return caller;
    }

    private Block await(Caller caller) throws InterruptedException {
        long since = clock.nanos();
        try {
            return caller.get(config.maxWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new SnowcastException(e.getMessage(), e);
        } catch (TimeoutException e) {
            throw nothingLeft();
        } finally {
            caller.cancel(false); // What it would have been given is a gap.
            waited(clock.nanos() - since);
        }
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
    public void prefetch() throws InterruptedException {
        BlockCursor present = current;
        if (line == null && remaining() == 0 && !hasSuccessor(present)) {
            waiters.await(() -> isWaitOver(present) || failure != null ? 0 : WaitQueue.UNTIL_WOKEN, config.maxWait());
            hasSuccessor(present);
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

    @Override
    public void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, integers.length);
        int index = fromIndex;
        while (line != null && index < toIndex) {
            Block block = await(join(line, toIndex - index));
            for (long position = 0; position < block.count(); position++) {
                integers[index++] = block.at(position);
            }
        }
        BlockCursor cursor = current;
        while (index < toIndex) {
            int wanted = toIndex - index;
            long position = cursor.take(wanted);
            if (cursor.isMarkIn(position, wanted)) {
                atMark(cursor);
            }
            long end = Math.min(position + wanted, cursor.count);
            while (position < end) {
                integers[index++] = cursor.at(position++);
            }
            if (index < toIndex) {
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

    private void waited(long nanos) {
        FlightEvents.waited("integer sequence", name(), nanos);
        waitCount.increment();
        waitNanos.add(nanos);
    }

    /** Whether the next block is there; if not, has one reserved, or fails if none will come. */
    private boolean hasSuccessor(BlockCursor usedUp) {
        if (advance(usedUp)) {
            return true;
        }
        reserveSoon();
        boolean isOver = isWaitOver(usedUp);
        if (isOver && !advance(usedUp)) {
            throw nothingLeft();
        }
        return isOver;
    }

    /** The next block first: what is read afterwards is then at least as new as what a wake-up told of. */
    private boolean isWaitOver(BlockCursor usedUp) {
        return advance(usedUp) || isClosed() || hasFailedForGood();
    }

    private boolean hasFailedForGood() {
        Failure present = failure;
        return present != null && present.isPermanent();
    }

    /** Moves on to the block in hand if the given one is still the present one; says whether there is another than it. */
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

    private RuntimeException nothingLeft() {
        String sequence = "integer sequence " + config.name();
        if (isClosed()) {
            return new SnowcastStateException(sequence + " must be open: " + closedBecause);
        }
        Failure present = failure;
        if (present != null && present.isPermanent()) {
            boolean isOfStore = present.cause instanceof BlockStoreException;
            String why = isOfStore ? present.cause.getMessage() : store + " failed: " + present.cause;
            return present.isExhaustion()
                    ? new IntegerSequenceExhaustedException(sequence + " is used up: " + why, present.cause)
                    : new SnowcastException(sequence + " gets no block: " + why, present.cause);
        }
        String what = sequence + " got no block within " + config.maxWait() + ": ";
        return present == null
                ? new SnowcastException(what + "the store has not answered yet")
                : new SnowcastException(what + present, present.cause);
    }

    // --- reservations

    /** The call that reaches a mark leaves it to the look, if there will be one, and the mark is not reached too early. */
    private void atMark(BlockCursor cursor) {
        if (cursor.expectedFromNanos == 0 || clock.nanos() - cursor.expectedFromNanos < 0) {
            reserveSoon();
        }
    }

    /** Starts a reservation, unless one is under way or enough is in hand. Does not block. */
    private void reserveSoon() {
        synchronized (lock) {
            if (reserving || isClosed()) {
                return;
            }
            measure();
            if (isEnoughReady()) {
                return;
            }
            Failure present = failure;
            if (present != null && present.isPermanent()) {
                if (clock.nanos() - present.lastNanos < FAILED_FOR.toNanos()) {
                    return;
                }
                failure = null; // Calls shall wait for the new answer.
            }
            reserving = true;
        }
        if (line != null && store instanceof PoolBlockStore pool) {
            askAtOnce(line, pool);
        } else {
            inBackground(Duration.ZERO);
        }
    }

    /**
     * Asks without another thread. That thread is for all that may have to wait: where the cluster does not serve, and for
     * the calls that came meanwhile, since on the thread that brings the answer nothing can be sent.
     */
    private void askAtOnce(CallLine calls, PoolBlockStore pool) {
        long size = calls.ask();
        int discardsBefore = discards.get();
        long begin = clock.nanos();
        CompletableFuture<?> unused = pool.reserveAsync(size)
                .thenApply(block -> reserved(block, clock.nanos() - begin, discardsBefore))
                .exceptionally(failure -> true)
                .thenAccept(again -> {
                    if (again) {
                        inBackground(Duration.ZERO);
                    }
                });
    }

    /** Times a look at the next mark, a bit after it: in time for a reservation also if the rate doubles meanwhile. */
    private void lookLater() {
        synchronized (lock) {
            BlockCursor next = current.takenCount() > current.mark ? ready.peek() : current;
            if (line != null || next == null || reserving || isClosed() || lookNanos - clock.nanos() > 0) {
                return;
            }
            double lastsNanos = next.count / ratePerNano;
            long untilMark = next.mark + 1 - next.takenCount() + (next == current ? 0 : current.remaining());
            double spare = remaining() - untilMark - 2.4 * slowestReservationNanos * ratePerNano;
            double late = Math.min((double) (next.count - next.mark), spare) / LATER_PART;
            if (lastsNanos >= MIN_LOOK_NANOS && lastsNanos <= 1_000 * MIN_LOOK_NANOS && late > 0) {
                lookNanos = clock.nanos() + (long) ((untilMark + late) / ratePerNano);
                double notBefore = untilMark - Math.min(late, (double) untilMark / LATER_PART);
                next.expectedFromNanos = clock.nanos() + (long) (notBefore / ratePerNano);
                background.run(() -> look(next), Duration.ofNanos(lookNanos - clock.nanos()));
            }
        }
    }

    private void look(BlockCursor marked) {
        marked.expectedFromNanos = 0;
        // If it was used more slowly, the call that reaches the mark wakes a thread.
        if (marked.takenCount() > marked.mark) {
            reserveSoon();
            lookLater();
        }
    }

    /** At a block's mark, or the look at it: what comes later may be a wait, which says nothing about the size. */
    private void measure() {
        long taken = current.takenCount();
        Use use = new Use(issuedBefore + taken, clock.nanos());
        if (taken == 0 || (lastUse != null && use.issued <= lastUse.issued)) {
            return;
        }
        sizes.used(taken, use.nanos - currentSinceNanos);
        // From one to the next, so that a pause between two bursts counts: for bursts alone nobody would keep blocks.
        if (lastUse != null) {
            ratePerNano = (use.issued - lastUse.issued) / (double) Math.max(use.nanos - lastUse.nanos, 1);
        }
        lastUse = use;
    }

    /**
     * Mostly one block is enough. One that is used up nearly as fast as the store gives the next needs company, unless
     * nothing is wanted before the block in use is at its end.
     */
    private boolean isEnoughReady() {
        if (line != null) {
            return line.isEmpty();
        }
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
        while (reserveOne()) {
            // Another one, at once.
        }
    }

    private boolean reserveOne() {
        long size;
        int discardsBefore;
        synchronized (lock) {
            if (isClosed()) {
                reserving = false;
                return false;
            }
            discardsBefore = discards.get();
            size = line == null ? sizes.size() : line.ask();
            if (size == 0) {
                return !endsReservation(); // All have left the line.
            }
        }
        try {
            long begin = clock.nanos();
            return reserved(store.reserve(config.name(), size), clock.nanos() - begin, discardsBefore);
        } catch (RuntimeException e) {
            failed(e, true);
            return false;
        }
    }

    private boolean reserved(Block reserved, long nanos, int discardsBefore) {
        Block usable = partInRange(reserved);
        FlightEvents.reserved(name(), usable.first(), usable.count(), nanos);
        boolean isTooLate;
        boolean again;
        long issued = line == null || discardsBefore != discards.get() ? 0 : line.answer(usable);
        synchronized (lock) {
            boolean isDiscarded = discardsBefore != discards.get();
            isTooLate = isClosed() && !isDiscarded && line == null;
            blockCount++;
            slowestReservationNanos =
                    Math.max(nanos, slowestReservationNanos - slowestReservationNanos / FORGOTTEN_PART);
            failure = null;
            failuresInARow = 0;
            issuedBefore += issued;
            if (!isClosed() && !isDiscarded && line == null) {
                ready.add(BlockCursor.of(usable, config.prefetchThreshold()));
            }
            again = !endsReservation();
        }
        if (isTooLate) {
            giveBack(name(), reserved, store);
        }
        waiters.wake();
        lookLater();
        return again;
    }

    /** Ends the reservation that is under way, unless there is reason for another one. Called under the lock. */
    private boolean endsReservation() {
        reserving = false;
        boolean ends = isClosed() || isEnoughReady();
        reserving = !ends;
        return ends;
    }

    private Block partInRange(Block reserved) {
        requireNotBelow(config.firstValue(), name(), reserved, store);
        if (reserved.first() > config.lastValue()) {
            // Not the end for ever: a store of several ranges may have lower ones left.
            giveBack(name(), reserved, store);
            throw new BlockStoreExhaustedException("the last value is " + config.lastValue());
        }
        long inRange = (config.lastValue() - reserved.first()) / reserved.step() + 1;
        return inRange >= reserved.count() ? reserved : reserved.part(0, inRange);
    }

    /** Fails if there is no block; or one that begins below the first value, which is given back before. */
    static void requireNotBelow(long firstValue, String name, Block reserved, BlockStore store) {
        Objects.requireNonNull(reserved, () -> "no block for sequence " + name + ": reserve() must not return null");
        if (reserved.first() < firstValue) {
            giveBack(name, reserved, store);
            throw new NonTransientBlockStoreException("sequence " + name + ": " + store + " must begin at " + firstValue
                    + " or above, and gave " + reserved);
        }
    }

    /** All that are in the line, if nothing will come. */
    private void endCalls() {
        if (line != null && (isClosed() || hasFailedForGood())) {
            line.fail(nothingLeft());
        }
    }

    private void failed(RuntimeException cause, boolean mayTryAgain) {
        Duration delay;
        boolean triesAgain;
        synchronized (lock) {
            Failure before = failure;
            Instant since =
                    before == null || before.isPermanent() ? Instant.ofEpochMilli(clock.millis()) : before.since;
            failure = new Failure(since, clock.nanos(), cause);
            triesAgain = mayTryAgain && !hasFailedForGood();
            failureCount++;
            delay = backoff(failuresInARow++);
            reserving = triesAgain;
        }
        endCalls();
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
        synchronized (lock) {
            long inBlocks = ready.stream().mapToLong(BlockCursor::remaining).sum();
            return current.remaining() + inBlocks;
        }
    }

    @Override
    public IntegerSequenceStats stats() {
        synchronized (lock) {
            long remaining = remaining();
            String reason = closedBecause;
            return new IntegerSequenceStats(
                    issuedBefore + current.takenCount(),
                    remaining,
                    timeToEmpty(remaining),
                    sizes.size(),
                    blockCount,
                    failureCount,
                    waitCount.sum(),
                    Duration.ofNanos(waitNanos.sum()),
                    reason == null ? Objects.toString(failure, "") : reason,
                    config.ordering(),
                    reason == null && failure != null && failure.isExhaustion());
        }
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

    public void close(String reason) {
        List<Block> rests;
        synchronized (lock) {
            if (isClosed()) {
                return;
            }
            closedBecause = reason;
            rests = takeBlocks();
        }
        endCalls();
        waiters.wake();
        rests.forEach(rest -> giveBack(name(), rest, store));
    }

    /** What a store fails to take is a gap, and no reason to keep the others from it. */
    private static void giveBack(String name, Block rest, BlockStore store) {
        try {
            store.giveBack(name, rest);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "integer sequence " + name + ": could not give back " + rest + ", a gap: " + e);
        }
    }

    /** Gives up the blocks in hand and one under way, and gives none back: others may have the same integers. */
    void discard() {
        synchronized (lock) {
            takeBlocks();
            discards.incrementAndGet();
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
        return closedBecause != null;
    }

    @Override
    public String toString() {
        return "IntegerSequence{name=" + config.name() + ", remaining=" + remaining() + ", store=" + store + ", "
                + BlockSequences.settings(config) + '}';
    }
}
