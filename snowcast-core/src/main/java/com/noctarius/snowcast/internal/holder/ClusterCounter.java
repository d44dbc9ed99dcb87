// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.Waits;
import com.noctarius.snowcast.store.Block;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A sequence in the order of the whole cluster ({@link com.noctarius.snowcast.Ordering#CLUSTER}): a call that begins
 * after another has returned, in any process, gets the greater integer.
 *
 * <p>So each integer comes from a request that was sent after its call began, and nothing is kept in hand. One request
 * is under way at a time. Calls that come meanwhile wait, and share the next request, which asks for exactly as many
 * integers as they want. What a call no longer takes, because it was interrupted or cancelled, is a gap.
 *
 * <p>No lock is held. {@code docs/dev/concurrency.md} has the proof.
 */
final class ClusterCounter implements RegisteredSequence {
    private final IntegerSequenceConfig config;
    private final ClusterBlockStore pool;
    private final Clock clock;
    private final Background background;
    private final Availability availability;
    private final Waits waits;
    private final ReservationLoop requests;

    /** Calls that the next request is for. */
    private final Queue<Caller> waiting = new ConcurrentLinkedQueue<>();
    /** Calls of the request under way. Those that its answer was too short for are the first of the next request. */
    private final Queue<Caller> requested = new ConcurrentLinkedQueue<>();
    /**
     * Whether a request is under way. A call is added to {@link #waiting} before it reads this. The end of a request
     * writes false before it reads {@link #waiting}. So one of the two sees the other, and sends the next request.
     */
    private final AtomicBoolean requesting = new AtomicBoolean();
    /** How often answers under way were discarded: an answer counts only if this is unchanged since its request. */
    private final AtomicInteger discards = new AtomicInteger();

    private final AtomicLong issuedCount = new AtomicLong();
    private final AtomicLong requestCount = new AtomicLong();

    /** A call that waits. It gets as many integers as it wants, or fewer. */
    private static final class Caller extends CompletableFuture<Block> {
        private final long wanted;

        Caller(long wanted) {
            this.wanted = wanted;
        }
    }

    /** A request that was sent: when, and before which discard. */
    private record Sent(long nanos, int discards) {}

    ClusterCounter(IntegerSequenceConfig config, ClusterBlockStore pool, Clock clock, Background background) {
        this.config = config;
        this.pool = pool;
        this.clock = clock;
        this.background = background;
        this.availability = new Availability(config, pool, clock);
        this.waits = new Waits(nanos -> FlightEvents.waited("integer sequence", config.name(), nanos));
        this.requests = new ReservationLoop(background, availability, this::request, this::failed);
    }

    // --- calls

    @Override
    public long next() throws InterruptedException {
        return await(enqueue(1)).first();
    }

    @Override
    public void next(long[] integers, int fromIndex, int toIndex) throws InterruptedException {
        Objects.checkFromToIndex(fromIndex, toIndex, integers.length);
        int index = fromIndex;
        while (index < toIndex) {
            Block block = await(enqueue(toIndex - index));
            for (long position = 0; position < block.count(); position++) {
                integers[index++] = block.at(position);
            }
        }
    }

    @Override
    public CompletionStage<Long> nextAsync() {
        Caller call = enqueue(1);
        CompletableFuture<Long> stage = new CompletableFuture<>();
        // On a thread of the background, not the one that brings the answer: a dependent stage may block.
        CompletableFuture<?> unused = Delays.orTimeout(call, config.maxWait().toNanos())
                .whenCompleteAsync(
                        (block, failure) -> {
                            if (failure == null) {
                                stage.complete(block.first());
                            } else {
                                stage.completeExceptionally(
                                        failure instanceof TimeoutException ? availability.refusal() : failure);
                            }
                        },
                        background::runInAnyCase);
        CompletableFuture<?> unusedToo = stage.whenComplete((integer, failure) -> call.cancel(false));
        return stage;
    }

    @Override
    public OptionalLong tryNext() {
        throw new UnsupportedOperationException(
                "integer sequence " + name() + " has nothing in hand: with Ordering.CLUSTER"
                        + " each call asks the cluster; call nextAsync(), which does not wait, or next()");
    }

    @Override
    public void prefetch() {
        // Nothing is kept in hand.
    }

    private Caller enqueue(long wanted) {
        Caller call = new Caller(wanted);
        waiting.add(call);
        if (!requesting.get()
                && availability.admitReservation()
                && requesting.compareAndSet(false, true)
                && requestAtOnce()) {
            requests.start();
        }
        failCallsIfRefusing(); // If it began to refuse before the call was added, no other thread does this.
        return call;
    }

    private Block await(Caller call) throws InterruptedException {
        long since = waits.begin(clock);
        try {
            return call.get(config.maxWait().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new SnowcastException(e.getMessage(), e);
        } catch (TimeoutException e) {
            throw availability.refusal();
        } finally {
            call.cancel(false); // The integers that an answer may still bring for it are a gap.
            waits.end(clock, since);
        }
    }

    private void failCallsIfRefusing() {
        if (availability.isRefusing()) {
            RuntimeException refusal = availability.refusal();
            Stream.of(requested, waiting).forEach(calls -> {
                for (Caller call = calls.poll(); call != null; call = calls.poll()) {
                    call.completeExceptionally(refusal);
                }
            });
        }
    }

    // --- requests, by the one thread that has set "requesting"
    // What throws here, as where memory is short, has not ended the request: the background makes it again.

    /**
     * Sends a request without another thread, if that need not wait. Returns whether a thread of the background has to
     * take over: where it may have to wait, and for the calls that came meanwhile, since the thread that brings an
     * answer must not send operations.
     */
    private boolean requestAtOnce() {
        try {
            long wanted = takeWaiting();
            if (wanted == 0) { // All have ended.
                return endRequest();
            }
            Sent sent = sent();
            CompletableFuture<?> unused = pool.reserveAsync(wanted).whenComplete((block, failure) -> {
                if (failure != null || isAnotherNeededAfter(block, sent)) {
                    requests.start();
                }
            });
            return false;
        } catch (RuntimeException | Error e) {
            return true;
        }
    }

    private boolean isAnotherNeededAfter(Block block, Sent sent) {
        try {
            return endAndHandOut(block, sent);
        } catch (RuntimeException | Error e) {
            return true;
        }
    }

    /** Makes a request on the thread of the background. Returns whether another one is needed. */
    private boolean request() {
        long wanted = isClosed() ? 0 : takeWaiting();
        Sent sent = sent();
        return wanted == 0 ? endRequest() : endAndHandOut(pool.reserve(config.name(), wanted), sent);
    }

    private Sent sent() {
        return new Sent(clock.nanos(), discards.get());
    }

    /** Makes the calls that wait those of the next request. Returns how many integers they want. */
    private long takeWaiting() {
        for (Caller call = waiting.poll(); call != null; call = waiting.poll()) {
            requested.add(call);
        }
        requested.removeIf(CompletableFuture::isDone);
        return requested.stream().mapToLong(call -> call.wanted).sum();
    }

    /** Hands out the answer to a request, and ends the request. Returns whether this thread has to make another one. */
    private boolean endAndHandOut(Block block, Sent sent) {
        FlightEvents.reserved(name(), block.first(), block.count(), clock.nanos() - sent.nanos);
        if (sent.discards == discards.get()) {
            handOut(block);
        }
        requestCount.incrementAndGet();
        availability.reserved();
        return endRequest();
    }

    /** To the calls of the request, in the order of their coming, as far as the block goes. */
    private void handOut(Block block) {
        long position = 0;
        while (position < block.count()) {
            Caller call = requested.poll();
            if (call == null) {
                return; // Closed meanwhile: the rest is a gap.
            }
            Block part = block.part(position, Math.min(position + call.wanted, block.count()));
            position += part.count();
            if (call.complete(part)) {
                issuedCount.addAndGet(part.count());
            }
        }
    }

    private boolean endRequest() {
        return end(requesting, this::isWaitedFor);
    }

    private boolean isWaitedFor() {
        return !isClosed()
                && Stream.concat(requested.stream(), waiting.stream()).anyMatch(call -> !call.isDone());
    }

    /**
     * Ends a request. Returns whether this thread has to make another one; also if memory was too short to look: a
     * thread that threw here could not say whether it still has the request.
     */
    static boolean end(AtomicBoolean requesting, BooleanSupplier isWaitedFor) {
        requesting.set(false);
        try {
            if (!isWaitedFor.getAsBoolean()) {
                return false;
            }
        } catch (RuntimeException | Error e) {
            // The next request looks again.
        }
        return requesting.compareAndSet(false, true);
    }

    private void failed(boolean isTriedAgain) {
        if (!isTriedAgain) {
            requesting.set(false);
            failCallsIfRefusing();
        }
    }

    // --- RegisteredSequence

    @Override
    public IntegerSequenceConfig config() {
        return config;
    }

    @Override
    public ClusterBlockStore store() {
        return pool;
    }

    @Override
    public void prepare() {
        // The cluster answers when the sequence is created there.
    }

    @Override
    public boolean isCreated() {
        return pool.incarnation() != 0;
    }

    @Override
    public long remaining() {
        return 0;
    }

    @Override
    public IntegerSequenceStats stats() {
        return new IntegerSequenceStats(
                issuedCount.get(),
                0,
                Duration.ZERO,
                config.minBlockSize(),
                requestCount.get(),
                availability.failureCount(),
                waits.count(),
                waits.time(),
                availability.problem(),
                config.ordering(),
                availability.isExhausted());
    }

    @Override
    public void discard() {
        discards.incrementAndGet();
    }

    @Override
    public void close(String reason) {
        availability.close(reason);
        failCallsIfRefusing();
    }

    @Override
    public boolean isClosed() {
        return availability.isClosed();
    }

    @Override
    public String toString() {
        return "IntegerSequence{name=" + config.name() + ", remaining=0, store=" + pool + ", "
                + IntegerSequences.settings(config) + '}';
    }
}
