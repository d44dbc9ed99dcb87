// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records that a shard has lost committed data although its server has the same identity. From then on the store
 * rejects the shard until the shard is recovered. Other processes reject the shard, too, if the loss could be recorded
 * in the database. Thread-safe.
 */
final class Forgetting {
    private static final System.Logger LOGGER = System.getLogger(Forgetting.class.getName());

    private final Shard shard;
    private final Tables tables;
    private final ReentrantLock lock = new ReentrantLock();

    // --- guarded by the lock
    private @Nullable String message;
    /** How often the shard had been recovered at its last check. */
    private long recoveries;

    Forgetting(Shard shard, Tables tables) {
        this.shard = shard;
        this.tables = tables;
    }

    /**
     * Compares the present number of recoveries of a shard with the number at its last check. Returns whether the shard
     * was recovered after a recorded loss.
     *
     * @param leases the table {@link LeaseTables#database()} in the same database, to be marked if the shard has lost
     *     data; null if there is none
     * @throws ShardMismatchException if the shard has lost data and was not recovered since; a number of recoveries
     *     that has decreased shows a loss, too
     */
    boolean wasRecovered(@Nullable String leases, long present) {
        long before;
        lock.lock();
        try {
            if (message != null && present <= recoveries) {
                throw new ShardMismatchException(message);
            }
            before = recoveries;
            if (present >= before) {
                boolean wasRecovered = message != null;
                message = null;
                recoveries = present;
                return wasRecovered;
            }
        } finally {
            lock.unlock();
        }
        throw noticed(
                leases,
                "the record of a recovery: its number of recoveries is " + present + ", and was " + before,
                present);
    }

    /**
     * Returns an exception with the recorded message, which says what was lost; {@code refusal} if no message is
     * recorded.
     */
    ShardMismatchException explained(ShardMismatchException refusal) {
        lock.lock();
        try {
            return message == null ? refusal : new ShardMismatchException(message, refusal);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records what a shard has lost, and its number of recoveries. Also marks the database, so that other processes
     * reject the shard, too; if the mark cannot be written, only logs that. Returns the exception to throw.
     */
    ShardMismatchException noticed(@Nullable String leases, String what, long present) {
        String text =
                "the database of " + shard + " has lost " + what + "; it was restored or failed over: run recover";
        lock.lock();
        try {
            message = text;
            recoveries = present;
        } finally {
            lock.unlock();
        }
        try {
            shard.autoCommit(transaction -> tables.write(
                    transaction,
                    "UPDATE " + tables.database() + " SET server_id = ? WHERE recoveries = ? AND {durable}",
                    DatabaseState.SET_BACK,
                    present));
            if (leases != null) {
                shard.autoCommit(transaction -> SharedLosses.mark(transaction, leases));
            }
        } catch (SQLException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "could not record for other processes what " + shard + " has lost: " + e.getMessage());
        }
        return new ShardMismatchException(text);
    }
}
