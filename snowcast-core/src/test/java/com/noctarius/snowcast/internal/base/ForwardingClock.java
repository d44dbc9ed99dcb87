// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

/** A clock that does what another one does, unless a subclass overrides it. */
public abstract class ForwardingClock implements Clock {
    private final Clock clock;

    protected ForwardingClock(Clock clock) {
        this.clock = clock;
    }

    @Override
    public long millis() {
        return clock.millis();
    }

    @Override
    public long nanos() {
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
