// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A start that waits for a database or cluster that cannot serve yet. The shutdown of the process ends the wait. */
record PatientStart(Duration timeout) {
    private static final System.Logger LOGGER = System.getLogger(PatientStart.class.getName());
    private static final long PAUSE_MILLIS = 250;

    /** Retries a call while it throws a {@code SnowcastUnavailableException}; throws that after the time-out. */
    <T> T run(String what, Supplier<T> call) {
        Thread starting = Thread.currentThread();
        Thread end = Threads.newThread("snowcast.end-of-start", starting::interrupt);
        try {
            Runtime.getRuntime().addShutdownHook(end);
        } catch (IllegalStateException e) {
            throw new SnowcastUnavailableException(what + ": the start is given up, because the process ends", e);
        }
        try {
            return again(what, call);
        } finally {
            try {
                boolean unused = Runtime.getRuntime().removeShutdownHook(end);
            } catch (IllegalStateException e) {
                // The process is shutting down, and the thread was started.
            }
        }
    }

    private <T> T again(String what, Supplier<T> call) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        boolean isTold = false;
        while (true) {
            try {
                return call.get();
            } catch (SnowcastUnavailableException e) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    throw new SnowcastUnavailableException(
                            what + " was not ready within " + timeout + ": " + e.getMessage(), e);
                }
                if (!isTold) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "{0} has to wait, for {1} at most: {2}",
                            what,
                            timeout,
                            e.getMessage());
                    isTold = true;
                }
                pause(what, e);
            }
        }
    }

    private static void pause(String what, SnowcastUnavailableException reason) {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SnowcastUnavailableException(
                    what + " was not ready when the start was interrupted: " + reason.getMessage(),
                    reason);
        }
    }
}
