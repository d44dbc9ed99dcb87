// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.base.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One database of a list, with calls that end within a time limit, whatever its driver does. Thread-safe.
 *
 * <p>Most drivers wait forever by default, some of them in {@code getConnection()}, and not all have configurable
 * time-outs. Therefore a call runs on its own thread, and its caller waits no longer than the call time-out.
 */
final class Shard {
    static final Executor THREADS = Threads.named("snowcast.jdbc");

    private final int index;
    private final int count;
    final DataSource dataSource;
    /** The configured dialect; null to choose it by the product name that the driver reports. */
    final @Nullable Dialect dialect;

    final int statementTimeoutSeconds;
    final Duration callTimeout;
    final HangingCalls hanging;

    Shard(
            int index,
            int count,
            DataSource dataSource,
            @Nullable Dialect dialect,
            int statementTimeoutSeconds,
            Duration callTimeout) {
        this.index = index;
        this.count = count;
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.statementTimeoutSeconds = statementTimeoutSeconds;
        this.callTimeout = callTimeout;
        this.hanging = new HangingCalls(callTimeout);
    }

    /**
     * Returns whether a statement that inserts a window keeps the floor of the sequence from changing meanwhile. If
     * not, agents must not run during a recovery.
     */
    boolean locksFloors() {
        return dialect == null || !dialect.forUpdate().isEmpty();
    }

    interface Work<T> {
        T in(Transaction transaction) throws SQLException;
    }

    int index() {
        return index;
    }

    int count() {
        return count;
    }

    /**
     * Runs the work in its own transaction, at READ COMMITTED, and commits it. An interrupt does not end the call; the
     * thread is interrupted again afterwards.
     *
     * @throws SQLException if the call failed or did not end in time; the transaction may have been committed
     *     nevertheless
     */
    <T> T call(Work<T> work) throws SQLException {
        return call(ConnectionSettings.OURS, work);
    }

    /**
     * As {@link #call}, but commits each statement, so that a process that is paused after a statement holds no lock.
     */
    <T> T autoCommit(Work<T> work) throws SQLException {
        return call(ConnectionSettings.AUTO_COMMIT, work);
    }

    private <T> T call(ConnectionSettings settings, Work<T> work) throws SQLException {
        hanging.requireFew();
        TimedTransaction<T> call = new TimedTransaction<>(this, settings, work);
        THREADS.execute(call);
        return call.await(THREADS);
    }

    @Override
    public String toString() {
        return "shard " + index + " of " + count;
    }
}
