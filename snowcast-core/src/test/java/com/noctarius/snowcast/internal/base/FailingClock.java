// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.atomic.AtomicInteger;

/** A clock that throws an Error in one read, as any line may when memory is short. Thread-safe. */
public final class FailingClock implements Clock {
    private final Clock clock;
    private final AtomicInteger readsLeft = new AtomicInteger();

    public FailingClock(Clock clock) {
        this.clock = clock;
    }

    /** Makes a read fail: 1 means the next read, higher numbers later reads; 0 means none. */
    public void failAt(int read) {
        readsLeft.set(read);
    }

    private void read() {
        if (readsLeft.getAndUpdate(left -> Math.max(left - 1, 0)) == 1) {
            throw new OutOfMemoryError("Java heap space");
        }
    }

    @Override
    public long millis() {
        read();
        return clock.millis();
    }

    @Override
    public long nanos() {
        read();
        return clock.nanos();
    }

    @Override
    public void parkUntil(long millis) throws InterruptedException {
        clock.parkUntil(millis);
    }

    @Override
    public void parkNanos(long nanos) throws InterruptedException {
        clock.parkNanos(nanos);
    }
}
