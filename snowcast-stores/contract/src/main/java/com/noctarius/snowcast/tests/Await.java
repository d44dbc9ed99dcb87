// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition that other threads or processes make true. */
public final class Await {
    private static final Duration AT_MOST = Duration.ofMinutes(3);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /** A condition. */
    public interface Condition {
        /**
         * Returns whether the condition holds.
         *
         * @return false to wait longer
         * @throws Exception if that cannot be found out; the wait then fails
         */
        boolean holds() throws Exception;
    }

    /**
     * Waits until the condition holds, at most three minutes. An interrupt does not end the wait; the interrupt status
     * stays set.
     *
     * @param what a description of the condition, for the message
     * @param condition the condition, called every few milliseconds on the thread of the caller
     * @throws AssertionError if the condition does not hold in time
     */
    public static void until(String what, Condition condition) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!holds(what, condition)) {
            if (System.nanoTime() - deadline >= 0) {
                throw new AssertionError("not within " + AT_MOST + ": " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static boolean holds(String what, Condition condition) {
        try {
            return condition.holds();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("failed while it waited: " + what, e);
        }
    }
}
