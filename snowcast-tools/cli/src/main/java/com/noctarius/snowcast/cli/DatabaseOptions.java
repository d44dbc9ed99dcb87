// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which table of a database has IDs. */
final class DatabaseOptions {
    private static final int FETCH_SIZE = 10_000;

    @Option(names = "--jdbc", paramLabel = "URL", description = "Reads a table of this database.")
    private @Nullable String url;

    @Option(names = "--table", paramLabel = "TABLE", description = "The table, as SQL has it; its column is --column.")
    private @Nullable String table;

    @Option(names = "--query", paramLabel = "SQL", description = "Instead of a table; its first column has the IDs.")
    private @Nullable String query;

    @Option(names = "--user", paramLabel = "NAME", description = "The user of the database.")
    private @Nullable String user;

    @Option(names = "--password", description = "Asks for the password.")
    private boolean isPasswordAsked;

    @Option(names = "--password-env", paramLabel = "VARIABLE", description = "The environment variable that has it.")
    private @Nullable String passwordVariable;

    @Option(names = "--password-file", paramLabel = "FILE", description = "The file that has it in its first line.")
    private @Nullable Path passwordFile;

    private final Terminal terminal;

    DatabaseOptions(Terminal terminal) {
        this.terminal = terminal;
    }

    boolean isGiven() {
        return url != null;
    }

    /** Reads all rows. A row without an ID is a mistake. */
    void read(String column, String prefix, Definition.@Nullable Known known, Ids ids)
            throws IOException, SQLException {
        if ((table == null) == (query == null)) {
            throw new WrongUseException("--jdbc needs either --table or --query");
        }
        String sql = query != null ? query : "SELECT " + column + " FROM " + table;
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            // Drivers load the whole table otherwise: PostgreSQL's with auto-commit, MySQL's but with this number.
            connection.setAutoCommit(false);
            statement.setFetchSize(String.valueOf(url).startsWith("jdbc:mysql:") ? Integer.MIN_VALUE : FETCH_SIZE);
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

    /** Takes IDs. */
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

    private Connection open() throws IOException, SQLException {
        Properties properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        String password = password();
        if (password != null) {
            properties.setProperty("password", password);
        }
        return new DatabaseUrl(String.valueOf(url)).connect(properties);
    }

    private @Nullable String password() throws IOException {
        if (passwordVariable != null) {
            String password = terminal.environment().get(passwordVariable);
            if (password == null) {
                throw new WrongUseException("the environment has no variable " + passwordVariable);
            }
            return password;
        }
        if (passwordFile != null) {
            List<String> lines = Files.readAllLines(passwordFile);
            if (lines.isEmpty()) {
                throw new WrongUseException("the file with the password is empty: " + passwordFile);
            }
            return lines.get(0);
        }
        if (!isPasswordAsked) {
            return null;
        }
        if (terminal.person() == null) {
            throw new WrongUseException(
                    "there is no terminal to ask for the password: use --password-env or --password-file");
        }
        return terminal.person().secret("Password: ");
    }
}
