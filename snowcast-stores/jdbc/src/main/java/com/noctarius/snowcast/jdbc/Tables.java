// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a shard, and the statements on them that more than one class needs.
 *
 * @param watched a table of leases in the same database, or null. A reservation is valid only while the identity in
 *     this table is unchanged
 */
record Tables(String windows, @Nullable String watched) {
    /** Error codes for violations of NOT NULL, a CHECK or a foreign key: MariaDB and MySQL, Oracle, SQL Server. */
    private static final Set<Integer> OTHER_VIOLATIONS =
            Set.of(1048, 1364, 1451, 1452, 3819, 4025, 1400, 2290, 2291, 2292, 515, 547);

    private static final Pattern DEFAULT_NAME = Pattern.compile("\\bid_sequences");

    /** How databases change unquoted names: PostgreSQL stores them in lower case, H2 and Oracle in upper case. */
    private static final List<UnaryOperator<String>> FOLDINGS = List.of(
            UnaryOperator.identity(), name -> name.toLowerCase(Locale.ROOT), name -> name.toUpperCase(Locale.ROOT));

    Tables(String windows) {
        this(windows, null);
    }

    String names() {
        return windows + "_names";
    }

    String shard() {
        return windows + "_shard";
    }

    String database() {
        return windows + "_database";
    }

    /** Replaces the default names of the tables in an SQL text by the names of these tables. */
    String named(String text) {
        return DEFAULT_NAME.matcher(text).replaceAll(Matcher.quoteReplacement(windows));
    }

    /** Returns whether the table of names exists, as {@link #exist(Transaction, String)} does. */
    boolean exist(Transaction transaction) throws SQLException {
        return exist(transaction, names());
    }

    /**
     * Returns whether a table exists: looks it up in the metadata of the database, because a statement on a missing
     * table would be an error in the log of the server. The metadata does not show which schemas a connection searches,
     * so if it has the table, a statement shows whether it is in one of these. A table that the user may not read
     * counts as existing.
     */
    static boolean exist(Transaction transaction, String wanted) throws SQLException {
        if (!isInAnySchema(transaction, wanted)) {
            return false;
        }
        Savepoint before = transaction.connection().setSavepoint();
        try {
            List<Integer> unused = transaction.query("SELECT 1 FROM " + wanted + " WHERE 1 = 0", row -> row.getInt(1));
            return true;
        } catch (SQLException e) {
            if (!isSyntaxOrAccess(e)) {
                throw e;
            }
            transaction.connection().rollback(before);
            return !PermanentFailure.isOfAbsence(e);
        }
    }

