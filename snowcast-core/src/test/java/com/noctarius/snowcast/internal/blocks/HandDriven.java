// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Background work that a test does, one task after the other. The thread that watches sequences looks whenever the test
 * asks for tasks. Thread-safe.
 */
final class HandDriven implements Background {
    private final Deque<Task> tasks = new ArrayDeque<>();
    private final Deque<Runnable> checks = new ArrayDeque<>();

    private record Task(Runnable runnable, Duration delay) {}

    @Override
    public synchronized void run(Runnable task, Duration delay) {
        tasks.add(new Task(task, delay));
        notifyAll();
    }

    @Override
    public synchronized void check(Runnable task, Duration delay) {
        checks.add(task);
    }

    /** Runs the checks that are planned, and none that these plan. */
    void runChecks() {
        List<Runnable> present;
        synchronized (this) {
            present = List.copyOf(checks);
            checks.clear();
        }
        present.forEach(Runnable::run);
    }

    /** Returns how many checks are planned. */
    synchronized int checks() {
        return checks.size();
    }

    /** Runs the oldest task; waits until there is one. Returns after which delay it was to run. */
    Duration runNext() throws InterruptedException {
        runChecks();
        return runOldest();
    }

    private Duration runOldest() throws InterruptedException {
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

    /** Runs the checks once, and then tasks until there is none. */
    void runAll() throws InterruptedException {
        runChecks();
        while (hasTasks()) {
            runOldest();
        }
    }

    private synchronized boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /** Runs the checks, and returns how many tasks are to be run. */
    int waiting() {
        runChecks();
        synchronized (this) {
            return tasks.size();
        }
    }
}
