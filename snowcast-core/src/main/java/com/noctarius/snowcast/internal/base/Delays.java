// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs delayed actions on a thread of snowcast. When the last running instance of snowcast ends, the thread that ends
 * this instance runs all pending actions early.
 *
 * <p>Up to JDK 24, the first call of a similar method of {@code CompletableFuture} starts a thread that never ends and
 * keeps the caller's context class loader, so that a web application that made the call could never be unloaded.
 */
public final class Delays {
    private static final ScheduledThreadPoolExecutor TIMER = Threads.timer("snowcast.delays");

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Delays() {}

    /** Submits a task to an executor after a delay. Tries again later if the executor can start no thread. */
    public static void execute(Runnable task, long delayNanos, Executor executor) {
        Future<?> unused = schedule(() -> executeOrTryAgain(task, executor), delayNanos);
    }

    /** Runs a short task after a delay, or early. */
    static Future<?> schedule(Runnable task, long delayNanos) {
        return schedule(TIMER, task, delayNanos);
    }

    private static void executeOrTryAgain(Runnable task, Executor executor) {
        try {
            executor.execute(task);
        } catch (Error e) {
            execute(task, RETRY_NANOS, executor);
            throw e;
        }
    }

    /**
     * Schedules an action. If the JDK cannot start the timer's thread, it throws but keeps the action, which must not
     * run after that: the caller has received the exception.
     */
    static Future<?> schedule(ScheduledExecutorService timer, Runnable action, long delayNanos) {
        AtomicBoolean isDecided = new AtomicBoolean();
        Runnable once = () -> {
            if (isDecided.compareAndSet(false, true)) {
                action.run();
            }
        };
        try {
            return timer.schedule(once, delayNanos, TimeUnit.NANOSECONDS);
        } catch (Error e) {
            if (isDecided.compareAndSet(false, true)) {
                throw e;
            }
            return CompletableFuture.completedFuture(null); // The action has run: another call has started the thread.
        }
    }

    /** Like {@link CompletableFuture#orTimeout}; but times out early if the last instance of snowcast ends. */
    public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long nanos) {
        if (!future.isDone()) {
            Future<?> timeout = schedule(() -> future.completeExceptionally(new TimeoutException()), nanos);
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> timeout.cancel(false));
        }
        return future;
    }
}
