// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection in auto-commit mode that calls use one after the other before it goes back to its pool. One thread at a
 * time uses the connection; other threads may only cancel a statement that takes too long, abort the connection, or
 * close the connection while no thread uses it.
 */
final class HeldConnection {
    private enum Phase {
        IDLE,
        BUSY,
        CLOSED
    }

    private final Connection connection;
    private final ConnectionSettings before;
    private final long takenNanos = System.nanoTime();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.IDLE);
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    private volatile @Nullable PreparedStatement running;

    private final AtomicBoolean cancelled = new AtomicBoolean();

    private final AtomicBoolean aborted = new AtomicBoolean();

    private final AtomicBoolean returned = new AtomicBoolean();

    /** When the present use or idle time began. */
    private volatile long sinceNanos = takenNanos;

    /** Takes a connection that is in auto-commit mode; {@link #close} restores its former settings, {@code before}. */
    HeldConnection(Connection connection, ConnectionSettings before) {
        this.connection = connection;
        this.before = before;
    }

    // --- the thread that uses the connection

    /** Begins a use by the calling thread; returns false if another thread has closed the connection. */
    boolean tryAcquire() {
        if (!phase.compareAndSet(Phase.IDLE, Phase.BUSY)) {
            return false;
        }
        sinceNanos = System.nanoTime();
        return true;
    }

    /**
     * Returns whether a call by this thread reaches this connection. Some proxies pass each call on to the connection
     * of the calling thread's transaction, which is not in auto-commit mode.
     */
    boolean isOwn() throws SQLException {
        return connection.getAutoCommit();
    }

    <T> List<T> query(Dialect dialect, String sql, Transaction.Row<T> row, Object... values) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        Transaction.set(statement, values);
        running = statement;
        try (ResultSet columns = statement.executeQuery()) {
            dialect.requireConfirmed(statement::getWarnings);
            return Transaction.rows(columns, row);
        } finally {
            running = null;
        }
    }

    /** Ends a use; returns whether the connection may be used again. */
    boolean release(long holdNanos) {
        long now = System.nanoTime();
        sinceNanos = now;
        boolean again = now - takenNanos < holdNanos;
        phase.set(again ? Phase.IDLE : Phase.CLOSED);
        return again;
    }

    boolean isAborted() {
        return aborted.get();
    }

    /** Prevents further uses. */
    void retire() {
        phase.set(Phase.CLOSED);
    }

    /**
     * Restores the settings and returns the connection to its pool, on another thread. Returns whether this call began
     * to do so; false if an earlier call did, or if no thread is available, so that a later call must retry.
     */
    boolean closeOn(Executor threads) {
        return once(returned, this::close, threads);
    }

    private void close() {
        try (Connection taken = connection) {
            restore(taken);
        } catch (SQLException e) {
            abort();
        }
    }

    private void restore(Connection taken) {
        try {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
            before.apply(ConnectionSettings.AUTO_COMMIT, taken);
        } catch (SQLException e) {
            // Abort the connection before it returns to its pool. Otherwise other code would get the connection with
            // our settings.
            abort();
        }
    }

    // --- the watch

    /** Prevents further uses if the connection was idle for longer than {@code nanos}; returns true in this case. */
    boolean closeIfIdle(long nanos) {
        return System.nanoTime() - sinceNanos > nanos && phase.compareAndSet(Phase.IDLE, Phase.CLOSED);
    }

    boolean hasEnded() {
        return phase.get() == Phase.CLOSED;
    }

    /**
     * Cancels the statement if the present use takes {@code statementNanos}, and aborts the connection if the use takes
     * longer than {@code callNanos}. Does each at most once for a connection.
     */
    void watch(long statementNanos, long callNanos, Executor threads) {
        long takes = System.nanoTime() - sinceNanos;
        if (phase.get() != Phase.BUSY || takes < statementNanos) {
            return;
        }
        if (takes > callNanos) {
            once(aborted, this::abort, threads);
        } else {
            once(cancelled, this::cancel, threads);
        }
    }

    /**
     * Runs a task on another thread, because the driver may wait for a server that does not answer. Returns whether
     * this call submitted the task; false if the task has begun before, or if no thread is available.
     */
    private static boolean once(AtomicBoolean begun, Runnable task, Executor threads) {
        if (!begun.compareAndSet(false, true)) {
            return false;
        }
        try {
            threads.execute(task);
            return true;
        } catch (OutOfMemoryError e) {
            begun.set(false); // The watch retries.
            return false;
        }
    }

    private void cancel() {
        try {
            PreparedStatement statement = running;
            if (statement != null) {
                statement.cancel();
            }
        } catch (SQLException e) {
            // The watch aborts the connection if the statement continues.
        }
    }

    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // Nothing more can be done, because the driver cannot abort the connection.
        }
    }
}
