// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of waiting asynchronous calls of one sequencer or integer sequence. One thread serves the calls in order
 * and waits on behalf of all. Before this thread completes a stage, it hands the queue to another thread (if the
 * process can have more threads), because a dependent action of the stage may block. Thread-safe.
 */
public final class AsyncCalls {
    private static final Executor THREADS = Threads.named("snowcast.async");

    private final Queue<Waiting> line = new ConcurrentLinkedQueue<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicBoolean isServed = new AtomicBoolean();

    private final Supplier<OptionalLong> atOnce;
    private final Callable<OptionalLong> nextOrWait;
    private final Clock clock;
    private final long maxWaitNanos;
    private final Executor threads;

    // --- used by the thread that serves the queue
    private long failedUpTo;
    private Throwable failure = new IllegalStateException("nothing failed");

    private static final class Waiting extends CompletableFuture<Long> {
        final long number;

        Waiting(long number) {
            this.number = number;
        }
    }

    /**
     * Makes an empty queue.
     *
     * @param atOnce returns the next value, or empty if a call has to wait
     * @param nextOrWait returns the next value; or waits until a value may be available, and returns empty; or fails
     * @param maxWait decides which calls fail together with {@code nextOrWait}: if it fails after this time or later,
     *     all calls that were queued when it was called; if it fails earlier, only the first call
     */
    public AsyncCalls(Supplier<OptionalLong> atOnce, Callable<OptionalLong> nextOrWait, Clock clock, Duration maxWait) {
        this(atOnce, nextOrWait, clock, maxWait, THREADS);
    }

    AsyncCalls(
            Supplier<OptionalLong> atOnce,
            Callable<OptionalLong> nextOrWait,
            Clock clock,
            Duration maxWait,
            Executor threads) {
        this.atOnce = atOnce;
        this.nextOrWait = nextOrWait;
        this.clock = clock;
        this.maxWaitNanos = maxWait.toNanos();
        this.threads = threads;
    }

    public CompletableFuture<Long> next() {
        try {
            OptionalLong value = line.isEmpty() ? atOnce.get() : OptionalLong.empty();
            if (value.isPresent()) {
                return CompletableFuture.completedFuture(value.getAsLong());
            }
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        Waiting call = new Waiting(asked.incrementAndGet());
        line.add(call);
        serveSoon();
        return call;
    }

    /** Starts a thread that serves the queue. If the process can have no more threads, all calls in the queue fail. */
    private void serveSoon() {
        if (!line.isEmpty() && isServed.compareAndSet(false, true)) {
            try {
                threads.execute(this::serve);
            } catch (RuntimeException | Error e) {
                // The order matters: a call that was added before this write has started no thread, and fails below.
                isServed.set(false);
                for (Waiting each = line.poll(); each != null; each = line.poll()) {
                    each.completeExceptionally(e);
                }
            }
        }
    }

    private void serve() {
        boolean isLeft = false;
        try {
            isLeft = serveLine();
        } finally {
            // This must happen even after an Error; otherwise no thread would serve the waiting calls.
            if (!isLeft) {
                isServed.set(false);
                serveSoon();
            }
        }
    }

    /** Serves the queue until it is empty; returns true if another thread has taken the queue over. */
    private boolean serveLine() {
        while (first(Long.MAX_VALUE) != null) {
            Waiting failed = first(failedUpTo);
            if (failed != null) {
                Throwable why = failure;
                if (leaveWith(failed, () -> failed.completeExceptionally(why))) {
                    return true;
                }
                continue;
            }
            long upTo = asked.get();
            OptionalLong value = nextOrFailure(upTo);
            // A call that was queued after the value was requested must not get it: its caller may have seen a greater
            // one. If no earlier call is left, the value is lost.
            Waiting first = value.isPresent() ? first(upTo) : null;
            if (first != null && leaveWith(first, () -> first.complete(value.getAsLong()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first call in the queue that is not complete, if its number is at most the given one. */
    private @Nullable Waiting first(long upTo) {
        Waiting first = line.peek();
        while (first != null && first.isDone()) {
            boolean unused = line.remove(first);
            first = line.peek();
        }
        return first == null || first.number > upTo ? null : first;
    }

    private OptionalLong nextOrFailure(long upTo) {
        Waiting first = first(upTo);
        long startNanos = clock.nanos();
        try {
            return nextOrWait.call();
        } catch (Exception | Error e) {
            boolean isOfAll = clock.nanos() - startNanos >= maxWaitNanos;
            failure = e;
            failedUpTo = isOfAll ? upTo : first == null ? 0 : first.number;
            return OptionalLong.empty();
        }
    }

    /** Removes a call, hands the queue over and completes the stage; returns false if no thread took over. */
    private boolean leaveWith(Waiting call, Runnable completion) {
        boolean unused = line.remove(call); // serveSoon may have removed it.
        boolean isLeft = true;
        try {
            threads.execute(this::serve);
        } catch (RuntimeException | Error e) {
            isLeft = false;
        }
        completion.run();
        return isLeft;
    }
}
