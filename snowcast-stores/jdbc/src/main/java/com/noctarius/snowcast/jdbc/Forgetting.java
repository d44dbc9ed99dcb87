// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of a shard that has forgotten something although its server has the same name: from then on it is
 * refused, by everybody, until it was recovered. Thread-safe.
 */
final class Forgetting {
    private static final System.Logger LOGGER = System.getLogger(Forgetting.class.getName());

    private final Shard shard;
    private final Tables tables;
    private final ReentrantLock lock = new ReentrantLock();

    // --- guarded by the lock
    private @Nullable String message;
    /** How often the shard had been recovered, the last time that it was looked at. */
    private long recoveries;

    Forgetting(Shard shard, Tables tables) {
        this.shard = shard;
        this.tables = tables;
    }

    /**
     * Takes how often a shard says that it was recovered. Returns whether it was since it had forgotten something.
     *
     * @param leases the table of leases in the same database that has forgotten as much; null if there is none
     * @throws ShardMismatchException if it has forgotten something, a recovery itself for example, and was not
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
                leases, "that it was recovered: it says " + present + " times, and was " + before + " times", present);
    }

    /** The shard that noticed it knows more than the database says since then. */
    ShardMismatchException explained(ShardMismatchException refusal) {
        lock.lock();
        try {
            return message == null ? refusal : new ShardMismatchException(message, refusal);
        } finally {
            lock.unlock();
        }
    }

    /** Takes what a shard has forgotten that was recovered so many times; tells everybody, as far as it may. */
    ShardMismatchException noticed(@Nullable String leases, String what, long present) {
        String text =
                "the database of " + shard + " has forgotten " + what + "; it was restored or failed over: run recover";
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
                    "could not record for other processes what " + shard + " has forgotten: " + e.getMessage());
        }
        return new ShardMismatchException(text);
    }
}
