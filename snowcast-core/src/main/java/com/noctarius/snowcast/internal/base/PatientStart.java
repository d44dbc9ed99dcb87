// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a call at the start of an application while the cluster or database cannot serve it yet, and logs the wait.
 * Gives up after a time-out, when the JVM shuts down, and when the thread is interrupted. Thread-safe.
 */
public final class PatientStart {
    private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Not shorter, because pools such as HikariCP log a stack trace for each try: so about 20 in two minutes. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Time OF_THE_PROCESS = new Time() {
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
            Future<?> scheduled = Delays.schedule(task, nanos);
            return () -> scheduled.cancel(false);
        }
    };

    private final Duration timeout;
    private final Consumer<String> warning;
    private final Time time;

    /** The time, which tests control. */
    interface Time {
        long nanos();

        void pause(long nanos) throws InterruptedException;

        /** Runs a task after a delay, or early. The returned action cancels the task if it has not run yet. */
        Runnable later(long nanos, Runnable task);
    }

    /**
     * Makes a start that repeats its calls until a time-out.
     *
     * @param timeout how long a call is repeated; if zero or less, there is only one try
     * @param warning logs a line
     */
    public PatientStart(Duration timeout, Consumer<String> warning) {
        this(timeout, warning, OF_THE_PROCESS);
    }

    PatientStart(Duration timeout, Consumer<String> warning, Time time) {
        this.timeout = timeout;
        this.warning = warning;
        this.time = time;
    }

    /** Repeats a call that throws {@code SnowcastUnavailableException}; throws the same type when it gives up. */
    public <T> T run(String what, Supplier<T> call) {
        CountDownLatch isOver = new CountDownLatch(1);
        Thread starting = Thread.currentThread();
        // At a shutdown, Spring does not interrupt a start that waits with a time limit; this hook does.
        Thread end = Threads.newThread("snowcast.end-of-start", () -> interruptUntil(isOver, starting));
        try {
            Runtime.getRuntime().addShutdownHook(end);
        } catch (IllegalStateException e) {
            throw new SnowcastUnavailableException(what + ": the start is given up, because the process ends", e);
        }
        try {
            return again(what, call);
        } finally {
            isOver.countDown();
            try {
                boolean unused = Runtime.getRuntime().removeShutdownHook(end);
            } catch (IllegalStateException e) {
                // The JVM is shutting down, and the hook has started.
            }
        }
    }

    /** Interrupts a thread repeatedly, because the call that is repeated may clear an interrupt. */
    private static void interruptUntil(CountDownLatch isOver, Thread starting) {
        try {
            do {
                starting.interrupt();
            } while (!isOver.await(LEAST_PAUSE_NANOS, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <T> T again(String what, Supplier<T> call) {
        long beganNanos = time.nanos();
        String end = "until " + Instant.now().plus(timeout).truncatedTo(ChronoUnit.SECONDS) + " at the latest";
        try (Wait wait = new Wait(what, end, null, warning, time)) {
            while (true) {
                try {
                    return call.get();
                } catch (SnowcastUnavailableException e) {
                    wait.because(String.valueOf(e.getMessage()));
                    pause(what, time.nanos() - beganNanos, e);
                }
            }
        }
    }

    /** Pauses before the next try, for half of the time waited so far, within limits. Fails after the time-out. */
    private void pause(String what, long waitedNanos, SnowcastUnavailableException reason) {
        long leftNanos = timeout.toNanos() - waitedNanos;
        if (leftNanos <= 0) {
            throw notReady(what + " was not ready within " + timeout + ": ", reason);
        }
        long pauseNanos = Math.max(LEAST_PAUSE_NANOS, Math.min(waitedNanos / 2, LONGEST_PAUSE_NANOS));
        try {
            time.pause(Math.min(leftNanos, pauseNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw notReady(what + " was not ready when the start was interrupted: ", reason);
        }
    }

    private static SnowcastUnavailableException notReady(String text, SnowcastUnavailableException reason) {
        return new SnowcastUnavailableException(text + reason.getMessage(), reason);
    }

    /**
     * Logs that the start of an application waits, and why. Repeats this every 30 seconds, with how long the start has
     * waited and what ends the wait. Thread-safe.
     */
    public static final class Wait implements AutoCloseable {
        static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(30);

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
         * @param what the subject of the log lines
         * @param end what ends the wait, such as {@code until 2026-11-29T16:07:47Z at the latest}
         * @param reason to be logged after 30 seconds; null if {@link #because} will give it
         */
        public Wait(String what, String end, @Nullable String reason, Consumer<String> warning) {
            this(what, end, reason, warning, OF_THE_PROCESS);
        }

        Wait(String what, String end, @Nullable String reason, Consumer<String> warning, Time time) {
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
}
