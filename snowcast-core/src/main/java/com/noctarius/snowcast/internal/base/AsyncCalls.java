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
 * Calls that wait without a thread of their own: the line of one sequencer or integer sequence, first come, first
 * served by one thread, which waits for all of them. It leaves the line to another thread before it completes a stage,
 * so that a dependent that blocks keeps no other call, unless the process can have no more threads. Thread-safe.
 */
public final class AsyncCalls {
    private static final Executor THREADS = Threads.named("snowcast.async");

    private final Queue<Waiting> line = new ConcurrentLinkedQueue<>();
    private final AtomicLong asked = new AtomicLong();
    /** Whether there is a thread that serves the line. */
    private final AtomicBoolean isServed = new AtomicBoolean();

    private final Supplier<OptionalLong> atOnce;
    /** Gives the next value; or waits until there may be one and gives none, or fails. */
    private final Callable<OptionalLong> nextOrWait;

    private final Clock clock;
    private final long maxWaitNanos;
    private final Executor threads;

    // --- of the thread that serves the line
    private long failedUpTo;
    private Throwable failure = new IllegalStateException("nothing failed");

    private static final class Waiting extends CompletableFuture<Long> {
        final long number;

        Waiting(long number) {
            this.number = number;
        }
    }

    /**
     * Makes an empty line.
     *
     * @param maxWait a failure that comes after so long a wait is that of all calls that had asked before the wait; one
     *     that comes earlier is the first call's alone, and the next call is tried for itself
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

    private void serveSoon() {
        if (!line.isEmpty() && isServed.compareAndSet(false, true)) {
            try {
                threads.execute(this::serve);
            } catch (RuntimeException | Error e) {
                isServed.set(false); // The process can have no more threads: the next call tries again.
                throw e;
            }
        }
    }

    private void serve() {
        boolean isLeft = false;
        try {
            isLeft = serveLine();
        } finally {
            // Also after an Error in this thread: otherwise no thread serves the calls that wait.
            if (!isLeft) {
                isServed.set(false);
                serveSoon();
            }
        }
    }

    /** Serves the line until it is empty; returns true if it was left to another thread before. */
    private boolean serveLine() {
        while (first(Long.MAX_VALUE) != null) {
            Waiting failed = first(failedUpTo);
            if (failed != null) {
                Throwable why = failure;
                if (leaveWith(() -> failed.completeExceptionally(why))) {
                    return true;
                }
                continue;
            }
            long upTo = asked.get();
            OptionalLong value = nextOrFailure(upTo);
            // Not for a call that came later, and may have seen a greater one. If all have cancelled, it is a gap.
            Waiting first = value.isPresent() ? first(upTo) : null;
            if (first != null && leaveWith(() -> first.complete(value.getAsLong()))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the first call that has not ended, if it is one of the first so many that asked. */
    private @Nullable Waiting first(long upTo) {
        Waiting first = line.peek();
        while (first != null && first.isDone()) {
            line.remove();
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

    /** Completes the first stage when another thread has the line; false if none takes it: then this one goes on. */
    private boolean leaveWith(Runnable completion) {
        line.remove();
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
