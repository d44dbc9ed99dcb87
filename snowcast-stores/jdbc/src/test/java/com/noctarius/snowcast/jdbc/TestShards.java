// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/** Shards by their URLs, with and without pools. */
record TestShards(String table, List<String> urls) {
    static {
        // The pool takes a connection for alive that was used in the last half a second. It does not know H2's codes of
        // broken
        // ones, and a test that tries all the time would get the same one for ever.
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
    }

    static TestShards of(String table, List<String> urls) {
        return new TestShards(table, List.copyOf(urls));
    }

    /** With a new connection for each call. */
    JdbcShards plain() {
        return of(this::connections);
    }

    DataSource connections(String url) {
        return new UrlDataSource(url, null, null);
    }

    /**
     * With a pool for each shard. Its connections are as an application would have them: in transactions, at another isolation
     * than the store's.
     */
    JdbcShards pooled() {
        return of(url -> pool(url, 4));
    }

    static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setConnectionTimeout(2_000);
        // A server that is not there is a failure of the call, not of the pool.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    JdbcShards of(Function<String, DataSource> dataSources) {
        return of(urls.stream().map(dataSources).toList());
    }

    JdbcShards of(List<DataSource> dataSources) {
        JdbcShards.Builder builder = JdbcShards.builder().tableName(table);
        new ArrayList<>(dataSources).forEach(builder::shard);
        return builder.build();
    }
}
