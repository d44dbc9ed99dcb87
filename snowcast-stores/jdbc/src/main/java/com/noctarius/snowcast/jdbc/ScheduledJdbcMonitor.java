// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A {@link JdbcMonitor} that reads periodically on a daemon thread, for metrics and health checks. Thread-safe. */
public final class ScheduledJdbcMonitor implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ScheduledJdbcMonitor.class.getName());

    private final JdbcMonitor monitor;
    private final Repetition readings;
    private volatile @Nullable JdbcStatus status;

    ScheduledJdbcMonitor(JdbcMonitor monitor, Duration period) {
        this.monitor = monitor;
        this.readings = new Repetition("snowcast.monitor", period, () -> status = monitor.read(), this::failed);
    }

    private void failed(Throwable e) {
        LOGGER.log(System.Logger.Level.WARNING, "the shards could not be read; the next try follows", e);
    }

    /**
     * Returns the status from the latest reading. Does not block.
     *
     * @return the status; empty until the first reading has ended
     */
    public Optional<JdbcStatus> status() {
        return Optional.ofNullable(status);
    }

    /** Starts no further reading; does not wait for an active reading. A second call has no effect. */
    @Override
    public void close() {
        readings.close();
    }

    @Override
    public String toString() {
        return "ScheduledJdbcMonitor{" + monitor + '}';
    }
}
