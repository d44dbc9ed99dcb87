// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** Counts waits when they begin, and adds up their durations when they end. Thread-safe. */
public final class Waits {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongConsumer ended;

    /** Makes a counter; {@code ended} receives the duration of each wait, in nanoseconds, at its end. */
    public Waits(LongConsumer ended) {
        this.ended = ended;
    }

    /** Begins a wait; returns its start time for {@link #end}. */
    public long begin(Clock clock) {
        count.increment();
        return clock.nanos();
    }

    public void end(Clock clock, long sinceNanos) {
        long waited = clock.nanos() - sinceNanos;
        nanos.add(waited);
        ended.accept(waited);
    }

    public long count() {
        return count.sum();
    }

    public Duration time() {
        return Duration.ofNanos(nanos.sum());
    }
}
