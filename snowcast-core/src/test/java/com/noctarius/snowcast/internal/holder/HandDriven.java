// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Background work that a test does, one task after the other. Thread-safe. */
final class HandDriven implements Background {
    private final Deque<Task> tasks = new ArrayDeque<>();

    private record Task(Runnable runnable, Duration delay) {}

    @Override
    public synchronized void run(Runnable task, Duration delay) {
        tasks.add(new Task(task, delay));
        notifyAll();
    }

    /** Runs the oldest task; waits until there is one. Returns after which delay it was to run. */
    Duration runNext() throws InterruptedException {
        Task next;
        synchronized (this) {
            while (tasks.isEmpty()) {
                wait();
            }
            next = tasks.remove();
        }
        next.runnable.run();
        return next.delay;
    }

    /** Runs tasks until there is none. */
    void runAll() throws InterruptedException {
        while (waiting() > 0) {
            runNext();
        }
    }

    /** Returns how many tasks are to be run. */
    synchronized int waiting() {
        return tasks.size();
    }
}
