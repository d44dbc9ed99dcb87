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
 * A start that waits for a cluster or database which cannot serve yet, and logs so. It ends with its time-out, when the
 * process is told to end, and when its thread is interrupted. Thread-safe.
 */
public final class PatientStart {
    private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Pools log a stack trace for each try, as HikariCP does: two minutes are about 20 tries. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Duration timeout;
    private final Consumer<String> warning;
    private final StartWait.Time time;

    /**
     * Makes a start.
     *
     * @param timeout how long each call is repeated; zero or less for one try
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

    /** Calls again while it fails with a {@code SnowcastUnavailableException}, which it throws in the end. */
    public <T> T run(String what, Supplier<T> call) {
        CountDownLatch isOver = new CountDownLatch(1);
        Thread starting = Thread.currentThread();
        // Spring does not interrupt a start that waits with a time limit, as it does for an answer of the cluster.
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

    /** Again and again: code that runs before the wait may take an interrupt and continue. */
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
            // The process ends, and the thread has run.
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

    /** Waits until the next try, the longer the longer it has waited already; fails if there is none. */
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
