// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.concurrent.locks.Lock;

/** Acquires locks that another thread may hold during a round trip, so that an interrupt has to end the wait. */
public final class Locks {
    private Locks() {}

    /**
     * Acquires a lock. Throws if the thread is interrupted while it waits; an interrupted thread still acquires a free
     * lock.
     *
     * @param before what the other thread does, for the exception message
     */
    public static void acquire(Lock lock, String subject, String before) {
        if (lock.tryLock()) {
            return;
        }
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SnowcastUnavailableException(subject + ": the thread was interrupted before " + before, e);
        }
    }
}
