// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Runs background work when a test says so: tasks such as reservations, and the checks of the watching thread, which
 * run before the tasks. Thread-safe.
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

    /** Runs the scheduled checks. If they schedule more checks, the next call runs these. */
    void runChecks() {
        List<Runnable> present;
        synchronized (this) {
            present = List.copyOf(checks);
            checks.clear();
        }
        present.forEach(Runnable::run);
    }

    synchronized int checks() {
        return checks.size();
    }

    /** Runs the checks, and then the oldest task, for which it waits. Returns the delay requested for the task. */
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

    /** Runs the checks once, and then all tasks, including those that these tasks add. */
    void runAll() throws InterruptedException {
        runChecks();
        while (hasTasks()) {
            runOldest();
        }
    }

    private synchronized boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /** Runs the checks, and returns the number of pending tasks. */
    int waiting() {
        runChecks();
        synchronized (this) {
            return tasks.size();
        }
    }
}
