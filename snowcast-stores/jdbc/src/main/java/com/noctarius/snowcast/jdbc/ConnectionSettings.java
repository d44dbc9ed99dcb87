// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The settings with which a connection runs transactions. If a dialect sets the isolation or the access mode by a
 * statement in each transaction, this class leaves that setting of the connection unchanged: behind a pooler in
 * transaction mode, other applications would get the changed connection.
 */
record ConnectionSettings(boolean autoCommit, int isolation, boolean readOnly) {
    /**
     * The settings of snowcast's transactions. With REPEATABLE READ instead, PostgreSQL would abort one of two
     * concurrent reservations, H2 would run into a deadlock, and MariaDB would lock more rows than are read.
     */
    static final ConnectionSettings OURS = new ConnectionSettings(false, Connection.TRANSACTION_READ_COMMITTED, false);

    /** Each statement is a transaction of its own. */
    static final ConnectionSettings AUTO_COMMIT =
            new ConnectionSettings(true, Connection.TRANSACTION_READ_COMMITTED, false);

    static ConnectionSettings of(Connection connection, Dialect dialect) throws SQLException {
        return new ConnectionSettings(
                connection.getAutoCommit(),
                dialect.setsIsolation() ? OURS.isolation : connection.getTransactionIsolation(),
                !dialect.setsAccessMode() && connection.isReadOnly());
    }

    /** Returns whether statements in auto-commit run with the settings {@link #OURS}, without setting them. */
    static boolean areOurs(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() == OURS.isolation && !connection.isReadOnly();
    }

    /**
     * Changes the settings of the connection that differ from {@code present}. Must not be called within a transaction.
     */
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
