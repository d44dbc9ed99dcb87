// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.util.concurrent.atomic.AtomicInteger;

/** A clock that throws an {@link OutOfMemoryError} in one read. (Any statement may throw this error.) Thread-safe. */
public final class FailingClock extends ForwardingClock {
    private final AtomicInteger readsLeft = new AtomicInteger();

    public FailingClock(Clock clock) {
        super(clock);
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
        return super.millis();
    }

    @Override
    public long nanos() {
        read();
        return super.nanos();
    }
}
