// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the {@link Dialect} of a kind of database. Not thread-safe. */
public final class DialectBuilder {
    final String name;

    @Nullable
    String script;

    @Nullable
    String reserve;

    boolean reservesInOneStatement;

    @Nullable
    String advance;

    boolean warnsOfUnconfirmedCommits;
    String skipLocked = " SKIP LOCKED";

    @Nullable
    String server;

    @Nullable
    String state;

    String started = "'-'";

    String dual = "";
    String durable = "1 = 1";
    String endedWhenIdle = "1 = 1";
    String forUpdate = " FOR UPDATE";
    String firstRowOnly = "";
    String lossQuery = "";
    String riskQuery = "";
    Set<Integer> busyCodes = Set.of();

    @Nullable
    String leaseScript;

    @Nullable
    String now;

    @Nullable
    String begin;

    DialectBuilder(String name) {
        this.name = name;
    }

    /**
     * Sets the DDL of the four tables of a shard. Copy {@code postgresql.sql} from the package of this class, and
     * change what the database does not support.
     *
     * @param script idempotent statements, each ended by a semicolon; lines that begin with {@code --} are ignored
     * @return this
     */
    public DialectBuilder script(String script) {
        this.script = Objects.requireNonNull(script, "script");
        return this;
    }

    /**
     * Sets a statement that is cheaper than that of {@link #reserve}. The statement reserves {@code :size} integers in
     * the window that begins at {@code :from}, and returns the columns of {@link #reserve}. It must return no row if
     * the window has fewer than {@code :size} integers left, and may return no row for another reason. If it returns no
     * row, the store executes the statement of {@link #reserve} or {@link #lock}.
     */
    DialectBuilder advance(String statement) {
        this.advance = statement;
        return this;
    }

    /** Declares that a commit succeeds with a warning if the wait for a synchronous replica was cancelled. */
    DialectBuilder warnsOfUnconfirmedCommits() {
        this.warnsOfUnconfirmedCommits = true;
        return this;
    }

    /**
     * Sets the statement that reserves integers. The statement must pick the first open window of {@code :sequence}
     * that no transaction has locked and that begins at {@code :from} or above. It must raise the window's
     * {@code next_hi_value} by {@code :size}, at most to the end of the window, and return one row; without such a
     * window, it must return no row. The row has the columns {@code window_start_value}, {@code window_end_value},
     * {@code next_hi_value} before and after, {@code give_backs}, and <code>{state}</code>, which snowcast replaces by
     * the expression of {@link #state}. Write the text <code>{skip locked}</code> for the clause that skips locked
     * windows.
     *
     * @param statement the statement
     * @return this
     */
    public DialectBuilder reserve(String statement) {
        this.reserve = Objects.requireNonNull(statement, "statement");
        this.reservesInOneStatement = true;
        return this;
    }

    /**
     * Sets the query that locks a window, for databases that cannot update a row and return it in one statement. The
     * store then updates the row in the same transaction. The query must lock the first open window of
     * {@code :sequence} that no transaction has locked and that begins at {@code :from} or above. It must return the
     * window's {@code window_start_value}, {@code window_end_value}, {@code next_hi_value}, {@code give_backs}, and
     * <code>{state}</code>, as for {@link #reserve}. The store reads only the first row.
     *
     * @param query the query
     * @return this
     */
    public DialectBuilder lock(String query) {
        this.reserve = Objects.requireNonNull(query, "query");
        this.reservesInOneStatement = false;
        return this;
    }

