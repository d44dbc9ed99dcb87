// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Distinguishes temporary failures from permanent failures, which last until an operator changes something. */
final class PermanentFailure {
    private static final String POSTGRES_RIGHTS = "42501";
    private static final String H2_RIGHTS = "90096";
    /**
     * The error codes of MariaDB and MySQL for a missing privilege on a table or a column. The SQL state is not enough:
     * it is that of syntax errors, too.
     */
    private static final Set<Integer> MARIADB_RIGHTS = Set.of(1142, 1143);

    /** The error code of MariaDB and MySQL for READ COMMITTED without a row-based binary log. */
    private static final int MARIADB_STATEMENT_LOG = 1665;

    /** The SQL states of H2 for a database that does not exist. */
    private static final Set<String> H2_WITHOUT_DATABASE = Set.of("90146", "90013");

    /** The SQL states for a missing table or column: of PostgreSQL, and of H2, MariaDB and MySQL. */
    private static final Set<String> ABSENT = Set.of("42P01", "42703", "42S02", "42S03", "42S04", "42S22");

    /** The SQL states for prepared statements that exist already, or are missing, because of a pooler. */
    private static final Set<String> OF_POOLER = Set.of("42P05", "26000");

    /** The SQL state for a prepared statement whose name now belongs to another statement, with other parameters. */
    private static final String PROTOCOL_VIOLATION = "08P01";

    private static final String POOLER =
            "a pooler such as PgBouncer in transaction mode mixes up prepared statements of"
                    + " several connections; add prepareThreshold=0 to the URL: ";

    private static final String RIGHTS = "SELECT, INSERT, UPDATE and DELETE on the tables of node IDs; SELECT, INSERT"
            + " and UPDATE on those of integers; and the right to create tables, if the process is to create them: ";

    private PermanentFailure() {}

    /**
     * Returns what to do about a permanent failure; empty if the failure may be temporary. Also checks the causes,
     * because pools wrap the driver's exception.
     */
    static Optional<String> advice(@Nullable Throwable failure) {
        return advice(failure, "JdbcSchema.create");
    }

    /** As {@link #advice(Throwable)}, for tables that another method creates. */
    static Optional<String> advice(@Nullable Throwable failure, String creates) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (!(e instanceof SQLException sql)) {
                continue;
            }
            String state = String.valueOf(sql.getSQLState());
            if (sql.getErrorCode() == MARIADB_STATEMENT_LOG && state.startsWith("HY")) {
                return Optional.of("set binlog_format to MIXED or ROW: " + e.getMessage());
            }
            if (state.startsWith("28")) {
                return Optional.of("check user and password: " + e.getMessage());
            }
            if (isOfRights(sql)) {
                return Optional.of("grant the user " + RIGHTS + e.getMessage());
            }
            if (isOfPooler(sql)) {
                return Optional.of(POOLER + e.getMessage());
            }
            if (isOfAbsence(sql)) {
                return Optional.of("run " + creates + ": " + e.getMessage());
            }
            if (state.startsWith("42")) {
                return Optional.of("run " + creates + " if a table is missing, or choose another table name if it is a"
                        + " word of SQL: " + e.getMessage());
            }
            if (state.startsWith("3D") || H2_WITHOUT_DATABASE.contains(state)) {
                return Optional.of("create the database: " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    private static boolean isOfPooler(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        // The state alone is not enough: poolers also use it for their own failures, which may be temporary.
        boolean isOfArguments = PROTOCOL_VIOLATION.equals(state)
                && String.valueOf(e.getMessage()).contains("prepared statement");
        return OF_POOLER.contains(state) || isOfArguments;
    }

    /** Returns whether a statement failed because a table or column is missing. */
    static boolean isOfAbsence(SQLException e) {
        return ABSENT.contains(String.valueOf(e.getSQLState()));
    }

    /** Returns whether the failure, or one of its causes, is a missing privilege. */
    static boolean isOfRights(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof SQLException sql && isOfRights(sql)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfRights(SQLException e) {
        return POSTGRES_RIGHTS.equals(e.getSQLState())
                || H2_RIGHTS.equals(e.getSQLState())
                || MARIADB_RIGHTS.contains(e.getErrorCode());
    }
}
