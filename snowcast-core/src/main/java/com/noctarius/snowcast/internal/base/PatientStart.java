// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Repeats a call at the start of an application while the cluster or database cannot serve it yet, and logs the wait.
 * Gives up after a time-out, when the JVM shuts down, and when the thread is interrupted. Thread-safe.
 */
public final class PatientStart {
    private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /**
     * Not shorter, because pools such as HikariCP log a stack trace for each try: with this pause, about 20 in two
     * minutes.
     */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Duration timeout;
    private final Consumer<String> warning;
    private final StartWait.Time time;

    /**
     * Makes a start that repeats its calls until a time-out.
     *
     * @param timeout how long a call is repeated; if zero or less, there is only one try
     * @param warning logs a line
     */
    public PatientStart(Duration timeout, Consumer<String> warning) {
        this(timeout, warning, StartWait.Time.OF_THE_PROCESS);
    }

    PatientStart(Duration timeout, Consumer<String> warning, StartWait.Time time) {
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
            forget(end);
        }
    }

    /**
     * Interrupts a thread repeatedly, because the repeated call may clear an interrupt, and the next pause would then
     * not end early.
     */
    private static void interruptUntil(CountDownLatch isOver, Thread starting) {
        try {
            do {
                starting.interrupt();
            } while (!isOver.await(LEAST_PAUSE_NANOS, TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread end) {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook has started.
        }
    }

    private <T> T again(String what, Supplier<T> call) {
        long beganNanos = time.nanos();
        String end = "until " + Instant.now().plus(timeout).truncatedTo(ChronoUnit.SECONDS) + " at the latest";
        try (StartWait wait = new StartWait(what, end, null, warning, time)) {
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
}
