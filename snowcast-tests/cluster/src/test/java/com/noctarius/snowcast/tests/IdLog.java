// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.util.Arrays;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The IDs that one thread got, in the order of its calls. Only this thread writes the log. Others may read it. */
final class IdLog {
    private volatile long[] ids = new long[1024];
    private volatile int size;
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    /**
     * The times at which a call began and returned (monotonic, in nanoseconds), and its IDs: the IDs of the log from
     * index {@code from} inclusive to {@code to} exclusive.
     */
    record Call(long beganNanos, long returnedNanos, int from, int to) {}

    interface Source {
        long[] take() throws InterruptedException;
    }

    /** Makes a call, and records its IDs and times. */
    void take(Source source) throws InterruptedException {
        long beganNanos = System.nanoTime();
        long[] taken = source.take();
        addCall(beganNanos, System.nanoTime(), taken);
    }

    void addCall(long beganNanos, long returnedNanos, long... more) {
        int from = size;
        add(more);
        if (more.length > 0) {
            calls.add(new Call(beganNanos, returnedNanos, from, size));
        }
    }

    void add(long... more) {
        int before = size;
        int after = before + more.length;
        long[] all = ids;
        if (after > all.length) {
            all = Arrays.copyOf(all, Math.max(after, 2 * all.length));
            ids = all;
        }
        System.arraycopy(more, 0, all, before, more.length);
        size = after;
    }

    int size() {
        return size;
    }

    long[] toArray() {
        int now = size;
        return Arrays.copyOf(ids, now);
    }

    Collection<Call> calls() {
        return calls;
    }
}