    static boolean isInAnySchema(Transaction transaction, String wanted) throws SQLException {
        Connection connection = transaction.connection();
        DatabaseMetaData data = connection.getMetaData();
        int point = wanted.indexOf('.');
        String given = point < 0 ? null : wanted.substring(0, point);
        // MySQL and MariaDB have catalogs only, and call them schemas in SQL.
        boolean hasSchemas = data.supportsSchemasInTableDefinitions();
        String catalog = hasSchemas || given == null ? connection.getCatalog() : given;
        String schema = hasSchemas ? given : null;
        String table = wanted.substring(point + 1);
        for (UnaryOperator<String> folding : FOLDINGS) {
            try (ResultSet found = data.getTables(
                    catalog, schema == null ? null : folding.apply(schema), folding.apply(table), null)) {
                if (found.next()) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the condition that these are the tables with a given ID, the last value of the statement. The statement
     * must not change the row of the database, because MySQL and MariaDB would reject it.
     */
    String same() {
        return "EXISTS (SELECT 1 FROM " + database() + " d WHERE d.database_id = ?)";
    }

    /** Returns the stored identity of the database; empty if there is none yet. */
    Optional<Database> database(Transaction transaction) throws SQLException {
        return transaction.query("SELECT database_id, server_id, recoveries FROM " + database(), Database::of).stream()
                .findFirst();
    }

    /**
     * Runs one statement that writes, with <code>{durable}</code>, <code>{server}</code>, <code>{started}</code>,
     * <code>{dual}</code> and <code>{for update}</code> replaced by the texts of the dialect; returns the number of
     * changed rows.
     */
    int write(Transaction transaction, String sql, Object... values) throws SQLException {
        return writeIn(database(), transaction, sql, values);
    }

    /** As {@link #write}, for a given table that stores the identity of the database. */
    static int writeIn(String database, Transaction transaction, String sql, @Nullable Object... values)
            throws SQLException {
        Dialect dialect = transaction.dialect();
        return transaction.update(
                sql.replace("{durable}", dialect.durable())
                        .replace("{server}", dialect.server(database))
                        .replace("{started}", dialect.started())
                        .replace("{dual}", dialect.dual())
                        .replace("{for update}", dialect.forUpdate()),
                values);
    }

    /** Returns all generations, the newest first. */
    List<Generation> generations(Transaction transaction) throws SQLException {
        return transaction.query(
                "SELECT " + Generation.COLUMNS + " FROM " + shard() + " ORDER BY generation DESC", Generation::of);
    }

    List<SequenceRow> sequences(Transaction transaction) throws SQLException {
        return transaction.query(selectOfNames() + " ORDER BY sequence_name", SequenceRow::of);
    }

    Optional<SequenceRow> sequence(Transaction transaction, String name) throws SQLException {
        return transaction.query(selectOfNames() + " WHERE sequence_name = ?", SequenceRow::of, name).stream()
                .findFirst();
    }

    private String selectOfNames() {
        return "SELECT " + SequenceRow.COLUMNS + " FROM " + names();
    }

    boolean hasWindow(Transaction transaction, String name, long start) throws SQLException {
        return transaction.number(
                        "SELECT COUNT(*) FROM " + windows + " WHERE sequence_name = ? AND window_start_value = ?",
                        name,
                        start)
                > 0;
    }

    /**
     * Returns an integer above all windows of this shard, and above those that it has announced; 0 if there are none.
     */
    long bound(Transaction transaction, String name) throws SQLException {
        long announced = sequence(transaction, name).map(SequenceRow::announced).orElse(0L);
        return Math.max(
                announced, highest(transaction, name, 0, row -> row.getLong(2)).orElse(0L));
    }

    /** Returns the integer after the highest reserved integer; empty if none is reserved. */
    Optional<Long> reservedEnd(Transaction transaction, String name) throws SQLException {
        // Searches from the highest window downwards, because there are few windows above the first match.
        return transaction.first(
                "SELECT next_hi_value FROM " + windows
                        + " WHERE sequence_name = ? AND next_hi_value > window_start_value"
                        + " ORDER BY window_start_value DESC"
                        + transaction.dialect().firstRowOnly(),
                row -> row.getLong(1),
                name);
    }

    /**
     * Returns a column of the highest window at or above {@code from}; empty if there is none. Uses no MAX, because H2
     * would read all windows.
     */
    private Optional<Long> highest(Transaction transaction, String name, long from, Transaction.Row<Long> column)
            throws SQLException {
        return transaction.first(
                "SELECT window_start_value, window_end_value FROM " + windows
                        + " WHERE sequence_name = ? AND window_start_value >= ?"
                        + " ORDER BY sequence_name DESC, window_start_value DESC"
                        + transaction.dialect().firstRowOnly(),
                column,
                name,
                from);
    }

    long openWindows(Transaction transaction, String name, long from) throws SQLException {
        return transaction.number(
                "SELECT COUNT(*) FROM " + windows + " WHERE sequence_name = ? AND next_hi_value < window_end_value"
                        + " AND window_start_value >= ?",
                name,
                from);
    }

    /** Returns the start of the highest window at or above {@code from}; {@link Layout#NONE} if there is none. */
    long lastWindow(Transaction transaction, String name, long from) throws SQLException {
        return highest(transaction, name, from, row -> row.getLong(1)).orElse(Layout.NONE);
    }

    /** Returns the names of all sequences that have a row, or an open window. */
    List<String> namesAndOpenWindows(Transaction transaction) throws SQLException {
        return transaction.query(
                "SELECT sequence_name FROM " + names() + " UNION SELECT sequence_name FROM " + windows
                        + " WHERE next_hi_value < window_end_value",
                row -> row.getString(1));
    }

    /**
     * Returns whether a statement failed because the row existed already. Some drivers use one SQL state for all
     * violations of constraints, so the error codes of other violations are excluded.
     */
    static boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState())
                || ("23000".equals(e.getSQLState()) && !OTHER_VIOLATIONS.contains(e.getErrorCode()));
    }

    /**
     * Returns whether a statement failed because of a syntax error, a missing table or column, or a missing privilege.
     * In H2, a missing privilege has another SQL state than in other databases.
     */
    static boolean isSyntaxOrAccess(SQLException e) {
        return (e.getSQLState() != null && e.getSQLState().startsWith("42")) || PermanentFailure.isOfRights(e);
    }
}
