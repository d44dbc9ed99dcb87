// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Background work that a test does, one task after the other; checks apart from the rest. Thread-safe. */
final class HandDriven implements Background {
    private final Deque<Task> tasks = new ArrayDeque<>();
    private final Deque<Task> checks = new ArrayDeque<>();

    private record Task(Runnable runnable, Duration delay) {}

    @Override
    public synchronized void run(Runnable task, Duration delay) {
        tasks.add(new Task(task, delay));
        notifyAll();
    }

    @Override
    public synchronized void check(Runnable task, Duration delay) {
        checks.add(new Task(task, delay));
    }

    /** Runs the checks that are to be run now, and none that these plan. */
    void runChecks() {
        List<Task> present;
        synchronized (this) {
            present = List.copyOf(checks);
            checks.clear();
        }
        present.forEach(check -> check.runnable.run());
    }

    /** Returns how many checks are to be run. */
    synchronized int checks() {
        return checks.size();
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
