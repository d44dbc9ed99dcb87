// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The auto-commit mode, isolation and access mode with which a connection runs transactions. If a dialect sets the
 * isolation or the access mode by a statement in each transaction, this class does not change that setting of the
 * connection. Otherwise, behind a pooler in transaction mode, another application might get the connection with the
 * changed setting.
 */
record ConnectionSettings(boolean autoCommit, int isolation, boolean readOnly) {
    /**
     * The settings of snowcast's transactions. With REPEATABLE READ, PostgreSQL would abort one of two concurrent
     * reservations, H2 would run into a deadlock, and MariaDB would lock additional rows.
     */
    static final ConnectionSettings OURS = new ConnectionSettings(false, Connection.TRANSACTION_READ_COMMITTED, false);

    static final ConnectionSettings AUTO_COMMIT =
            new ConnectionSettings(true, Connection.TRANSACTION_READ_COMMITTED, false);

    static ConnectionSettings of(Connection connection, Dialect dialect) throws SQLException {
        return new ConnectionSettings(
                connection.getAutoCommit(),
                dialect.setsIsolation() ? OURS.isolation : connection.getTransactionIsolation(),
                !dialect.setsAccessMode() && connection.isReadOnly());
    }

    /** Returns whether a connection already has the isolation and access mode of {@link #OURS}. */
    static boolean areOurs(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() == OURS.isolation && !connection.isReadOnly();
    }

    /** Changes a connection from {@code present} to these settings. Must not be called within a transaction. */
    void apply(ConnectionSettings present, Connection connection) throws SQLException {
        if (readOnly != present.readOnly) {
            connection.setReadOnly(readOnly);
        }
        if (isolation != present.isolation) {
            connection.setTransactionIsolation(isolation);
        }
        if (autoCommit != present.autoCommit) {
            connection.setAutoCommit(autoCommit);
        }
    }
}
