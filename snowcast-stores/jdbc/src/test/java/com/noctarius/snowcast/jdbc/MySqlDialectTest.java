// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.tests.Warnings;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the tests of a dialect on MySQL, and tests settings of MySQL. The dialect of MySQL differs from that of MariaDB
 * only in its name and in the identity of the server.
 */
@Tag("integration")
class MySqlDialectTest implements DialectContract {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final List<String> URLS = new ArrayList<>();
    private static MySqlServer server;

    private final String table = "ids" + TABLES.incrementAndGet();

    @BeforeAll
    static void start() throws Exception {
        server = MySqlServer.start();
        for (int i = 0; i < 3; i++) {
            URLS.add(server.createDatabase("ids" + i));
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    public List<String> urls() {
        return URLS;
    }

    @Override
    public String table() {
        return table;
    }

    @Override
    public String shortLockTimeout() {
        return "SET innodb_lock_wait_timeout = 1";
    }

    @Test
    void itIsMySqlThatServes() throws Exception {
        try (Connection connection = UrlDataSource.of(urls().get(0), null, null).getConnection()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MySQL");
            assertThat(connection.getMetaData().getDatabaseProductVersion()).startsWith("8.");
        }
    }

    @Test
    void aDatabaseThatForgetsIsRefused() throws Exception {
        TestShards one = oneShard(urls().get(0));
        try (Connection root = one.connections(urls().get(0)).getConnection();
                Statement statement = root.createStatement()) {
            try {
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
                assertThatExceptionOfType(ShardMismatchException.class)
                        .isThrownBy(() -> new JdbcBlockStore(one.plain()).reserve("orders", 1))
                        .withMessageContaining("shard 0 of 1 has innodb_flush_log_at_trx_commit = 0");
            } finally {
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            }
            new JdbcBlockStore(one.plain()).reserve("orders", 1);
        }
    }

    /** MySQL has a binary log by default, so {@code sync_binlog} matters, too. */
    @Test
    void settingsThatLoseCommitsWithTheMachineAreWarnedOfOnce() throws Exception {
        TestShards one = oneShard(urls().get(0));
        try (Connection root = one.connections(urls().get(0)).getConnection();
                Statement statement = root.createStatement();
                Warnings warnings = Warnings.of(ShardCheck.class)) {
            JdbcBlockStore running = TestShards.store(one.plain());
            running.reserve(ORDERS, 1);
            assertThat(warnings.all()).isEmpty();
            try {
                statement.execute("SET GLOBAL sync_binlog = 0");
                running.reserve(ORDERS, 1);
                running.reserve(ORDERS, 1);
                assertThat(warnings.all())
                        .singleElement()
                        .asString()
                        .contains("shard 0 of 1 has innodb_flush_log_at_trx_commit = 1, sync_binlog = 0");
                statement.execute("SET GLOBAL sync_binlog = 1");
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
                running.reserve(ORDERS, 1);
                running.reserve(ORDERS, 1);
                assertThat(warnings.all()).hasSize(2);
                assertThat(warnings.all().get(1)).contains("innodb_flush_log_at_trx_commit = 2, sync_binlog = 1");
            } finally {
                statement.execute("SET GLOBAL sync_binlog = 1");
                statement.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
            }
        }
    }
}
