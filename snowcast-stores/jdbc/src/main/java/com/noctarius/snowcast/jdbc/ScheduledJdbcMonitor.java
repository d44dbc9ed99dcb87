// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A {@link JdbcMonitor} that reads periodically on a daemon thread of its own, for meters and health. Thread-safe. */
public final class ScheduledJdbcMonitor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ScheduledJdbcMonitor.class.getName());

    private final JdbcMonitor monitor;
    private final ScheduledThreadPoolExecutor thread;
    private volatile @Nullable JdbcStatus status;

    ScheduledJdbcMonitor(JdbcMonitor monitor, Duration period) {
        JdbcShards.requireUpToADay("period", period);
        this.monitor = monitor;
        this.thread = new ScheduledThreadPoolExecutor(1, ScheduledJdbcMonitor::thread);
        // Not needed: run() catches everything, and close() ends the repetition.
        Future<?> unused = thread.scheduleWithFixedDelay(this::run, 0, period.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "snowcast.monitor");
        thread.setDaemon(true);
        return thread;
    }

    private void run() {
        try {
            status = monitor.read();
        } catch (RuntimeException | Error e) {
            // An Error, too, such as when no thread can be created: thrown on, it would silently end the repetition.
            LOGGER.log(System.Logger.Level.WARNING, "the shards could not be read; the next try follows", e);
        }
    }

    /**
     * Returns the last reading. Does not block.
     *
     * @return empty before the first reading has ended
     */
    public Optional<JdbcStatus> status() {
        return Optional.ofNullable(status);
    }

    /** Ends the readings; one that is under way is not waited for. Has no effect the second time. */
    @Override
    public void close() {
        thread.shutdown();
    }

    @Override
    public String toString() {
        return "ScheduledJdbcMonitor{" + monitor + '}';
    }
}
