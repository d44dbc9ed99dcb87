// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The row in which a database stores its identity.
 *
 * @param databaseId the ID of the database, which never changes
 * @param serverId the value of {@link Dialect#server(String)} when the row was created or the shard was last recovered;
 *     {@link LeaseTables#NEW} if a migration script created the row; {@link DatabaseState#SET_BACK} after a detected
 *     loss
 * @param recoveries how often the shard was recovered
 */
record Database(String databaseId, String serverId, long recoveries) {
    static Database of(ResultSet row) throws SQLException {
        return new Database(row.getString(1), row.getString(2), row.getLong(3));
    }
}
