// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Passes detected losses of data on between the tables of node IDs and the tables of integers in one database, because
 * a restore of the database affects both. Thread-safe.
 */
final class SharedLosses {
    /**
     * Stored in place of the server, in both kinds of tables, when the database has lost, or may have lost, committed
     * data. No server has this value.
     */
    static final String RESTORED = "restored";

    private final LeaseTables leases;
    private final LeaseTransactions transactions;

    SharedLosses(LeaseTables leases, LeaseTransactions transactions) {
        this.leases = leases;
        this.transactions = transactions;
    }

    /**
     * Checks the tables of leases. If they show a loss, notes the loss there, and also in the tables of integers if the
     * user has the privilege to change them. Returns the table whose identity each reservation has to check; null if
     * the database has no tables of leases.
     */
    @Nullable
    String look() throws SQLException {
        if (!transactions.call(transaction -> Tables.exist(transaction, leases.database()))) {
            return null;
        }
        boolean unused = transactions.withIdentity((transaction, identity) -> true);
        return leases.database();
    }

    /**
     * Marks tables as restored. With those of leases, no node ID is granted until all leases that may have been lost
     * have expired; with those of integers, no block is reserved until an operator or an agent has recovered the shard.
     */
    static int mark(Transaction transaction, String database) throws SQLException {
        return Tables.writeIn(
                database, transaction, "UPDATE " + database + " SET server_id = ? WHERE {durable}", RESTORED);
    }

    /** As {@link #mark(Transaction, String)}, if the tables of integers next to these tables have the given ID. */
    static int mark(Transaction transaction, String database, Tables integers, String id) throws SQLException {
        return Tables.writeIn(
                database,
                transaction,
                "UPDATE " + database + " SET server_id = ? WHERE {durable} AND " + integers.same(),
                RESTORED,
                id);
    }

    /**
     * Returns whether a table has the mark. The number of changed rows does not show this, because some drivers do not
     * count a row that had the mark before.
     */
    static boolean isMarked(Transaction transaction, String database) throws SQLException {
        return transaction
                .query("SELECT server_id FROM " + database, row -> row.getString(1))
                .contains(RESTORED);
    }
}
