// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that PostgreSQL loses no reservations and grants, even with settings with which it may lose other commits. */
@Tag("faults")
class PostgresDurabilityTest {
    private static final String ORDERS = "orders";
    private static final long LAST = 100_000_000;

    /**
     * Kills the server after {@code synchronous_commit = off} was set after the store has checked the shard: for a
     * pooled connection, or as the default of the database for new connections.
     */
    @ParameterizedTest
    @ValueSource(strings = {"SET synchronous_commit = off", "ALTER DATABASE postgres SET synchronous_commit = off"})
    void nothingIsForgottenThoughConnectionsDoNotWaitForTheDisk(String careless) throws Exception {
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = TestShards.pool(server.url("postgres"), 1, Duration.ofMinutes(2))) {
            writeSeldom(pool);
            TestShards one = TestShards.patient("ids", List.of(server.url("postgres")));
            TestShards.layOut(one.plain(), 100_000, 3, ORDERS, 1, LAST);
            BlockLedger ledger = new BlockLedger(1, LAST);
            JdbcBlockStore store = new JdbcBlockStore(one.of(List.of(pool)));
            ledger.add(store.reserve(ORDERS, 10));
            Sql.execute(pool, careless);
            if (careless.startsWith("ALTER")) {
                pool.getHikariPoolMXBean().softEvictConnections();
            }
            for (int i = 0; i < 100; i++) {
                ledger.add(store.reserve(ORDERS, 10));
            }
            server.kill();
            server.restart();
            JdbcBlockStore later = new JdbcBlockStore(one.plain());
            for (int i = 0; i < 100; i++) {
                ledger.add(later.reserve(ORDERS, 10));
            }
            assertThat(ledger.count()).isEqualTo(2_010);
        }
    }

    /** With this setting, the server waits for seconds before it writes commits that need not be durable. */
    private static void writeSeldom(DataSource admin) throws Exception {
        Sql.execute(admin, "ALTER SYSTEM SET wal_writer_delay = '10s'");
        Sql.execute(admin, "SELECT pg_reload_conf()");
    }

    /**
     * If a statement time-out cancels the wait for a synchronous standby, PostgreSQL commits anyway, and a standby that
     * takes over may lack the commit. The store must not issue the block.
     */
    @Test
    void whatNoSynchronousStandbyHasConfirmedIsNotHandedOut() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            TestShards one = TestShards.patient("ids", List.of(server.url("postgres")));
            TestShards.layOut(one.plain(), 100_000, 3, ORDERS, 1, LAST);
            DataSource admin = one.connections(server.url("postgres"));
            JdbcBlockStore store = TestShards.store(JdbcShards.builder()
                    .tableName("ids")
                    .shard(admin)
                    .statementTimeout(Duration.ofSeconds(1))
                    .callTimeout(Duration.ofMinutes(3))
                    .build());
            store.reserve(ORDERS, 10);
            server.waitForMissingStandby();
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> store.reserve(ORDERS, 10))
                    .withMessageContaining("the primary may be the only server that has this commit");
        }
    }

    /** The tables were created before the grant, so a server that keeps the grant also keeps the tables. */
    @Test
    void noGrantIsForgottenThoughAPooledConnectionDoesNotWaitForTheDisk() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                HikariDataSource pool = TestShards.pool(server.url("postgres"), 1, Duration.ofMinutes(2))) {
            writeSeldom(pool);
            Sql.execute(pool, "SET synchronous_commit = off");
            try (JdbcSnowcast snowcast = JdbcSnowcast.of(pool)) {
                snowcast.createTables();
                snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
                server.kill();
                server.restart();
            }
            assertThat(server.text("SELECT CAST(COUNT(*) AS TEXT) FROM snowcast_nodes"))
                    .isEqualTo("1");
        }
    }
}
