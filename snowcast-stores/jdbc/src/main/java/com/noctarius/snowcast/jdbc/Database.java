// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The row in which a database stores its identity.
 *
 * @param databaseId its name, which never changes
 * @param serverId its server and that server's history, as {@link Dialect#server(String)} returned it when the row was
 *     created, or when an operator last recovered the shard after a change
 * @param recoveries how often an operator has recovered it by giving the forgotten integers
 */
record Database(String databaseId, String serverId, long recoveries) {
    static Database of(ResultSet row) throws SQLException {
        return new Database(row.getString(1), row.getString(2), row.getLong(3));
    }
}
