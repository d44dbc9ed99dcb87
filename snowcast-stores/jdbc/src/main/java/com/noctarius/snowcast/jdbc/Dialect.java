// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that differs between kinds of databases, such as the DDL, the statement that reserves integers, and the
 * expression that shows a fail-over or a recovery from a backup. snowcast recognizes PostgreSQL, MariaDB, MySQL 8 and
 * H2 by the product name that their driver reports. For another kind, build a dialect with {@link #builder}, pass it to
 * {@link JdbcShards.Builder#dialect}, and test it with the contract suite; {@code docs/reference/dialects.md} shows
 * how.
 *
 * <p>The SQL texts name the tables as the built-in scripts do: {@code id_sequences}, {@code id_sequences_names},
 * {@code id_sequences_shard} and {@code id_sequences_database} for integers; {@code snowcast_names},
 * {@code snowcast_nodes} and {@code snowcast_database} for node IDs. Immutable and thread-safe.
 */
public final class Dialect {
    /** PostgreSQL 12 or newer. */
    public static final Dialect POSTGRESQL = KnownDialects.postgreSql();

    /** MariaDB 10.6 or newer. */
    public static final Dialect MARIADB = KnownDialects.mariaDb();

    /** MySQL 8.0.16 or newer. */
    public static final Dialect MYSQL = KnownDialects.mySql();

    /** H2 2.2 or newer. */
    public static final Dialect H2 = KnownDialects.h2();

    private static final Set<String> BUSY_STATES = Set.of("55P03", "40P01", "40001", "57014", "70100", "HYT00");

    /** The SQL state of PostgreSQL's warnings that have no specific state. Notices have another state. */
    private static final String WARNING = "01000";

    private final String name;
    private final String script;
    private final String reserve;
    private final boolean reservesInOneStatement;
    private final @Nullable String advance;
    private final boolean warnsOfUnconfirmedCommits;
    private final String skipLocked;
    private final String server;
    private final String state;
    private final String started;
    private final String dual;
    private final String durable;
    private final String endedWhenIdle;
    private final String forUpdate;
    private final String firstRowOnly;
    private final String lossQuery;
    private final String riskQuery;
    private final Set<Integer> busyCodes;
    private final @Nullable String leaseScript;
    private final @Nullable String now;
    private final @Nullable String begin;

    Dialect(DialectBuilder builder) {
        this.name = builder.name;
        this.script = DialectBuilder.required("script", builder.script);
        this.advance = builder.advance;
        this.warnsOfUnconfirmedCommits = builder.warnsOfUnconfirmedCommits;
        this.reserve = DialectBuilder.required("reserve or lock", builder.reserve);
        this.reservesInOneStatement = builder.reservesInOneStatement;
        this.skipLocked = builder.skipLocked;
        this.server = DialectBuilder.required("server", builder.server);
        this.state = builder.state == null ? "CONCAT(" + server + ", " + KnownDialects.KNOWN + ")" : builder.state;
        this.started = builder.started;
        this.dual = builder.dual;
        this.durable = builder.durable;
        this.endedWhenIdle = builder.endedWhenIdle;
        this.forUpdate = builder.forUpdate;
        this.firstRowOnly = builder.firstRowOnly;
        this.lossQuery = builder.lossQuery;
        this.riskQuery = builder.riskQuery;
        this.busyCodes = builder.busyCodes;
        this.leaseScript = builder.leaseScript;
        this.now = builder.now;
        this.begin = builder.begin;
    }

    /**
     * Starts the description of another kind of database.
     *
     * @param name its name, for messages
     * @return a builder that needs at least a script, a statement that reserves or locks, and the server's identity
     * @throws NullPointerException if {@code name} is null
     */
    public static DialectBuilder builder(String name) {
        return new DialectBuilder(Objects.requireNonNull(name, "name"));
    }

    /** Returns the built-in dialect for the product name that the driver reports. */
    static Dialect of(Connection connection) throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        String product = data.getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            // Connector/J reports MariaDB as MySQL; the version contains "mariadb".
            case "mariadb", "mysql" ->
                (product + data.getDatabaseProductVersion())
                                .toLowerCase(Locale.ROOT)
                                .contains("mariadb")
                        ? MARIADB
                        : MYSQL;
            case "h2" -> H2;
            default ->
                throw new ShardMismatchException("the database must be PostgreSQL, MariaDB, MySQL or H2, or a dialect"
                        + " must be given: " + product);
        };
    }

    // --- texts; DialectBuilder describes those that it sets

    /** Returns the statements that create the tables of integers if they do not exist. */
    List<String> createStatements(Tables tables) {
        return statements(tables.named(withoutComments(script)));
    }

    private static String withoutComments(String script) {
        return script.replaceAll("(?m)^--.*$", "");
    }

    private static List<String> statements(String text) {
        return Stream.of(text.split(";"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    /** Returns the statements that create the missing tables of leases; {@code named} replaces the default names. */
    List<String> leaseStatements(UnaryOperator<String> named) {
        return statements(named.apply(withoutComments(required(leaseScript, "a script of the tables of leases"))));
    }

    /** Returns a numeric SQL expression for the milliseconds since 1970 by the clock of the database. */
    String now() {
        return required(now, "the time of the database");
    }

    private String required(@Nullable String text, String what) {
        if (text == null) {
            throw new ShardMismatchException("dialect " + name + " must have " + what + ": see DialectBuilder.leases");
        }
        return text;
    }

    /**
     * Returns the statement that reserves integers in the first unlocked open window. If the dialect was built with
     * {@link DialectBuilder#lock}, returns the query that only locks this window.
     */
    NamedStatement reserve(Tables tables) {
        return NamedStatement.of(
                tables.named(reserve.replace("{skip locked}", skipLocked)).replace("{state}", state(tables)));
    }

    /** Returns the statement that reserves integers in a given window; null if the dialect has no such statement. */
    @Nullable
    NamedStatement advance(Tables tables) {
        return advance == null ? null : NamedStatement.of(tables.named(advance).replace("{state}", state(tables)));
    }

    /** The driver's warnings about the last statement or commit. */
    interface Warnings {
        @Nullable
        SQLWarning get() throws SQLException;
    }

    /**
     * Throws if the dialect {@linkplain DialectBuilder#warnsOfUnconfirmedCommits declares} that the database warns of
     * unconfirmed commits, and the driver has a warning without a specific SQL state. PostgreSQL gives such a warning
     * when the wait for a synchronous replica was cancelled, for example by the statement time-out. The commit may then
     * be on this server only.
     */
    void requireConfirmed(Warnings warnings) throws SQLException {
        if (!warnsOfUnconfirmedCommits) {
            return;
        }
        for (SQLWarning warning = warnings.get(); warning != null; warning = warning.getNextWarning()) {
            if (WARNING.equals(warning.getSQLState())) {
                throw new SQLException(
                        "the primary may be the only server that has this commit: " + warning.getMessage(), "40003");
            }
        }
    }

    /**
     * Returns the first statement of a transaction, which sets the isolation of the transaction; null to set the
     * isolation on the connection instead.
     */
    @Nullable
    String begin() {
        return begin;
    }

    boolean setsIsolation() {
        return begin != null;
    }

    boolean setsAccessMode() {
        return begin != null && begin.endsWith(" READ WRITE");
    }

    boolean reservesInOneStatement() {
        return reservesInOneStatement;
    }

    /**
     * Returns an SQL expression for a string that identifies the database that contains a table. As far as the database
     * can show it, the string changes with a fail-over or a recovery from a backup, and differs in a copy of the
     * database or of the table.
     */
    String server(String table) {
        return server.replace("{table}", table);
    }

    /** Returns a query for the values of {@link #server(String)} and {@link #started()}. */
    String serverQuery(String table) {
        return "SELECT " + server(table) + ", " + started + dual;
    }

    String started() {
        return started;
    }

    /**
     * Returns a query for the state that each reservation returns. When the state has changed, stores check the shard
     * again.
     */
    String stateQuery(Tables tables) {
        return "SELECT " + state(tables) + dual;
    }

    private String state(Tables tables) {
        String ofIntegers = tables.named(state).replace("{table}", tables.database());
        return tables.watched() == null
                ? ofIntegers
                : "CONCAT(" + ofIntegers + ", (SELECT server_id FROM " + tables.watched() + "))";
    }

    String dual() {
        return dual;
    }

    String durable() {
        return durable;
    }

    String endedWhenIdle(Duration timeout) {
        return endedWhenIdle.replace("{millis}", Long.toString(timeout.toMillis()));
    }

    /** Returns the clause that limits a query to one row; may be empty, because callers read only the first row. */
    String firstRowOnly() {
        return firstRowOnly;
    }

    /** As {@link #forUpdate()}, but skips locked rows. */
    String forUpdateSkipLocked() {
        return forUpdate.isEmpty() ? "" : forUpdate + skipLocked;
    }

    /** As {@link #forUpdate()}, but fails at once if a row is locked. */
    String forUpdateNoWait() {
        return forUpdate.isEmpty() ? "" : forUpdate + " NOWAIT";
    }

    /** Returns the clause that locks the rows that a query reads; may be empty. */
    String forUpdate() {
        return forUpdate;
    }

    String lossQuery() {
        return lossQuery;
    }

    String riskQuery() {
        return riskQuery;
    }

    /**
     * Returns whether a statement failed because of a lock, a deadlock or a conflict with another transaction, or
     * because the statement took longer than its time-out. A statement on another window, or a retry, may succeed.
     */
    boolean isBusy(SQLException e) {
        return (e instanceof SQLTimeoutException && !(e instanceof CallTimeoutException))
                || BUSY_STATES.contains(String.valueOf(e.getSQLState()))
                || busyCodes.contains(e.getErrorCode());
    }

    @Override
    public String toString() {
        return "Dialect{" + name + '}';
    }

    static String resource(String file) {
        try (InputStream stream = Dialect.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException("the jar must contain " + file);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
