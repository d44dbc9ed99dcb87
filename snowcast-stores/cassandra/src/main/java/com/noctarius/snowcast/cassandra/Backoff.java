// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The pauses of a reservation between its attempts. The first pause after an error is random, and the n-th is n times
 * as long, up to a limit, as in "let cassandra identify your data", MetaBroadcast.
 */
final class Backoff {
    private static final long MAX_START_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long CLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_CLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    private final Deadline deadline;
    private final RandomGenerator random;
    private final long startNanos;
    private int attempts;
    private int claimAttempts;

    /** Makes the back-off of the current thread. */
    Backoff(Deadline deadline) {
        this(deadline, ThreadLocalRandom.current());
    }

    Backoff(Deadline deadline, RandomGenerator random) {
        this.deadline = deadline;
        this.random = random;
        this.startNanos = random.nextLong(1, MAX_START_NANOS);
    }

    /** Pauses after a failed attempt; returns false if no time is left to try again. */
    boolean pause() {
        attempts++;
        return deadline.pause(Math.min(startNanos * attempts, MAX_PAUSE_NANOS));
    }

    /**
     * Pauses after an attempt that found the datacenter without integers, for a random time whose limit grows from the
     * second attempt on. Concurrent requests to all datacenters delay each other, and one claim serves all processes of
     * the datacenter.
     */
    void pauseBeforeClaim() {
        long bound = Math.min(claimAttempts++ * CLAIM_NANOS, MAX_CLAIM_NANOS);
        deadline.pause(random.nextLong(bound + 1));
    }

    /** Returns how many attempts have failed so far. */
    int attempts() {
        return attempts;
    }
}
