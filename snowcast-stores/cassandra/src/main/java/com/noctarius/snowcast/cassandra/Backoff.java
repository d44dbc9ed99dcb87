// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * How long a reservation waits after an error, at random: the first pause is random, and the n-th is n times as long,
 * after "let cassandra identify your data", MetaBroadcast.
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

    /** For the thread that calls this. */
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
     * Pauses after an attempt that left the datacenter without integers, longer each time from the second attempt on.
     * Each process that asks all datacenters at the same time gets in the way of the process that is about to claim a
     * range, which will serve all processes of the datacenter.
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
