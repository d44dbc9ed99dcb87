// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.internal.blocks.BlockSupply.Background;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Runs background work when a test says so. Thread-safe. */
final class HandDriven implements Background {
    private final Deque<Task> tasks = new ArrayDeque<>();

    private record Task(Runnable runnable, Duration delay) {}

    @Override
    public synchronized void run(Runnable task, Duration delay) {
        tasks.add(new Task(task, delay));
        notifyAll();
    }

    /** Runs the oldest task, for which it waits. Returns the delay requested for the task. */
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

    /** Runs all tasks, including those that these tasks add. */
    void runAll() throws InterruptedException {
        while (waiting() > 0) {
            runNext();
        }
    }

    /** Returns the number of pending tasks. */
    synchronized int waiting() {
        return tasks.size();
    }
}
