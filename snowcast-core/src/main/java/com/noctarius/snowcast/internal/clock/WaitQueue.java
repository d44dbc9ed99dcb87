// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Threads that wait for a condition which others make true. Waiting threads are parked, not blocked on a lock, so that
 * {@link #wake} never waits and virtual threads are not pinned.
 *
 * <p>Thread-safe. A wake-up is not lost: a thread is listed before it looks at the condition.
 */
public final class WaitQueue {
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private final Clock clock;

    public WaitQueue(Clock clock) {
        this.clock = clock;
    }

    /**
     * Waits until a condition holds.
     *
     * @return whether it holds; false after {@code atMost}
     * @throws InterruptedException if the thread is interrupted before it holds
     */
    public boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
        long deadline = clock.nanos() + atMost.toNanos();
        waiting.add(Thread.currentThread());
        try {
            while (!condition.getAsBoolean()) {
                long remaining = deadline - clock.nanos();
                if (remaining <= 0) {
                    return false;
                }
                clock.parkNanos(remaining);
            }
            return true;
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /** Makes all waiting threads look at their condition again; to be called after it was made true. */
    public void wake() {
        waiting.forEach(LockSupport::unpark);
    }
}
