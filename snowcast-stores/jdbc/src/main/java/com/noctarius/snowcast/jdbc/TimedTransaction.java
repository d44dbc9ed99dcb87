// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A transaction on its own thread, for which a caller waits for a limited time. Thread-safe. */
final class TimedTransaction<T> implements Runnable {
    private final Shard shard;
    private final ConnectionSettings settings;
    private final Shard.Work<T> work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();

    /** Whether the caller no longer waits. Written under the lock. */
    private volatile boolean abandoned;

    /** Whether the pool or driver has given a connection. Written under the lock. */
    private volatile boolean hasConnected;

    // --- guarded by the lock
    private boolean ended;
    /** The connection while it may be aborted; null before it is open, and when it goes back to its pool. */
    private @Nullable Connection connection;

    TimedTransaction(Shard shard, ConnectionSettings settings, Shard.Work<T> work) {
        this.shard = shard;
        this.settings = settings;
        this.work = work;
    }

    @Override
    public void run() {
        try {
            answer.complete(onConnection());
        } catch (SQLException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        } finally {
            end();
        }
    }

    /** Waits as {@link #get} does. Gives the transaction up if there is no answer within the call time-out. */
    T await(Executor threads) throws SQLException {
        try {
            return get(answer, shard.callTimeout);
        } catch (TimeoutException e) {
            abandon(threads);
            throw new CallTimeoutException(
                    (hasConnected ? "no answer within " : "no connection within ") + shard.callTimeout);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    /** Waits for an answer; an interrupt does not end the wait, and the thread is interrupted again afterwards. */
    static <T> T get(Future<T> answer, Duration timeout) throws ExecutionException, TimeoutException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SQLException failure(@Nullable Throwable cause) {
        if (cause instanceof SQLException e) {
            return e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        // Pass on snowcast's own exception. Any other usually comes from a pool or driver that does not use
        // SQLException.
        if (cause instanceof ShardMismatchException e) {
            throw e;
        }
        return new SQLException(cause);
    }

    private T onConnection() throws SQLException {
        try (Connection taken = shard.dataSource.getConnection()) {
            setConnection(taken);
            try {
                Dialect present = shard.dialect == null ? Dialect.of(taken) : shard.dialect;
                ConnectionSettings before = ConnectionSettings.of(taken, present);
                ConnectionSettings cleared = endOpen(taken, present, before);
                return inTransaction(taken, present, before, cleared);
            } finally {
                setConnection(null);
            }
        }
    }

    /**
     * Rolls back a transaction that another user of the pool may have left open, because we must not commit it. In
     * auto-commit, the driver may not know of it: somebody may have executed BEGIN. Our statements would then be part
     * of that transaction, and would never be committed. Returns the present settings.
     *
     * <p>In MariaDB and MySQL, this is not needed before the statement that {@linkplain Transaction#begin begins} our
     * transaction, because that statement fails within a transaction. In PostgreSQL, it succeeds if the open
     * transaction has the same isolation. With PostgreSQL's driver, and with MariaDB's except for auto-commit, these
     * calls send nothing to the server if no transaction is open.
     */
    private ConnectionSettings endOpen(Connection taken, Dialect present, ConnectionSettings before)
            throws SQLException {
        boolean failsIfOpen = !settings.autoCommit() && present.setsIsolation() && !present.setsAccessMode();
        if (before.autoCommit() && failsIfOpen) {
            return before;
        }
        try {
            if (before.autoCommit()) {
                taken.setAutoCommit(false);
            }
            taken.rollback();
            return new ConnectionSettings(false, before.isolation(), before.readOnly());
        } catch (SQLException | RuntimeException e) {
            abort(taken, e);
            throw e;
        }
    }

    private T inTransaction(Connection taken, Dialect present, ConnectionSettings before, ConnectionSettings cleared)
            throws SQLException {
        ConnectionSettings used = cleared;
        try {
            boolean commitsEach =
                    settings.autoCommit() && present.setsIsolation() && !ConnectionSettings.areOurs(taken);
            used = commitsEach ? ConnectionSettings.OURS : settings;
            used.apply(cleared, taken);
            // Check before the work, too, because auto-commit would keep the changes of the work although the caller
            // has timed out.
            requireAwaited();
            Transaction transaction =
                    new Transaction(taken, shard.statementTimeoutSeconds, shard.callTimeout, present, commitsEach);
            if (!settings.autoCommit()) {
                transaction.begin();
            }
            T value = work.in(transaction);
            requireAwaited();
            if (!settings.autoCommit()) {
                transaction.commit();
            }
            before.apply(used, taken);
            return value;
        } catch (SQLException | RuntimeException | Error e) {
            rollBack(taken, before, used, e);
            throw e;
        }
    }

    private void requireAwaited() throws CallTimeoutException {
        if (abandoned) {
            throw new CallTimeoutException("it took too long");
        }
    }

    private static void rollBack(
            Connection taken, ConnectionSettings before, ConnectionSettings used, Throwable reason) {
        try {
            if (!taken.getAutoCommit()) {
                taken.rollback();
            }
            before.apply(used, taken);
        } catch (SQLException e) {
            reason.addSuppressed(e);
            // The connection must not go back to a pool with a transaction that other code would commit.
            abort(taken, reason);
        }
    }

    private static void abort(Connection taken, Throwable reason) {
        try {
            taken.abort(Runnable::run);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    // --- the state

    private void setConnection(@Nullable Connection taken) {
        lock.lock();
        try {
            connection = taken;
            if (taken != null) {
                hasConnected = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            ended = true;
            if (abandoned) {
                shard.hanging.ended(this);
            }
        } finally {
            lock.unlock();
        }
    }

    private void abandon(Executor threads) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            abandoned = true;
            shard.hanging.began(this, hasConnected);
        } finally {
            lock.unlock();
        }
        // Abort on another thread, because a driver's abort may wait for a lock that the hanging thread holds.
        threads.execute(this::abort);
    }

    private void abort() {
        lock.lock();
        try {
            Connection taken = connection;
            if (taken != null) {
                taken.abort(Runnable::run);
            }
        } catch (SQLException e) {
            // The call counts as hanging until the driver ends it, or until HangingCalls gives it up.
        } finally {
            lock.unlock();
        }
    }
}
