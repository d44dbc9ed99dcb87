// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A periodic task on its own daemon thread, which continues after failures. Thread-safe. */
final class Repetition implements AutoCloseable {
    private final ScheduledThreadPoolExecutor thread;

    /**
     * Starts the first run at once.
     *
     * @param period from the end of a run to the beginning of the next; 1 second to 1 day
     * @param failed receives the failure of a run
     */
    Repetition(String threadName, Duration period, Runnable run, Consumer<Throwable> failed) {
        JdbcShards.requireUpToADay("period", period);
        this.thread = new ScheduledThreadPoolExecutor(1, Threads.daemons(threadName));
        // The future is not needed, because no exception leaves a run, and close() ends the repetition.
        Future<?> unused = thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        run.run();
                    } catch (RuntimeException | Error e) {
                        // If this error left the run, the executor would silently start no further run.
                        failed.accept(e);
                    }
                },
                0,
                period.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Starts no further run; does not wait for an active run. A second call has no effect. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