    /**
     * Sets the clause that skips locked rows, and that replaces <code>{skip locked}</code>.
     *
     * @param clause the clause, {@code " SKIP LOCKED"} by default
     * @return this
     */
    public DialectBuilder skipLocked(String clause) {
        this.skipLocked = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets an expression for a string of at most 200 characters that identifies the server. The string must stay the
     * same when the server restarts. It must change with a fail-over to another server, and with a recovery from a
     * backup.
     *
     * @param expression the expression; snowcast replaces <code>{table}</code> in it by the name of the table that
     *     stores the string. Use <code>{table}</code> if the database can show the creation time or an identity of the
     *     table
     * @return this
     */
    public DialectBuilder server(String expression) {
        this.server = Objects.requireNonNull(expression, "expression");
        return this;
    }

    /**
     * Sets the expression whose value each reservation returns; choose one that is cheaper than that of
     * {@link #server}. Like the string of {@link #server}, the value must change with a fail-over to another server,
     * and with a recovery from a backup. The value should also change when settings for the durability of commits
     * change, and when {@code database_id}, {@code server_id} or {@code recoveries} in {@code id_sequences_database}
     * change: {@code database_id} differs in other tables, to which a connection with another schema leads. When the
     * value has changed, the store drops the reserved block and checks the shard.
     *
     * @param expression the expression; by default that of {@link #server}, followed by the stored identity, for which
     *     the database must have the function {@code CONCAT}
     * @return this
     */
    public DialectBuilder state(String expression) {
        this.state = Objects.requireNonNull(expression, "expression");
        return this;
    }

    /** Sets an expression for a string that identifies the server's process, and changes with each start. */
    DialectBuilder started(String expression) {
        this.started = expression;
        return this;
    }

    /**
     * Sets the text that follows the expressions of a SELECT without a table.
     *
     * @param clause such as {@code " FROM DUAL"}; nothing by default
     * @return this
     */
    public DialectBuilder dual(String clause) {
        this.dual = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets the clause at the end of a query that limits the result to one row, so that the database reads no further
     * rows.
     *
     * @param clause such as {@code " FETCH FIRST ROW ONLY"}; nothing by default
     * @return this
     */
    public DialectBuilder firstRowOnly(String clause) {
        this.firstRowOnly = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets the clause that locks the rows that a query reads, also within an {@code INSERT … SELECT}.
     *
     * @param clause {@code " FOR UPDATE"} by default; empty if the database does not support the clause in an INSERT.
     *     If it is empty, the dialect cannot have {@link #leases}, agents recover no shard, and you must not recover a
     *     shard while agents run
     * @return this
     */
    public DialectBuilder forUpdate(String clause) {
        this.forUpdate = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /** Sets the first statement of a transaction, which sets the isolation of this transaction only. */
    DialectBuilder begin(String statement) {
        this.begin = statement;
        return this;
    }

    /** Sets a condition that is always true. Evaluating the condition makes the commit of the transaction durable. */
    DialectBuilder durable(String condition) {
        this.durable = condition;
        return this;
    }

    /**
     * Sets a condition that is always true. Evaluating the condition makes the server end a transaction that is idle
     * for <code>{millis}</code> milliseconds.
     */
    DialectBuilder endedWhenIdle(String condition) {
        this.endedWhenIdle = condition;
        return this;
    }

    /**
     * Sets a query that shows whether the database may lose commits when the server's process crashes. If the query
     * returns a row, the database is rejected.
     *
     * @param query a query whose only column is a text with the wrong and the right setting; no row if the setting is
     *     right
     * @return this
     */
    public DialectBuilder lossQuery(String query) {
        this.lossQuery = Objects.requireNonNull(query, "query");
        return this;
    }

    /**
     * Sets a query that shows whether the database may lose commits when its machine crashes. If the query returns a
     * row, a warning is logged.
     *
     * @param query a query whose only column is the risky setting; no row if there is no risk
     * @return this
     */
    public DialectBuilder riskQuery(String query) {
        this.riskQuery = Objects.requireNonNull(query, "query");
        return this;
    }

    /**
     * Sets the SQL for the tables from which a {@link JdbcSnowcast} leases node IDs.
     *
     * @param script the statements that create the tables if they do not exist, each ended by a semicolon. Copy
     *     {@code postgresql/R__snowcast_leases.sql} from the package of this class, and change what the database does
     *     not support; keep the INSERT at its end
     * @param now a numeric SQL expression for the milliseconds since 1970 by the clock of the database
     * @return this
     * @throws NullPointerException if an argument is null
     */
    public DialectBuilder leases(String script, String now) {
        this.leaseScript = Objects.requireNonNull(script, "script");
        this.now = Objects.requireNonNull(now, "now");
        return this;
    }

    /**
     * Sets the driver's error codes for a row that stays locked, and for a deadlock. These codes are needed if the
     * driver reports such an error with an SQL state other than 55P03, 40P01, 40001, 57014, 70100 and HYT00.
     *
     * @param codes the codes of {@code SQLException.getErrorCode()}
     * @return this
     */
    public DialectBuilder busyCodes(Integer... codes) {
        this.busyCodes = Set.of(codes);
        return this;
    }

    /**
     * Builds the dialect.
     *
     * @return the dialect
     * @throws IllegalStateException if {@link #script(String)} or {@link #server(String)} was not called, or neither
     *     {@link #reserve(String)} nor {@link #lock(String)} was; or if the dialect has {@link #leases} and an empty
     *     {@link #forUpdate}
     */
    public Dialect build() {
        if (leaseScript != null && forUpdate.isEmpty()) {
            throw new IllegalStateException("a dialect with leases must lock rows: its forUpdate is empty");
        }
        return new Dialect(this);
    }

    static String required(String what, @Nullable String text) {
        if (text == null) {
            throw new IllegalStateException("a dialect must have: " + what);
        }
        return text;
    }
}
