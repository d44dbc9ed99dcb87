// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A stretch of a thread's time.
 *
 * @param nanos by the clock, with what the machine took away in between
 * @param cpuNanos on a processor: what a machine with a processor for the thread would have taken
 */
record Span(long nanos, long cpuNanos) {
    static final Span NONE = new Span(0, 0);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Returns the beginning of a span of this thread. */
    static Span now() {
        return new Span(System.nanoTime(), THREADS.getCurrentThreadCpuTime());
    }

    /** Returns what this thread has taken since a beginning. */
    static Span since(Span beginning) {
        Span now = now();
        return new Span(now.nanos - beginning.nanos, now.cpuNanos - beginning.cpuNanos);
    }

    Span plus(Span other) {
        return new Span(nanos + other.nanos, cpuNanos + other.cpuNanos);
    }
}
