// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * Makes the reservations of one sequence on a background thread, one after the other while more are needed. Retries
 * after a temporary failure, with growing delays. {@link BlockSupply} starts the loop only while no loop is running. If
 * a retry cannot be scheduled, the loop ends, and a later call starts a loop.
 */
final class ReservationLoop {
    private static final long FIRST_BACKOFF_MILLIS = 10;
    private static final long MAX_BACKOFF_MILLIS = 1_000;
    private static final int MAX_DOUBLINGS = 7;

    private final Background background;
    private final Availability availability;
    private final BooleanSupplier reservation;
    private final Failed failed;

    /** Receives each failure, after {@link Availability} has recorded it. */
    interface Failed {
        void failed(boolean isTriedAgain);
    }

    /**
     * Makes a loop that is not running.
     *
     * @param reservation makes one reservation, and returns whether another one is needed; throws if it fails
     */
    ReservationLoop(Background background, Availability availability, BooleanSupplier reservation, Failed failed) {
        this.background = background;
        this.availability = availability;
        this.reservation = reservation;
        this.failed = failed;
    }

    void start() {
        runAfter(Duration.ZERO);
    }

    private void runAfter(Duration delay) {
        try {
            background.run(this::run, delay);
        } catch (RuntimeException | Error e) {
            // The background rejects the task, or the process can have no more threads.
            failed(e, false);
        }
    }

    private void run() {
        try {
            boolean isAnotherNeeded = true;
            while (isAnotherNeeded) {
                isAnotherNeeded = reservation.getAsBoolean();
            }
        } catch (RuntimeException | Error e) {
            failed(e, true);
        }
    }

    private void failed(Throwable e, boolean mayPass) {
        Duration delay = Duration.ZERO;
        boolean isTriedAgain = false;
        try {
            delay = backoff(availability.failed(failure(e)));
            isTriedAgain = mayPass && !availability.isRefusing();
        } finally {
            // Report the failure even if memory is short: a loop that counts as running is never started again.
            failed.failed(isTriedAgain);
        }
        if (isTriedAgain) {
            runAfter(delay);
        }
    }

    /** Wraps an error, such as a lack of memory: it may be temporary, and must not end the reservations forever. */
    private static RuntimeException failure(Throwable e) {
        return e instanceof RuntimeException exception ? exception : new BlockStoreException(e.toString(), e);
    }

    /** Returns an exponential delay. Half of the delay is random, so that not all processes retry at the same time. */
    private static Duration backoff(int failuresInARow) {
        long bound = Math.min(FIRST_BACKOFF_MILLIS << Math.min(failuresInARow - 1, MAX_DOUBLINGS), MAX_BACKOFF_MILLIS);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(bound / 2, bound + 1));
    }
}
