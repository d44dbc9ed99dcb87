// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.tests.Failures;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * The table name and the URLs of a list of shards. Creates {@link JdbcShards} from them, with and without pools.
 *
 * @param isPatient whether the time-outs of calls are minutes, for busy machines
 */
record TestShards(String table, List<String> urls, boolean isPatient) {
    static {
        // By default, the pool does not test a connection that was used in the last half second, and does not know H2's
        // codes of broken connections. A test that retries at once would always get the same broken connection.
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
    }

    static TestShards of(String table, List<String> urls) {
        return new TestShards(table, List.copyOf(urls), false);
    }

    /** Returns shards with long time-outs, for tests that do not test time-outs. */
    static TestShards patient(String table, List<String> urls) {
        return new TestShards(table, List.copyOf(urls), true);
    }

    /** Returns a store that does not insert windows itself. */
    static JdbcBlockStore store(JdbcShards shards) {
        return store(shards, ThreadLocalRandom.current().nextInt(shards.count()));
    }

    static JdbcBlockStore store(JdbcShards shards, int firstShard) {
        return new JdbcBlockStore(shards, firstShard, false, null, System::nanoTime);
    }

    static void define(JdbcShards shards, long windowSize, String sequence, long first, long last) {
        new JdbcSchema(shards).create(windowSize);
        new JdbcSchema(shards).defineSequence(sequence, first, last);
    }

    /** Creates tables, defines a sequence, and inserts windows of the sequence into each shard. */
    static void layOut(JdbcShards shards, long windowSize, int openWindows, String sequence, long first, long last) {
        define(shards, windowSize, sequence, first, last);
        new WindowAgent(shards, openWindows).topUp();
    }

    /** Asserts that a call throws a {@link ShardMismatchException}, whose message has all the given parts. */
    static void assertRefused(ThrowingCallable call, String... parts) {
        Failures.assertFails(ShardMismatchException.class, call, parts);
    }

    /** Returns shards without connection pools. */
    JdbcShards plain() {
        return of(this::connections);
    }

    DataSource connections(String url) {
        return UrlDataSource.of(url, null, null);
    }

    /** Returns shards with pools like an application's: no auto-commit, and another isolation than the store's. */
    JdbcShards pooled() {
        return of(url -> pool(url, 4));
    }

    static HikariDataSource pool(String url, int size) {
        return pool(url, size, Duration.ofSeconds(2));
    }

    static HikariDataSource pool(String url, int size, Duration connectionTimeout) {
        return pool(url, size, connectionTimeout, "TRANSACTION_REPEATABLE_READ");
    }

    /** Returns a pool whose connections have the isolation of the store, which costs no statement. */
    static HikariDataSource poolAtReadCommitted(String url, int size) {
        return pool(url, size, Duration.ofSeconds(2), "TRANSACTION_READ_COMMITTED");
    }

    private static HikariDataSource pool(String url, int size, Duration connectionTimeout, String isolation) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setAutoCommit(false);
        config.setTransactionIsolation(isolation);
        config.setConnectionTimeout(connectionTimeout.toMillis());
        // If a server cannot be reached, calls must fail, but not the creation of the pool.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Returns shards without pools. Shard {@code index} refuses connections while {@code isAway} is true. */
    JdbcShards without(int index, AtomicBoolean isAway) {
        List<DataSource> sources =
                new ArrayList<>(urls.stream().map(this::connections).toList());
        sources.set(index, Connections.away(sources.get(index), isAway));
        return of(sources);
    }

    JdbcShards of(Function<String, DataSource> dataSources) {
        return of(urls.stream().map(dataSources).toList());
    }

    JdbcShards of(List<DataSource> dataSources) {
        JdbcShards.Builder builder = JdbcShards.builder().tableName(table);
        if (table.startsWith(UserDialect.TABLE_PREFIX)) {
            builder.dialect(UserDialect.create());
        }
        if (isPatient) {
            builder.statementTimeout(Duration.ofMinutes(2)).callTimeout(Duration.ofMinutes(3));
        }
        new ArrayList<>(dataSources).forEach(builder::shard);
        return builder.build();
    }
}
