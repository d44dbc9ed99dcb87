// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Runs reservations and, at a shutdown, closings on background threads, because stores block. */
interface Background {
    /** The threads of this process: one for each running reservation or closing. */
    Background THREADS = new Background() {
        private final Executor threads = Threads.named("snowcast.reservations");

        @Override
        public void run(Runnable task, Duration delay) {
            if (delay.isZero()) {
                threads.execute(task);
            } else {
                Delays.execute(task, delay.toNanos(), threads);
            }
        }
    };

    /** Runs a task on another thread, after a delay. Does not block. */
    void run(Runnable task, Duration delay);

    /** Runs a task on another thread. If no thread can be created, runs the task on this thread, which may block. */
    default void runInAnyCase(Runnable task) {
        try {
            run(task, Duration.ZERO);
        } catch (RuntimeException | Error e) {
            task.run();
        }
    }
}
