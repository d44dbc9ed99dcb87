// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows of tables at one time, by table. */
record TableCopy(Map<String, List<Object[]>> rows) {
    static TableCopy of(Connection connection, List<String> tables) throws SQLException {
        Map<String, List<Object[]>> rows = new LinkedHashMap<>();
        for (String table : tables) {
            rows.put(table, rows(connection, "SELECT * FROM " + table));
        }
        return new TableCopy(rows);
    }

    static List<Object[]> rows(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<Object[]> rows = new ArrayList<>();
            while (row.next()) {
                Object[] values = new Object[row.getMetaData().getColumnCount()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = row.getObject(i + 1);
                }
                rows.add(values);
            }
            return rows;
        }
    }

    /** Returns a copy in which a table has no rows. */
    TableCopy without(String table) {
        Map<String, List<Object[]>> others = new LinkedHashMap<>(rows);
        others.put(table, List.of());
        return new TableCopy(others);
    }

    /** Replaces the present rows of the tables by these. */
    void restore(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : rows.keySet()) {
                statement.execute("DELETE FROM " + table);
            }
        }
        for (Map.Entry<String, List<Object[]>> table : rows.entrySet()) {
            for (Object[] row : table.getValue()) {
                String marks = "?, ".repeat(row.length - 1) + "?";
                try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO " + table.getKey() + " VALUES (" + marks + ")")) {
                    Transaction.set(insert, row);
                    insert.executeUpdate();
                }
            }
        }
    }
}
