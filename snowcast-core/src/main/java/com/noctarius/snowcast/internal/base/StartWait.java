// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Logs that the start of an application waits, and why. Repeats this every 30 seconds, with how long the start has
 * waited and what ends the wait. Thread-safe.
 */
public final class StartWait implements AutoCloseable {
    static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** The time, which tests control. */
    interface Time {
        Time OF_THE_PROCESS = new OfTheProcess();

        long nanos();

        void pause(long nanos) throws InterruptedException;

        /** Runs a task after a delay, or early. The returned action cancels the task if it has not run yet. */
        Runnable later(long nanos, Runnable task);
    }

    private record OfTheProcess() implements Time {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void pause(long nanos) throws InterruptedException {
            CountDownLatch over = new CountDownLatch(1);
            Delays.execute(over::countDown, nanos, Runnable::run);
            // Wait without a time limit: at a shutdown, Spring interrupts a start only if the start waits in this way.
            over.await();
        }

        @Override
        public Runnable later(long nanos, Runnable task) {
            return Delays.cancellable(task, nanos);
        }
    }

    private final String what;
    private final String end;
    private final Consumer<String> warning;
    private final Time time;
    private final long beganNanos;

    private @Nullable String reason;
    private long toldNanos;
    private boolean isOver;
    private Runnable cancel;

    /**
     * Begins a wait; does not log yet.
     *
     * @param what the subject of the log lines, which has to wait
     * @param end what ends the wait, such as {@code until 2026-11-29T16:07:47Z at the latest}
     * @param reason why the start waits, to be logged after 30 seconds; null if {@link #because} will give the reason
     * @param warning logs a line
     */
    public StartWait(String what, String end, @Nullable String reason, Consumer<String> warning) {
        this(what, end, reason, warning, Time.OF_THE_PROCESS);
    }

    StartWait(String what, String end, @Nullable String reason, Consumer<String> warning, Time time) {
        this.what = what;
        this.end = end;
        this.reason = reason;
        this.warning = warning;
        this.time = time;
        beganNanos = time.nanos();
        toldNanos = beganNanos;
        cancel = time.later(REPEAT_NANOS, this::repeat);
    }

    /** Records why the start is waiting now. Logs the reason if none was known before. */
    synchronized void because(String newReason) {
        if (reason == null) {
            warning.accept(what + " has to wait, " + end + ": " + newReason);
        }
        reason = newReason;
    }

    private synchronized void repeat() {
        if (isOver) {
            return;
        }
        long now = time.nanos();
        // The task may run early.
        if (reason != null && now - toldNanos >= REPEAT_NANOS) {
            toldNanos = now;
            warning.accept(what + " has waited for "
                    + Duration.ofNanos(now - beganNanos).toSeconds() + " s, and waits " + end + ": " + reason);
        }
        cancel = time.later(REPEAT_NANOS, this::repeat);
    }

    /** Ends the wait: nothing is logged afterwards. */
    @Override
    public synchronized void close() {
        isOver = true;
        cancel.run();
    }
}
