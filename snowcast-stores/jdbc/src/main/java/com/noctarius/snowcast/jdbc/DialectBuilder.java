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

    boolean ignoresInterrupts;
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
     * Sets the DDL of the four tables. Copy {@code postgresql.sql}, next to this class, and change what the database
     * does not support.
     *
     * @param script idempotent statements, each ended by a semicolon; lines that begin with {@code --} are ignored
     * @return this
     */
    public DialectBuilder script(String script) {
        this.script = Objects.requireNonNull(script, "script");
        return this;
    }

    /**
     * Sets a cheaper statement that reserves {@code :size} integers in the window that begins at {@code :from}. The
     * statement returns the columns of {@link #reserve}, or no row if fewer integers are left.
     */
    DialectBuilder advance(String statement) {
        this.advance = statement;
        return this;
    }

    /** Declares that an interrupt of the calling thread neither ends a call of the driver nor breaks its connection. */
    DialectBuilder ignoresInterrupts() {
        this.ignoresInterrupts = true;
        return this;
    }

    /** Declares that a commit which no synchronous replica has confirmed succeeds with a warning. */
    DialectBuilder warnsOfUnconfirmedCommits() {
        this.warnsOfUnconfirmedCommits = true;
        return this;
    }

    /**
     * Sets the one statement that reserves integers. It picks the first open window of {@code :sequence} that no
     * transaction has locked and that begins at {@code :from} or above, raises its {@code next_hi_value} by
     * {@code :size}, at most to the end of the window, and returns one row, or no row if there is no such window. The
     * row has the columns {@code window_start_value}, {@code window_end_value}, {@code next_hi_value} before and after,
     * {@code give_backs}, and <code>{state}</code>, which is replaced by the expression of {@link #state}. Write <code>
     * {skip
     * locked}</code> for the clause that skips locked windows.
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
     * store then updates the row in the same transaction. The query locks the first open window of {@code :sequence}
     * that no transaction has locked and that begins at {@code :from} or above, and returns its
     * {@code window_start_value}, {@code window_end_value}, {@code next_hi_value}, {@code give_backs}, and <code>
     * {state}</code>. The store reads only the first row.
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
     * Sets the replacement of <code>{skip locked}</code>.
     *
     * @param clause the clause, {@code " SKIP LOCKED"} by default
     * @return this
     */
    public DialectBuilder skipLocked(String clause) {
        this.skipLocked = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets an expression that identifies the server and its history: a string of at most 200 characters that stays the
     * same when the server restarts, and differs after a fail-over to another server and after a recovery from a
     * backup.
     *
     * @param expression the expression; <code>{table}</code> in it is replaced by the name of the table that stores the
     *     string, for databases that can show when or with which identity the table was created
     * @return this
     */
    public DialectBuilder server(String expression) {
        this.server = Objects.requireNonNull(expression, "expression");
        return this;
    }

    /**
     * Sets an expression that is cheaper than that of {@link #server}, because each reservation returns its value. The
     * value must change when the server's history changes. It should change when settings for the durability of commits
     * change, and when {@code server_id} or {@code recoveries} in {@code id_sequences_database} change. When the value
     * has changed, the store drops the reserved block and checks the shard.
     *
     * @param expression the expression; that of {@link #server} by default
     * @return this
     */
    public DialectBuilder state(String expression) {
        this.state = Objects.requireNonNull(expression, "expression");
        return this;
    }

    /** Sets an expression for a string that identifies the process of the server, and differs after each start. */
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
     * Sets the clause that locks the rows that an {@code INSERT … SELECT} reads.
     *
     * @param clause {@code " FOR UPDATE"} by default; empty if the database does not support it in an INSERT; then
     *     recover no shard while agents run
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

    /** Sets a condition that is always true. Evaluating it makes the commit of its transaction durable. */
    DialectBuilder durable(String condition) {
        this.durable = condition;
        return this;
    }

    /**
     * Sets a condition that is always true. Evaluating it makes the server end the transaction after <code>{millis}
     * </code> milliseconds without a statement.
     */
    DialectBuilder endedWhenIdle(String condition) {
        this.endedWhenIdle = condition;
        return this;
    }

    /**
     * Sets a query that shows whether the database may lose commits when the server crashes. If the query returns a
     * row, stores and agents reject the database.
     *
     * @param query a query that returns the wrong setting and the right one in its only column, or no row
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
     * @param query a query that returns the setting in its only column, or no row
     * @return this
     */
    public DialectBuilder riskQuery(String query) {
        this.riskQuery = Objects.requireNonNull(query, "query");
        return this;
    }

    /**
     * Sets the SQL for a {@link JdbcSnowcast}, which leases node IDs from tables of its own by the clock of the
     * database.
     *
     * @param script the statements that create the tables if they do not exist, each ended by a semicolon: copy
     *     {@code postgresql/R__snowcast_leases.sql}, next to this class, and change what the database does not support;
     *     keep the row at its end
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
     * Sets the driver's error codes for a row that stays locked and for a deadlock. They are needed if the SQL state of
     * these errors is none of 55P03, 40P01, 40001, 57014, 70100, HYT00.
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
     * @throws IllegalStateException if {@link #script(String)}, {@link #server(String)}, or both
     *     {@link #reserve(String)} and {@link #lock(String)} are missing
     */
    public Dialect build() {
        return new Dialect(this);
    }

    static String required(String what, @Nullable String text) {
        if (text == null) {
            throw new IllegalStateException("a dialect must have: " + what);
        }
        return text;
    }
}
