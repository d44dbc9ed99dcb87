// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection in auto-commit that goes back to its pool some milliseconds later. The thread that has begun a use is
 * its only user until the end; others may end a statement that takes too long.
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

    private final ReentrantLock lock = new ReentrantLock();
    // --- guarded by the lock
    private @Nullable PreparedStatement running;
    private boolean cancelled;
    private boolean aborted;

    /** When the present use or the present idleness began. */
    private volatile long sinceNanos = takenNanos;

    /** Takes a connection with the settings {@code before}, which are to be restored, and of auto-commit now. */
    HeldConnection(Connection connection, ConnectionSettings before) {
        this.connection = connection;
        this.before = before;
    }

    // --- the user

    /** Begins a use, on the thread that goes on with it; returns false if the connection is to be closed. */
    boolean begin() {
        if (!phase.compareAndSet(Phase.IDLE, Phase.BUSY)) {
            return false;
        }
        sinceNanos = System.nanoTime();
        return true;
    }

    /**
     * Whether this connection still commits by itself on the thread of the caller: proxies exist that pass each call to
     * the connection of a transaction that is bound to the thread.
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
        run(statement);
        try (ResultSet columns = statement.executeQuery()) {
            dialect.requireConfirmed(statement::getWarnings);
            return Transaction.rows(columns, row);
        } finally {
            run(null);
        }
    }

    private void run(@Nullable PreparedStatement statement) {
        lock.lock();
        try {
            running = statement;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a use; returns whether the connection may be used again. */
    boolean end(long holdNanos) {
        long now = System.nanoTime();
        sinceNanos = now;
        boolean again = now - takenNanos < holdNanos;
        phase.set(again ? Phase.IDLE : Phase.CLOSED);
        return again;
    }

    boolean isAborted() {
        lock.lock();
        try {
            return aborted;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the connection back, on a thread of ours, to be called once, after the last use. */
    void close() {
        phase.set(Phase.CLOSED);
        try (Connection taken = connection) {
            for (PreparedStatement statement : statements.values()) {
                statement.close();
            }
            before.apply(ConnectionSettings.AUTO_COMMIT, taken);
        } catch (SQLException e) {
            abort();
        }
    }

    // --- the watch

    /** Whether no thread has begun a use for that long; then none can any more. */
    boolean closeIfIdle(long nanos) {
        return System.nanoTime() - sinceNanos > nanos && phase.compareAndSet(Phase.IDLE, Phase.CLOSED);
    }

    boolean isClosed() {
        return phase.get() == Phase.CLOSED;
    }

    /** Ends the present statement, once it takes too long, and the connection if that does not help. */
    void watch(long statementNanos, long callNanos) {
        long takes = System.nanoTime() - sinceNanos;
        if (phase.get() != Phase.BUSY || takes < statementNanos) {
            return;
        }
        if (takes > callNanos) {
            Shard.THREADS.execute(this::abort);
        } else {
            Shard.THREADS.execute(this::cancel);
        }
    }

    private void cancel() {
        lock.lock();
        try {
            PreparedStatement statement = running;
            if (statement != null && !cancelled) {
                cancelled = true;
                statement.cancel();
            }
        } catch (SQLException e) {
            // The abort follows.
        } finally {
            lock.unlock();
        }
    }

    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It is broken, one way or the other.
        }
        lock.lock();
        try {
            aborted = true;
        } finally {
            lock.unlock();
        }
    }
}
