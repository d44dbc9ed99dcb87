// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a loss that concerns node IDs one of the integers in the same database, and the other way round: both were
 * restored together. Thread-safe.
 */
final class SharedLosses {
    /** What an operator writes in the place of the identity of a database that was restored. */
    static final String RESTORED = "restored";

    private final LeaseTables leases;
    private final LeaseTransactions transactions;

    SharedLosses(LeaseTables leases, LeaseTransactions transactions) {
        this.leases = leases;
        this.transactions = transactions;
    }

    /**
     * Notes a loss that the tables of leases show, in those of integers, too. Returns the table whose identity
     * reservations have to watch; null if the database has no tables of leases.
     */
    @Nullable
    String look() throws SQLException {
        if (!transactions.call(transaction -> Tables.exist(transaction, leases.database()))) {
            return null;
        }
        boolean unused = transactions.withLedger((transaction, ledger) -> true);
        return leases.database();
    }

    /** Marks the tables of leases: no node ID is granted until all have ended that may have been forgotten. */
    static int mark(Transaction transaction, String database) throws SQLException {
        return Tables.writeIn(
                database, transaction, "UPDATE " + database + " SET server_id = ? WHERE {durable}", RESTORED);
    }

    /** Marks the tables of integers: nothing is reserved until an operator, or another shard, says where to go on. */
    static int mark(Transaction transaction, Tables integers) throws SQLException {
        return integers.write(
                transaction,
                "UPDATE " + integers.database() + " SET server_id = ? WHERE {durable}",
                DatabaseState.SET_BACK);
    }
}
