// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of the tables of a database. As with a file of {@code pg_dump --clean}, {@link #load} drops each table,
 * creates it again and fills it. The copy is in another schema of the same database, because the PostgreSQL server that
 * Maven provides has no {@code pg_dump}.
 */
record Dump(String url, List<String> tables) {
    static Dump of(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            // Read all tables in the state of one moment.
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            List<String> tables = tables(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP SCHEMA IF EXISTS dump CASCADE");
                statement.execute("CREATE SCHEMA dump");
                for (String table : tables) {
                    copy(statement, "public." + table, "dump." + table);
                }
            }
            connection.commit();
            return new Dump(url, tables);
        }
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    private static void copy(Statement statement, String from, String to) throws SQLException {
        statement.execute("CREATE TABLE " + to + " (LIKE " + from + " INCLUDING ALL)");
        statement.execute("INSERT INTO " + to + " TABLE " + from);
    }

    void load() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String table : tables) {
                statement.execute("DROP TABLE public." + table);
                copy(statement, "dump." + table, "public." + table);
            }
            connection.commit();
        }
    }
}
