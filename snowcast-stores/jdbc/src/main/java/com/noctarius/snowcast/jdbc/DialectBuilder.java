// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes a kind of database. Not thread-safe. */
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
     * Sets the DDL of the four tables, in the form of {@code postgresql.sql} next to this class.
     *
     * @param script statements, each ended by a semicolon, that may be run again; lines that begin with {@code --} are
     *     left out
     * @return this
     */
    public DialectBuilder script(String script) {
        this.script = Objects.requireNonNull(script, "script");
        return this;
    }

    /**
     * Sets a cheaper statement that reserves {@code :size} integers in the window that begins at {@code :from}, if it
     * has so many left; with the columns of {@link #reserve}.
     */
    DialectBuilder advance(String statement) {
        this.advance = statement;
        return this;
    }

    /** Says that a driver's calls neither end nor break the connection when their thread is interrupted. */
    DialectBuilder ignoresInterrupts() {
        this.ignoresInterrupts = true;
        return this;
    }

    /** Says that a commit that no synchronous replica has confirmed succeeds, with a warning. */
    DialectBuilder warnsOfUnconfirmedCommits() {
        this.warnsOfUnconfirmedCommits = true;
        return this;
    }

    /**
     * Sets one statement that reserves. It picks the first open window of {@code :sequence} that no transaction has
     * locked and that begins at {@code :from} or above, raises its {@code next_hi_value} by {@code :size}, at most to
     * the end of the window, and returns one row; or none, if there is no such window. The row has the columns
     * {@code window_start_value}, {@code window_end_value}, {@code next_hi_value} before and after, {@code give_backs},
     * and <code>{state}</code>, which stands for the expression of {@link #state}. What makes it pass over locked
     * windows is written as <code>{skip locked}</code>.
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
     * Sets a query for databases that cannot update and return in one statement; the store updates in the same
     * transaction. It locks the first open window of {@code :sequence} that no transaction has locked and that begins
     * at {@code :from} or above, and returns its {@code window_start_value}, {@code window_end_value},
     * {@code next_hi_value}, {@code give_backs}, and <code>{state}</code>. The store reads one row.
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
     * Sets what <code>{skip locked}</code> stands for.
     *
     * @param clause the clause, {@code " SKIP LOCKED"} by default
     * @return this
     */
    public DialectBuilder skipLocked(String clause) {
        this.skipLocked = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets an expression that names the server and its history: a string of at most 200 characters that stays the same
     * when the server restarts, and differs after a fail-over to another server and after a recovery from a backup.
     *
     * @param expression the expression; <code>{table}</code> in it stands for the name of the table in which the string
     *     is stored, for databases that can tell when or as what it was created
     * @return this
     */
    public DialectBuilder server(String expression) {
        this.server = Objects.requireNonNull(expression, "expression");
        return this;
    }

    /**
     * Sets a cheaper expression, which each reservation returns: it must differ when the server's history does, and
     * should when settings do that decide whether commits are durable, and when {@code server_id} or {@code recoveries}
     * in {@code id_sequences_database} do. When it differs the block is dropped and the shard is checked.
     *
     * @param expression the expression; that of {@link #server} by default
     * @return this
     */
    public DialectBuilder state(String expression) {
        this.state = Objects.requireNonNull(expression, "expression");
        return this;
    }

    /** Sets an expression, a string that names the process of the server: it differs after each start. */
    DialectBuilder started(String expression) {
        this.started = expression;
        return this;
    }

    /**
     * Sets what stands behind a SELECT of expressions alone.
     *
     * @param clause such as {@code " FROM DUAL"}; nothing by default
     * @return this
     */
    public DialectBuilder dual(String clause) {
        this.dual = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets what stands at the end of a query that wants one row, so that the database reads no others.
     *
     * @param clause such as {@code " FETCH FIRST ROW ONLY"}; nothing by default
     * @return this
     */
    public DialectBuilder firstRowOnly(String clause) {
        this.firstRowOnly = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /**
     * Sets what locks the rows that an {@code INSERT … SELECT} reads.
     *
     * @param clause {@code " FOR UPDATE"} by default; empty where an INSERT cannot, and then nothing may be recovered
     *     while agents run
     * @return this
     */
    public DialectBuilder forUpdate(String clause) {
        this.forUpdate = Objects.requireNonNull(clause, "clause");
        return this;
    }

    /** Sets the statement by which a transaction begins, and that sets its isolation for itself only. */
    DialectBuilder begin(String statement) {
        this.begin = statement;
        return this;
    }

    /** Sets a condition that is always true and makes the commit of its statement durable. */
    DialectBuilder durable(String condition) {
        this.durable = condition;
        return this;
    }

    /**
     * Sets a condition that is always true and makes the server end the transaction of its statement, once nothing has
     * come for <code>{millis}</code>.
     */
    DialectBuilder endedWhenIdle(String condition) {
        this.endedWhenIdle = condition;
        return this;
    }

    /**
     * Sets a query that tells whether the database may lose commits when the server crashes; it is refused then.
     *
     * @param query returns in its only column what is set and what to set instead; or no row
     * @return this
     */
    public DialectBuilder lossQuery(String query) {
        this.lossQuery = Objects.requireNonNull(query, "query");
        return this;
    }

    /**
     * Sets a query that tells whether the database may lose commits when its machine crashes; that is logged.
     *
     * @param query returns in its only column what is set; or no row
     * @return this
     */
    public DialectBuilder riskQuery(String query) {
        this.riskQuery = Objects.requireNonNull(query, "query");
        return this;
    }

    /**
     * Sets what a {@link JdbcSnowcast} needs: node IDs are leased in tables of their own, by the clock of the database.
     *
     * @param script the statements that create the tables where there are none, with a semicolon behind each: take
     *     {@code postgresql/R__snowcast_leases.sql}, next to this class, and change what the database does not know;
     *     keep the row at its end
     * @param now an expression, a number: the milliseconds since 1970, by the clock of the database
     * @return this
     * @throws NullPointerException if an argument is null
     */
    public DialectBuilder leases(String script, String now) {
        this.leaseScript = Objects.requireNonNull(script, "script");
        this.now = Objects.requireNonNull(now, "now");
        return this;
    }

    /**
     * Sets the error codes by which the driver says that a row stays locked, or of a deadlock, where the SQL state is
     * none of 55P03, 40P01, 40001, 57014, 70100, HYT00.
     *
     * @param codes the codes of {@code SQLException.getErrorCode()}
     * @return this
     */
    public DialectBuilder busyCodes(Integer... codes) {
        this.busyCodes = Set.of(codes);
        return this;
    }

    /**
     * Builds the description.
     *
     * @return the dialect
     * @throws IllegalStateException if the script, the statement or the server is missing
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
