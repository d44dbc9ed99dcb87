// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The settings with which a connection runs transactions. If a statement can set them for one transaction, they are not
 * changed on the connection: behind a pooler in transaction mode, other applications would get them.
 */
record ConnectionSettings(boolean autoCommit, int isolation, boolean readOnly) {
    /**
     * Not REPEATABLE READ: with it PostgreSQL aborts one of two concurrent reservations, H2 runs into a deadlock, and
     * MariaDB locks more rows than are read.
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

    /** Returns whether single statements run with our settings, so that no transaction has to set them. */
    static boolean areOurs(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() == OURS.isolation && !connection.isReadOnly();
    }

    /** Changes the settings that differ from the present ones; to be called between transactions. */
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
