// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.Objects;
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
    /** The row of the database at its last check or loss; null before the first check. */
    private @Nullable Database known;

    Forgetting(Shard shard, Tables tables) {
        this.shard = shard;
        this.tables = tables;
    }

    /** Returns the row of the database at its last check or loss; null before the first check. */
    @Nullable
    Database known() {
        lock.lock();
        try {
            return known;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Compares the state of the database with its row at the last check. Returns whether the shard was recovered after
     * a recorded loss.
     *
     * @param before {@link #known} before the state was read, because a later check of another thread shows no loss
     * @param leases the table {@link LeaseTables#database()} in the same database, to be marked if the shard has lost
     *     data; null if there is none
     * @throws ShardMismatchException if the shard has lost data and was not recovered since, if its server has changed,
     *     or if these are the tables of another shard
     */
    boolean wasRecovered(@Nullable String leases, @Nullable Database before, DatabaseState present) {
        Database row = present.known();
        String lost;
        lock.lock();
        try {
            lost = before == null ? null : lost(before, present);
            if (lost == null) {
                requireSameTables(known, row); // Another thread may have made the first check at the same time.
                if (message != null && known != null && row.recoveries() <= known.recoveries()) {
                    throw new ShardMismatchException(message);
                }
                requireUnchanged(present);
                if (!Objects.equals(known, before)) {
                    return false; // Keep the row of the other thread, which may be newer.
                }
                boolean wasRecovered = message != null;
                message = null;
                known = row;
                return wasRecovered;
            }
        } finally {
            lock.unlock();
        }
        throw noticed(leases, lost, row);
    }

    /**
     * Returns what the row of the database shows to be lost since the last check; null if it shows no loss. A recovery
     * always raises the number of recoveries, so another server with the same number shows a loss. Tables in which no
     * agent has run yet count as created again, even with another ID, because a script gives each database a new ID.
     *
     * @throws ShardMismatchException if the row is of other tables. These are not marked, because they may be in use by
     *     another installation, which has lost nothing. Only a store that watches tables of node IDs may mark them,
     *     because it has noted a loss in the other tables of node IDs before
     */
    private @Nullable String lost(Database before, DatabaseState present) {
        Database row = present.known();
        if (present.isNew()) {
            return "its tables: they were created again by a script, with the ID " + row.databaseId()
                    + ", and were of server " + before.serverId() + ", with the ID " + before.databaseId();
        }
        requireSameTables(before, row);
        if (present.hasChanged()) {
            // The shard is refused until it is recovered. Marking it again would also mark the leases again.
            return null;
        }
        if (row.recoveries() < before.recoveries()) {
            return "the record of a recovery: its number of recoveries is " + row.recoveries() + ", and was "
                    + before.recoveries() + ", and its tables are of server " + row.serverId();
        }
        boolean isOfAnotherServer = !row.serverId().equals(before.serverId());
        return isOfAnotherServer && row.recoveries() == before.recoveries()
                ? "the record of a recovery: it is of server " + row.serverId() + ", and was of server "
                        + before.serverId() + ", with the same number of recoveries, " + row.recoveries()
                : null;
    }

    private void requireSameTables(@Nullable Database before, Database row) {
        if (before != null && !row.databaseId().equals(before.databaseId())) {
            throw new ShardMismatchException(ShardCheck.otherTables(shard, row.databaseId(), before)
                    + " If the tables were created again, run recover, and restart this process");
        }
    }

    private void requireUnchanged(DatabaseState present) {
        if (present.isNew()) {
            throw new ShardMismatchException(present.change(shard) + ": run one");
        }
        if (present.hasChanged()) {
            ShardMismatchException refusal = new ShardMismatchException(present.change(shard)
                    + ", and may have lost reservations; run recover, unless an agent recovers the shard");
            throw message == null ? refusal : new ShardMismatchException(message, refusal);
        }
    }

    /**
     * Records what a shard has lost, and the row of its database. Also marks the database, so that other processes
     * reject the shard, too; if the mark cannot be written, only logs that. Returns the exception to throw.
     */
    ShardMismatchException noticed(@Nullable String leases, String what, Database row) {
        String text =
                "the database of " + shard + " has lost " + what + "; it was restored or failed over: run recover";
        lock.lock();
        try {
            // Other tables show nothing about those that this store has used, to which the next connection may lead.
            if (isOfKnownTables(row)) {
                message = text;
                // Until the row is marked, an agent may replace the server of new tables, which is no recovery although
                // it raises the number.
                known = row.isNew() ? new Database(row.databaseId(), row.serverId(), row.recoveries() + 1) : row;
            }
        } finally {
            lock.unlock();
        }
        try {
            int marked = shard.autoCommit(transaction -> tables.write(
                    transaction,
                    // The ID, because this connection may lead to other tables.
                    "UPDATE " + tables.database()
                            + " SET server_id = ? WHERE database_id = ? AND recoveries = ? AND {durable}",
                    SharedLosses.RESTORED,
                    row.databaseId(),
                    row.recoveries()));
            if (row.isNew() && marked == 1) {
                markedNew(row);
            }
            if (leases != null) {
                shard.autoCommit(transaction -> SharedLosses.mark(transaction, leases, tables, row.databaseId()));
            }
        } catch (SQLException e) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "could not record for other processes what " + shard + " has lost: " + e.getMessage());
        }
        return new ShardMismatchException(text);
    }

    /** From now on, only a recovery raises the number of recoveries. */
    private void markedNew(Database row) {
        lock.lock();
        try {
            known = isOfKnownTables(row) ? row : known;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOfKnownTables(Database row) {
        return known == null || known.databaseId().equals(row.databaseId());
    }
}
