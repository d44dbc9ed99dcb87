// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.jdbc.TableNames;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A list of one or more databases (shards) that store windows of integers: PostgreSQL, MariaDB, MySQL 8, H2, or another
 * kind with its own {@link Dialect}. Stores, agents and the schema can share one {@code JdbcShards}. Immutable and
 * thread-safe. Opens no connection before the first call.
 *
 * <p><b>The order of the shards is part of the data.</b> Each database stores its own index and the list; snowcast
 * rejects a list in another order.
 *
 * <p>Every call takes its own connection from the {@link DataSource}, on a thread of snowcast. Neither a transaction of
 * the caller nor an interrupt affects a call. A database that does not answer delays no caller beyond the time-outs. A
 * call never commits a transaction that is open on the connection, but rolls it back. If only the database knows of
 * that transaction, because somebody has executed {@code BEGIN} in auto-commit, the call may fail. A call restores the
 * connection's settings before it returns the connection.
 */
public final class JdbcShards {
    private static final Pattern TABLE =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]{0,39}\\.)?[A-Za-z_][A-Za-z0-9_]{0,39}");

    private final List<Shard> shards;
    private final Tables tables;
    private final Duration callTimeout;

    private JdbcShards(Builder builder) {
        int count = builder.dataSources.size();
        if (count == 0) {
            throw new IllegalArgumentException("there must be at least one shard");
        }
        if (builder.callTimeout.compareTo(builder.statementTimeout) <= 0) {
            throw new IllegalArgumentException("callTimeout must be above statementTimeout, " + builder.statementTimeout
                    + ": " + builder.callTimeout);
        }
        this.shards = IntStream.range(0, count)
                .mapToObj(index -> new Shard(
                        index,
                        count,
                        builder.dataSources.get(index),
                        builder.dialect,
                        (int) builder.statementTimeout.toSeconds(),
                        builder.callTimeout))
                .toList();
        this.tables = new Tables(builder.tableName);
        this.callTimeout = builder.callTimeout;
    }

    /**
     * Returns shards with default values.
     *
     * @param shards the databases, in the order of their index
     * @return the shards
     * @throws NullPointerException if a shard is null
     * @throws IllegalArgumentException if there is no shard
     */
    public static JdbcShards of(DataSource... shards) {
        Builder builder = builder();
        for (DataSource shard : shards) {
            builder.shard(shard);
        }
        return builder.build();
    }

    /**
     * Starts a list of shards.
     *
     * @return a builder without a shard
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns how many shards there are.
     *
     * @return 1 or more
     */
    public int count() {
        return shards.size();
    }

    /**
     * Returns the name of the table of windows.
     *
     * @return the name, {@code id_sequences} by default
     */
    public String tableName() {
        return tables.windows();
    }

    List<Shard> all() {
        return shards;
    }

    Tables tables() {
        return tables;
    }

    Duration callTimeout() {
        return callTimeout;
    }

    /**
     * Runs a transaction on one shard. Instead of an {@code SQLException}, throws a {@link BlockStoreException} whose
     * message begins with {@code purpose}.
     */
    <T> T call(Shard shard, String purpose, Shard.Work<T> work) {
        try {
            return shard.call(work);
        } catch (SQLException e) {
            throw failed(shard, purpose, e);
        }
    }

    /** As {@link #call(Shard, String, Shard.Work)}, but throws if the connection leads to other tables than known. */
    <T> T call(Shard shard, Database known, String purpose, Shard.Work<T> work) {
        return call(shard, purpose, transaction -> {
            ShardCheck.requireSame(shard, tables, transaction, known);
            return work.in(transaction);
        });
    }

    /**
     * Runs one statement of {@link Tables#write} in its own transaction; returns the number of changed rows. An INSERT
     * returns 0 if another process inserts the same row at the same time.
     */
    int write(Shard shard, String purpose, String sql, @Nullable Object... values) {
        try {
            return shard.autoCommit(transaction -> tables.write(transaction, sql, values));
        } catch (SQLException e) {
            if (sql.startsWith("INSERT") && Tables.isDuplicateKey(e)) {
                return 0;
            }
            throw failed(shard, purpose, e);
        }
    }

    /**
     * As {@link #write(Shard, String, String, Object...)}, with the ID of the known tables as the last value. <code>
     * {same}</code> stands for the condition that the tables have this ID, because the connection may lead to other
     * tables.
     */
    int write(Shard shard, Database known, String purpose, String sql, Object... values) {
        return write(shard, purpose, sql.replace("{same}", tables.same()), LeaseRows.and(values, known.databaseId()));
    }

    /**
     * Inserts the definition of a sequence, unless the shard has a definition. Agents copy the definition to the other
     * shards.
     */
    void define(Shard shard, String purpose, String name, long first, long last) {
        write(shard, purpose, define(""), name, first, last, 0L, 0L, name);
    }

    /**
     * Copies the definition of a sequence to a shard that has none.
     *
     * @param bound an upper bound of the windows that the shard may have had
     */
    void copy(Shard shard, Database known, String purpose, SequenceRow row, long bound) {
        write(
                shard,
                known,
                purpose,
                define(" AND {same}"),
                row.name(),
                row.first(),
                row.last(),
                bound,
                bound,
                row.name());
    }

    private String define(String condition) {
        return "INSERT INTO " + tables.names()
                + " (sequence_name, lowest_value, highest_value, announced_value, floor_value)"
                + " SELECT ?, ?, ?, ?, ?{dual} WHERE {durable} AND NOT EXISTS (SELECT 1 FROM " + tables.names()
                + " WHERE sequence_name = ?)" + condition;
    }

    BlockStoreException failed(Shard shard, String purpose, SQLException e) {
        String where = purpose + shard + " in " + this;
        return PermanentFailure.advice(e)
                .<BlockStoreException>map(
                        advice -> new NonTransientBlockStoreException(where + " refuses; " + advice, e))
                .orElseGet(
                        () -> new BlockStoreException(where + " cannot be reached or refuses: " + e.getMessage(), e));
    }

    @Override
    public String toString() {
        return "JdbcShards{count=" + shards.size() + ", table=" + tables.windows() + '}';
    }

    static String requireTableName(String what, String tableName) {
        if (!TABLE.matcher(tableName).matches()) {
            throw new IllegalArgumentException(
                    what + " must be at most 40 letters, digits and _, the first no digit; a schema"
                            + " and a point may stand before it: " + tableName);
        }
        return tableName;
    }

    static Duration requireUpToADay(String what, Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(what + " must be 1 second to 1 day: " + duration);
        }
        return duration;
    }

    /** Builds {@link JdbcShards}. Not thread-safe. */
    public static final class Builder {
        private final List<DataSource> dataSources = new ArrayList<>();
        private @Nullable Dialect dialect;
        private String tableName = TableNames.WINDOWS;
        private Duration statementTimeout = Duration.ofSeconds(2);
        private Duration callTimeout = Duration.ofSeconds(4);

        private Builder() {}

        /**
         * Adds the next shard. The first one has the index 0.
         *
         * @param dataSource the source of connections. The application may use the same pool, if the pool has
         *     connections left while the application's transactions are open
         * @return this
         * @throws NullPointerException if {@code dataSource} is null
         */
        public Builder shard(DataSource dataSource) {
            dataSources.add(Objects.requireNonNull(dataSource, "dataSource"));
            return this;
        }

        /**
         * Sets the name of the table of windows. The other tables are named after it, with {@code _names},
         * {@code _shard} and {@code _database} at the end.
         *
         * @param tableName letters, digits and underscores, at most 40, the first not a digit, optionally after a
         *     schema and a dot; {@code id_sequences} by default
         * @return this
         * @throws NullPointerException if {@code tableName} is null
         * @throws IllegalArgumentException if it has another form
         */
        public Builder tableName(String tableName) {
            this.tableName = requireTableName("tableName", tableName);
            return this;
        }

        /**
         * Sets the dialect of all databases. It is needed for a database that snowcast does not recognize by the
         * product name that the driver reports.
         *
         * @param dialect the SQL of that kind of database
         * @return this
         * @throws NullPointerException if {@code dialect} is null
         */
        public Builder dialect(Dialect dialect) {
            this.dialect = Objects.requireNonNull(dialect, "dialect");
            return this;
        }

        /**
         * Sets how long a database may work on one statement, including waits for locks.
         *
         * @param timeout 1 second to a day, in whole seconds; 2 seconds by default
         * @return this
         * @throws NullPointerException if {@code timeout} is null
         * @throws IllegalArgumentException if the time-out is below 1 second, above a day, or not in whole seconds
         */
        public Builder statementTimeout(Duration timeout) {
            this.statementTimeout = requireUpToADay("statementTimeout", timeout);
            if (!timeout.truncatedTo(ChronoUnit.SECONDS).equals(timeout)) {
                throw new IllegalArgumentException("statementTimeout must be of whole seconds: " + timeout);
            }
            return this;
        }

        /**
         * Sets how long a call on one shard may take, from the request for a connection to the end of the transaction.
         * After that time, snowcast aborts the connection, and the call fails, although it may have had an effect.
         *
         * @param timeout above the time-out of statements, at most a day; 4 seconds by default
         * @return this
         * @throws NullPointerException if {@code timeout} is null
         * @throws IllegalArgumentException if it is below 1 second or above a day
         */
        public Builder callTimeout(Duration timeout) {
            this.callTimeout = requireUpToADay("callTimeout", timeout);
            return this;
        }

        /**
         * Builds the list.
         *
         * @return the shards
         * @throws IllegalArgumentException if there is no shard, or the call time-out is not above the statement
         *     time-out
         */
        public JdbcShards build() {
            return new JdbcShards(this);
        }
    }
}
