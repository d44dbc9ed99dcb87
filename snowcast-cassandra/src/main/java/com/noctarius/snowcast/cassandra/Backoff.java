// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long a reservation waits before it tries again: at first a random time, then that times the number of pauses. The random
 * start keeps clients that collided from colliding again. After "let cassandra identify your data", MetaBroadcast.
 *
 * <p>Every other attempt follows at once. The answer to a failed one says what is there now, and that is soon out of date:
 * who waited before using it would fail for ever beside a client that never has to wait.
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

    /** After an attempt that failed: waits if need be, and says whether there is time left to try again. */
    boolean pause() {
        attempts++;
        boolean isFresh = attempts % 2 == 1;
        return deadline.pause(isFresh ? 0 : Math.min(startNanos * (attempts / 2), MAX_PAUSE_NANOS));
    }

    /**
     * After an attempt that left the datacenter without integers: waits longer, from the second one on. Everybody who asks all datacenters at a time
     * makes it harder for the one who is about to succeed, whose range will serve all processes of the datacenter.
     */
    boolean pauseBeforeClaim() {
        attempts++;
        long bound = Math.min(claimAttempts++ * CLAIM_NANOS, MAX_CLAIM_NANOS);
        return deadline.pause(ThreadLocalRandom.current().nextLong(bound + 1));
    }

    /** Attempts that did not succeed so far. */
    int attempts() {
        return attempts;
    }
}
