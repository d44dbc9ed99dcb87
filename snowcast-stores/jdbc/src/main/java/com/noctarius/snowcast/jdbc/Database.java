// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What a database knows of itself.
 *
 * @param databaseId its name, which never changes
 * @param serverId the server that it is on, and that server's history, as {@link Dialect#server(String)} said when it
 *     was created, or when an operator made sure that nothing comes twice after that had changed
 * @param recoveries how often an operator said which integers it had forgotten
 */
record Database(String databaseId, String serverId, long recoveries) {
    static Database of(ResultSet row) throws SQLException {
        return new Database(row.getString(1), row.getString(2), row.getLong(3));
    }
}
