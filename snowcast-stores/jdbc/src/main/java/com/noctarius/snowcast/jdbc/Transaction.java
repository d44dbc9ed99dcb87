// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Executes statements in one transaction, or, in auto-commit, each statement in a transaction of its own. Each
 * statement has a time-out.
 *
 * @param callTimeout how long the caller waits for the transaction
 * @param commitsEach whether this class commits each statement, on a connection that is not in auto-commit
 */
record Transaction(
        Connection connection, int timeoutSeconds, Duration callTimeout, Dialect dialect, boolean commitsEach) {
    interface Row<T> {
        T of(ResultSet columns) throws SQLException;
    }

    private interface Execution<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    int update(String sql, @Nullable Object... values) throws SQLException {
        return execute(sql, PreparedStatement::executeUpdate, values);
    }

    interface Part {
        int run() throws SQLException;
    }

    /**
     * Runs a part of the transaction. If the part fails, and {@link Tables#isSyntaxOrAccess} is true of the exception,
     * for example because a table is missing, undoes the part and continues.
     */
    void attempt(Part part) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            int unused = part.run();
        } catch (SQLException e) {
            if (!Tables.isSyntaxOrAccess(e)) {
                throw e;
            }
            connection.rollback(before);
        }
    }

    /**
     * The items whose update changed one row.
     *
     * @param areCounted whether the driver counted the changed rows of each update; if not, other updates may have
     *     changed a row, too
     */
    record Updated<T>(List<T> items, boolean areCounted) {}

    /** Runs an update for each item, in few round trips. */
    <T> Updated<T> updateAll(String sql, List<T> items, Function<T, Object[]> values) throws SQLException {
        if (items.isEmpty()) {
            return new Updated<>(items, true);
        }
        return execute(sql, statement -> {
            for (T item : items) {
                set(statement, values.apply(item));
                statement.addBatch();
            }
            int[] changed = statement.executeBatch();
            List<T> updated = IntStream.range(0, changed.length)
                    .filter(i -> changed[i] == 1)
                    .mapToObj(items::get)
                    .toList();
            return new Updated<>(
                    updated, Arrays.stream(changed).noneMatch(count -> count == Statement.SUCCESS_NO_INFO));
        });
    }

    <T> List<T> query(String sql, Row<T> row, Object... values) throws SQLException {
        return some(0, sql, row, values);
    }

    static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Returns the first row of a query; empty if the query returns no row. The SQL need not limit the rows. */
    <T> Optional<T> first(String sql, Row<T> row, Object... values) throws SQLException {
        return some(1, sql, row, values).stream().findFirst();
    }

    /** Returns the first rows of a query; all rows if {@code atMost} is 0. */
    <T> List<T> some(int atMost, String sql, Row<T> row, Object... values) throws SQLException {
        return execute(
                sql,
                statement -> {
                    statement.setMaxRows(atMost);
                    List<T> rows = new ArrayList<>(1);
                    try (ResultSet columns = statement.executeQuery()) {
                        while (columns.next()) {
                            rows.add(row.of(columns));
                        }
                    }
                    return rows;
                },
                values);
    }

    /** Returns the text in the first column of a query's result, which must have a row. */
    String text(String sql) throws SQLException {
        return query(sql, row -> row.getString(1)).get(0);
    }

    /** Returns the number in the first column of a query's result, which must have a row. */
    long number(String sql, Object... values) throws SQLException {
        return query(sql, row -> row.getLong(1), values).get(0);
    }

    /** If the dialect begins transactions with a statement that sets the isolation, runs this statement. */
    void begin() throws SQLException {
        if (dialect.begin() != null) {
            try (Statement statement = connection.createStatement()) {
                int before = statement.getQueryTimeout();
                statement.setQueryTimeout(timeoutSeconds);
                statement.execute(dialect.begin());
                statement.setQueryTimeout(before);
            }
        }
    }

    void commit() throws SQLException {
        connection.clearWarnings(); // Removes warnings from an earlier use.
        connection.commit();
        dialect.requireConfirmed(connection::getWarnings);
    }

    private <T> T execute(String sql, Execution<T> execution, Object... values) throws SQLException {
        if (commitsEach) {
            begin();
        }
        T value = executed(sql, execution, values);
        if (commitsEach) {
            commit();
        }
        return value;
    }

    private <T> T executed(String sql, Execution<T> execution, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            // This time-out is restored below, because some drivers keep the time-out for the connection.
            int before = statement.getQueryTimeout();
            statement.setQueryTimeout(timeoutSeconds);
            set(statement, values);
            try {
                T value = execution.of(statement);
                dialect.requireConfirmed(statement::getWarnings);
                return value;
            } finally {
                statement.setQueryTimeout(before);
            }
        }
    }
}
