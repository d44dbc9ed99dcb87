// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** How a connection runs transactions. */
record ConnectionSettings(boolean autoCommit, int isolation, boolean readOnly) {
    /**
     * At REPEATABLE READ, PostgreSQL gives up where two reserve at a time, H2 comes to a deadlock, and MariaDB locks more
     * rows than are read.
     */
    static final ConnectionSettings OURS = new ConnectionSettings(false, Connection.TRANSACTION_READ_COMMITTED, false);

    static ConnectionSettings of(Connection connection) throws SQLException {
        return new ConnectionSettings(
                connection.getAutoCommit(), connection.getTransactionIsolation(), connection.isReadOnly());
    }

    /** Sets what differs from the present settings; only between transactions. */
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
