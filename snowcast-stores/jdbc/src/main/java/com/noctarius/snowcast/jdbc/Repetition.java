// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.base.Threads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Something that is done periodically on a daemon thread of its own, whatever goes wrong. Thread-safe. */
final class Repetition implements AutoCloseable {
    private final ScheduledThreadPoolExecutor thread;

    /**
     * Begins at once.
     *
     * @param period from the end of a run to the beginning of the next; 1 second to 1 day
     * @param failed is told why a run failed
     */
    Repetition(String threadName, Duration period, Runnable run, Consumer<Throwable> failed) {
        JdbcShards.requireUpToADay("period", period);
        this.thread = new ScheduledThreadPoolExecutor(1, Threads.daemons(threadName));
        // Not needed: nothing leaves a run, and close() ends the repetition.
        Future<?> unused = thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        run.run();
                    } catch (RuntimeException | Error e) {
                        // An Error, too, such as when no thread can be created: thrown on, it would silently end all.
                        failed.accept(e);
                    }
                },
                0,
                period.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Ends the runs; one that is under way is not waited for. Has no effect the second time. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
