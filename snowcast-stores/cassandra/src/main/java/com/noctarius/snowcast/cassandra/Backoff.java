// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The pauses between the attempts of a call. The first {@link #pause} takes a random time of up to 10 milliseconds. The
 * n-th pause is n times as long as the first, up to 100 milliseconds.
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

    /** Creates a back-off that only the current thread may use. */
    Backoff(Deadline deadline) {
        this(deadline, ThreadLocalRandom.current());
    }

    Backoff(Deadline deadline, RandomGenerator random) {
        this.deadline = deadline;
        this.random = random;
        this.startNanos = random.nextLong(1, MAX_START_NANOS);
    }

    /** Pauses after a failed attempt; returns whether the deadline leaves time for another one. */
    boolean pause() {
        attempts++;
        return deadline.pause(Math.min(startNanos * attempts, MAX_PAUSE_NANOS));
    }

    /**
     * Pauses for a random time before a claim, so that usually one process claims for all processes of the datacenter.
     * Concurrent claims would delay each other. The first pause of this kind takes no time. The second takes at most
     * 100 milliseconds, the third at most 200, and so on, up to a second.
     */
    void pauseBeforeClaim() {
        long bound = Math.min(claimAttempts++ * CLAIM_NANOS, MAX_CLAIM_NANOS);
        deadline.pause(random.nextLong(bound + 1));
    }

    int attempts() {
        return attempts;
    }
}
