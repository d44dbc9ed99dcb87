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
 * <p>{@code CompletableFuture} has similar methods, but up to JDK 24 the first call of such a method in a process
 * starts a JDK thread that never ends. That thread keeps the caller's context class loader, so a web application that
 * made the call could never be unloaded.
 */
public final class Delays {
    private static final ScheduledThreadPoolExecutor TIMER = Threads.timer("snowcast.delays");

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Delays() {}

    /**
     * Submits a task to an executor after a delay. Tries again later if the executor can start no thread at that time.
     */
    public static void execute(Runnable task, long delayNanos, Executor executor) {
        Future<?> unused = schedule(TIMER, () -> executeOrTryAgain(task, executor), delayNanos);
    }

    /** Runs a short task after a delay, or early. The returned action cancels the task if it has not run yet. */
    static Runnable cancellable(Runnable task, long delayNanos) {
        Future<?> scheduled = schedule(TIMER, task, delayNanos);
        return () -> scheduled.cancel(false);
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
     * Schedules an action. If the JDK fails to start the timer's thread, the JDK throws, but keeps the action. The
     * action must not run after such a failure, because the caller has received the exception.
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
            Future<?> timeout = schedule(TIMER, () -> future.completeExceptionally(new TimeoutException()), nanos);
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> timeout.cancel(false));
        }
        return future;
    }
}
