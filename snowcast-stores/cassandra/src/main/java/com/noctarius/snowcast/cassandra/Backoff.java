// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long a reservation waits before it tries again: the first pause is random, the n-th is n times as long. The
 * random start keeps clients that collided from colliding again. After "let cassandra identify your data",
 * MetaBroadcast.
 *
 * <p>Every other attempt follows at once. The answer to a failed attempt has the present state of the row, which is
 * soon out of date: a client that waited before it used the answer would fail for ever beside a client that never
 * waits.
 */
final class Backoff {
    private static final long MAX_START_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long CLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_CLAIM_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    private final Deadline deadline;
    private final long startNanos;
    private int attempts;
    private int claimAttempts;

    Backoff(Deadline deadline) {
        this.deadline = deadline;
        this.startNanos = ThreadLocalRandom.current().nextLong(1, MAX_START_NANOS);
    }

    /** Pauses after a failed attempt, if a pause is due; returns false if no time is left to try again. */
    boolean pause() {
        attempts++;
        boolean isFresh = attempts % 2 == 1;
        return deadline.pause(isFresh ? 0 : Math.min(startNanos * (attempts / 2), MAX_PAUSE_NANOS));
    }

    /**
     * Pauses after an attempt that left the datacenter without integers, longer each time from the second attempt on.
     * Each process that asks all datacenters at the same time gets in the way of the process that is about to claim a
     * range, which will serve all processes of the datacenter.
     *
     * @return false if no time is left to try again
     */
    boolean pauseBeforeClaim() {
        attempts++;
        long bound = Math.min(claimAttempts++ * CLAIM_NANOS, MAX_CLAIM_NANOS);
        return deadline.pause(ThreadLocalRandom.current().nextLong(bound + 1));
    }

    /** Returns how many attempts have failed so far. */
    int attempts() {
        return attempts;
    }
}
