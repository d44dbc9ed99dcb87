// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks.scale;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A duration of a thread's work.
 *
 * @param nanos the elapsed time, including times without a processor
 * @param cpuNanos the CPU time: how long the work would take if there was always a processor for the thread
 */
record Span(long nanos, long cpuNanos) {
    static final Span NONE = new Span(0, 0);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Returns the beginning of a span of this thread. */
    static Span now() {
        return new Span(System.nanoTime(), THREADS.getCurrentThreadCpuTime());
    }

    /** Returns how long this thread has worked since a beginning. */
    static Span since(Span beginning) {
        Span now = now();
        return new Span(now.nanos - beginning.nanos, now.cpuNanos - beginning.cpuNanos);
    }

    Span plus(Span other) {
        return new Span(nanos + other.nanos, cpuNanos + other.cpuNanos);
    }
}
