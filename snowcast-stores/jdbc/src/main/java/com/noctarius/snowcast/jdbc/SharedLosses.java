// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Shares losses between node IDs and integers in the same database, in both directions, because both were restored
 * together. Thread-safe.
 */
final class SharedLosses {
    /** The identity that marks a restored database; an operator writes it. */
    static final String RESTORED = "restored";

    private final LeaseTables leases;
    private final LeaseTransactions transactions;

    SharedLosses(LeaseTables leases, LeaseTransactions transactions) {
        this.leases = leases;
        this.transactions = transactions;
    }

    /**
     * Notes a loss that the tables of leases show in the tables of integers, too. Returns the table whose identity
     * reservations have to check; null if the database has no tables of leases.
     */
    @Nullable
    String look() throws SQLException {
        if (!transactions.call(transaction -> Tables.exist(transaction, leases.database()))) {
            return null;
        }
        boolean unused = transactions.withIdentity((transaction, identity) -> true);
        return leases.database();
    }

    /** Marks the tables of leases: no node ID is granted until all leases that may have been lost have expired. */
    static int mark(Transaction transaction, String database) throws SQLException {
        return Tables.writeIn(
                database, transaction, "UPDATE " + database + " SET server_id = ? WHERE {durable}", RESTORED);
    }

    /**
     * Marks the tables of integers: nothing is reserved until the shard is recovered, by an operator or with other
     * shards.
     */
    static int mark(Transaction transaction, Tables integers) throws SQLException {
        return integers.write(
                transaction,
                "UPDATE " + integers.database() + " SET server_id = ? WHERE {durable}",
                DatabaseState.SET_BACK);
    }
}
