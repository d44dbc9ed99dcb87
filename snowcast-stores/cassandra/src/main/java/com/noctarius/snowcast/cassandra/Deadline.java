// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of the time that a call may take, and the longest that one of its requests may take. An interrupt ends no
 * wait; the thread is interrupted again afterwards.
 */
record Deadline(long endNanos, long maxRequestNanos) {
    /** For a call that may wait for one request all the time. */
    static Deadline after(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos(), Long.MAX_VALUE);
    }

    /** For a call of several attempts: none takes more than half of the time, so that another one can follow. */
    static Deadline ofAttempts(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos(), timeout.toNanos() / 2);
    }

    /** Returns the time that is left; negative after the deadline. */
    long remainingNanos() {
        return endNanos - System.nanoTime();
    }

    /** Returns the time that is left for a request, at least a millisecond. */
    Duration remaining() {
        long nanos = Math.min(remainingNanos(), maxRequestNanos);
        return Duration.ofNanos(Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)));
    }

    /** Waits, at most until the deadline; returns false if no time is left then. */
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

    /** Takes a lock; returns false if that was not possible before the deadline. */
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
