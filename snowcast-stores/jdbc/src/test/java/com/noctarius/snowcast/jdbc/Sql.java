// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Executes statements on connections of their own, with auto-commit. */
final class Sql {
    private Sql() {}

    static void execute(String url, String... statements) throws SQLException {
        execute(UrlDataSource.of(url, null, null), statements);
    }

    static void execute(DataSource dataSource, String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the first column of the first row. */
    static String text(String url, String query) throws SQLException {
        try (Connection connection = UrlDataSource.of(url, null, null).getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            if (!rows.next()) {
                throw new AssertionError("no row: " + query);
            }
            return rows.getString(1);
        }
    }

    /** Returns the first column of the first row. */
    static long number(String url, String query) throws SQLException {
        return Long.parseLong(text(url, query));
    }
}
