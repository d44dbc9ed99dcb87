// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clocks, with an offset of the wall clock that the test sets. Thread-safe. */
final class OffsetClock implements Clock {
    private volatile long offsetMillis;
    /** The additional error of the next read only, in milliseconds. */
    private final AtomicLong misreadMillis = new AtomicLong();

    OffsetClock(long offsetMillis) {
        this.offsetMillis = offsetMillis;
    }

    /** Makes a member use this clock. */
    void install(Config config) {
        config.getUserContext().put(SystemClock.REPLACEMENT_KEY, this);
    }

    /** Makes a client use this clock. */
    void install(ClientConfig config) {
        config.getUserContext().put(SystemClock.REPLACEMENT_KEY, this);
    }

    void setOffset(long millis) {
        offsetMillis = millis;
    }

    /** Makes the next read of the wall clock wrong, as a fault of the machine can. */
    void misreadOnce(long millis) {
        misreadMillis.set(millis);
    }

    long offsetMillis() {
        return offsetMillis;
    }

    @Override
    public long millis() {
        long misread = misreadMillis.get() == 0 ? 0 : misreadMillis.getAndSet(0);
        return SystemClock.INSTANCE.millis() + offsetMillis + misread;
    }

    @Override
    public long nanos() {
        return SystemClock.INSTANCE.nanos();
    }

    @Override
    public void parkUntil(long millis) throws InterruptedException {
        SystemClock.INSTANCE.parkUntil(millis - offsetMillis);
    }

    @Override
    public void parkNanos(long nanos) throws InterruptedException {
        SystemClock.INSTANCE.parkNanos(nanos);
    }
}
