// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Statements of one transaction, each with a time-out. */
record Transaction(Connection connection, int timeoutSeconds) {
    /** Makes a value of a row. */
    interface Row<T> {
        T of(ResultSet columns) throws SQLException;
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    int update(String sql, Object... values) throws SQLException {
        return execute(sql, PreparedStatement::executeUpdate, values);
    }

    <T> List<T> query(String sql, Row<T> row, Object... values) throws SQLException {
        return execute(
                sql,
                statement -> {
                    List<T> rows = new ArrayList<>();
                    try (ResultSet columns = statement.executeQuery()) {
                        while (columns.next()) {
                            rows.add(row.of(columns));
                        }
                    }
                    return rows;
                },
                values);
    }

    /** Returns the number that a query gives, which always gives one. */
    long number(String sql, Object... values) throws SQLException {
        return query(sql, row -> row.getLong(1), values).get(0);
    }

    private <T> T execute(String sql, Execution<T> execution, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            // Restored, since to some drivers it belongs to the connection.
            int before = statement.getQueryTimeout();
            statement.setQueryTimeout(timeoutSeconds);
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try {
                return execution.of(statement);
            } finally {
                statement.setQueryTimeout(before);
            }
        }
    }
}
