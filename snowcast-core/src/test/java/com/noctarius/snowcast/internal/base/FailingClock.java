// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.atomic.AtomicInteger;

/** A clock that throws an {@link OutOfMemoryError} in one read. (Any statement may throw this error.) Thread-safe. */
public final class FailingClock implements Clock {
    private final Clock clock;
    private final AtomicInteger readsLeft = new AtomicInteger();

    public FailingClock(Clock clock) {
        this.clock = clock;
    }

    /** Makes one later read fail: 1 is the next read, 2 the read after the next one. With 0, no read fails. */
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
