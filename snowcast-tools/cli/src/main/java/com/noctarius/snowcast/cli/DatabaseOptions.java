// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select a database, and a table with IDs or a query for them. */
final class DatabaseOptions {
    private static final int FETCH_SIZE = 10_000;

    @Mixin
    private final DatabaseLogin login;

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            description = "The table, as written in SQL; --column names its column.")
    private @Nullable String table;

    @Option(
            names = "--query",
            paramLabel = "SQL",
            description = "A query in place of a table; its first column has the IDs.")
    private @Nullable String query;

    DatabaseOptions(Terminal terminal) {
        this.login = new DatabaseLogin(terminal);
    }

    boolean isGiven() {
        return login.isGiven();
    }

    /** Reads the IDs of all rows. A row without an ID is an error. */
    void read(String column, String prefix, Definition.@Nullable Known known, Ids ids)
            throws IOException, SQLException {
        if ((table == null) == (query == null)) {
            throw new WrongUseException("--jdbc needs either --table or --query");
        }
        String sql = query != null ? query : "SELECT " + column + " FROM " + table;
        try (Connection connection = login.open();
                Statement statement = connection.createStatement()) {
            // In auto-commit mode, PostgreSQL's driver loads all rows at once. MySQL's driver loads all rows at once
            // unless the fetch size is Integer.MIN_VALUE.
            connection.setAutoCommit(false);
            statement.setFetchSize(login.isOf("jdbc:mysql") ? Integer.MIN_VALUE : FETCH_SIZE);
            try (ResultSet rows = statement.executeQuery(sql)) {
                int type = rows.getMetaData().getColumnType(1);
                boolean isInteger = rows.getMetaData().isSigned(1) && (type == Types.BIGINT || type == Types.INTEGER);
                while (rows.next()) {
                    ids.accept(isInteger && prefix.isEmpty() ? number(rows) : text(rows, prefix, known));
                }
            }
            connection.rollback();
        }
    }

    interface Ids {
        void accept(long id) throws IOException;
    }

    private static long number(ResultSet rows) throws SQLException {
        long number = rows.getLong(1);
        if (number == 0 && rows.wasNull()) {
            throw new WrongUseException("the column must not be null");
        }
        return number;
    }

    private static long text(ResultSet rows, String prefix, Definition.@Nullable Known known) throws SQLException {
        String text = rows.getString(1);
        if (text == null) {
            throw new WrongUseException("the column must not be null");
        }
        return Form.value(Form.withoutPrefix(text.strip(), prefix), known);
    }
}
