// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The row in which a database stores its identity.
 *
 * @param databaseId the ID of the database, which never changes
 * @param serverId the value of {@link Dialect#server(String)} when the row was created or the shard was last recovered;
 *     {@link LeaseTables#NEW} if a migration script created the row, and no agent has run since;
 *     {@link SharedLosses#RESTORED} after a detected loss, or if an operator has marked the database as restored
 * @param recoveries how often the shard was recovered, including the first run of an agent after a migration script
 */
record Database(String databaseId, String serverId, long recoveries) {
    static Database of(ResultSet row) throws SQLException {
        return new Database(row.getString(1), row.getString(2), row.getLong(3));
    }

    /** Returns whether a migration script created the row, and no agent has stored the server yet. */
    boolean isNew() {
        return serverId.equals(LeaseTables.NEW);
    }
}
