// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A queue of threads that wait for a condition, which time or another thread makes true. Waiting threads are parked,
 * not blocked on a lock, so that {@link #wake} never waits and virtual threads are not pinned.
 *
 * <p>Thread-safe. A wake-up is not lost: a thread is listed before it looks at the condition.
 */
public final class WaitQueue {
    /** The remaining time of a wait that time alone does not end. */
    public static final long UNTIL_WOKEN = Long.MAX_VALUE;

    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private final Clock clock;

    public WaitQueue(Clock clock) {
        this.clock = clock;
    }

    /**
     * Returns whether the wait is over; false after {@code atMost}.
     *
     * @param nanosLeft how long to wait before looking again; not positive when the wait is over
     */
    public boolean await(LongSupplier nanosLeft, Duration atMost) throws InterruptedException {
        long deadline = clock.nanos() + atMost.toNanos();
        waiting.add(Thread.currentThread());
        try {
            long nanos;
            while ((nanos = nanosLeft.getAsLong()) > 0) {
                long remaining = deadline - clock.nanos();
                if (remaining <= 0) {
                    return false;
                }
                clock.parkNanos(Math.min(nanos, remaining));
            }
            return true;
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /** Returns whether a thread waits. */
    public boolean isInUse() {
        return !waiting.isEmpty();
    }

    /** Makes all waiting threads check again; to be called after their condition has become true. */
    public void wake() {
        waiting.forEach(LockSupport::unpark);
    }
}
