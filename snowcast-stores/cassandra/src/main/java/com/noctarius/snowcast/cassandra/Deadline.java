// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * The deadline of a call, and the maximum duration of each of its requests. An interrupt does not end a wait; the
 * thread's interrupt status is set again after the wait.
 */
record Deadline(long endNanos, long maxRequestNanos) {
    /** Returns the deadline of a call that may use the whole time for one request. */
    static Deadline after(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos(), Long.MAX_VALUE);
    }

    /** Returns the deadline of a call with several attempts. One request may take at most half of the time. */
    static Deadline ofAttempts(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos(), timeout.toNanos() / 2);
    }

    /** Returns the time until the deadline; negative after it. */
    long remainingNanos() {
        return endNanos - System.nanoTime();
    }

    /** Returns how long a request may take now; at least a millisecond. */
    Duration remaining() {
        long nanos = Math.min(remainingNanos(), maxRequestNanos);
        return Duration.ofNanos(Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
    }

    /** Waits, at most until the deadline. Returns whether time is left after the wait. */
    boolean pause(long nanos) {
        long end = System.nanoTime() + Math.min(nanos, Math.max(remainingNanos(), 0));
        boolean interrupted = Thread.interrupted();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        keep(interrupted);
        return remainingNanos() > 0;
    }

    /** Acquires a lock. Returns false if the deadline passes first. */
    boolean lock(Lock lock) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return lock.tryLock(remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            keep(interrupted);
        }
    }

    private static void keep(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
