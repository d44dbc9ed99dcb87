// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts waits when they begin, and adds up their durations when they end. Thread-safe. */
public final class Waits {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    /** Begins a wait; returns its start time for {@link #end}. */
    public long begin(Clock clock) {
        count.increment();
        return clock.nanos();
    }

    public void end(Clock clock, long sinceNanos) {
        nanos.add(clock.nanos() - sinceNanos);
    }

    public long count() {
        return count.sum();
    }

    public Duration time() {
        return Duration.ofNanos(nanos.sum());
    }
}
