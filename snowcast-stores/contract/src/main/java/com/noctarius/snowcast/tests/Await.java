// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that other threads or processes make true. */
public final class Await {
    private static final Duration AT_MOST = Duration.ofMinutes(3);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /**
     * Waits until the condition holds, at most three minutes. An interrupt does not end the wait; the interrupt status
     * stays set.
     *
     * @param what a description of the condition, for the message
     * @param condition the condition, called every few milliseconds on the thread of the caller
     * @throws AssertionError if the condition does not hold in time
     */
    public static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError("not within " + AT_MOST + ": " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
