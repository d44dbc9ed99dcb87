// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an application logs while its start waits: the reason at once, and every 30 seconds how long it has waited and
 * what ends the wait. Thread-safe.
 */
public final class StartWait implements AutoCloseable {
    static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How time passes; tests drive it by hand. */
    interface Time {
        Time OF_THE_PROCESS = new OfTheProcess();

        long nanos();

        /** Waits; an interrupt ends the wait. */
        void pause(long nanos) throws InterruptedException;

        /** Runs a task later, unless the returned one has run before. */
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
            // Without a time limit: Spring, when it is to end, interrupts a start only if that waits in this way.
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
     * Begins a wait that may be over before there is anything to log.
     *
     * @param what what is waited for
     * @param end what ends the wait, such as {@code until 2026-11-29T16:07:47Z at the latest}
     * @param reason why a start waits that is not over after 30 seconds; null if {@link #because} will say it
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

    /** Records why the start is waiting now. Logs the first reason. */
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
        // A delayed task may run early.
        if (reason != null && now - toldNanos >= REPEAT_NANOS) {
            toldNanos = now;
            warning.accept(what + " has waited for "
                    + Duration.ofNanos(now - beganNanos).toSeconds() + " s, and waits " + end + ": " + reason);
        }
        cancel = time.later(REPEAT_NANOS, this::repeat);
    }

    /** Ends the wait: no line follows. */
    @Override
    public synchronized void close() {
        isOver = true;
        cancel.run();
    }
}
