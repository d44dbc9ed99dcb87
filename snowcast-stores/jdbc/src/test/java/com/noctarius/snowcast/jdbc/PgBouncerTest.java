// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests PostgreSQL behind {@link PgBouncer}. Skipped if PgBouncer is not installed. */
@Tag("faults")
class PgBouncerTest {
    @TempDir
    private Path directory = Path.of("");

    private final List<AutoCloseable> closed = new ArrayList<>();
    private String url = "";
    private String direct = "";

    @BeforeEach
    void start() throws Exception {
        assumeTrue(PgBouncer.isInstalled(), PgBouncer.MISSING);
        PostgresServer server = PostgresServer.start();
        closed.add(server);
        direct = server.createDatabase("ids");
        PgBouncer pooler = PgBouncer.start(directory, server.port(), "ids =", "narrow = dbname=ids pool_size=1");
        closed.add(0, pooler);
        url = "jdbc:postgresql://127.0.0.1:" + pooler.port() + "/ids?user=postgres";
        JdbcShards shards = shards(url + "&prepareThreshold=0");
        TestShards.layOut(shards, 1_000_000, 3, "orders", 1, 10_000_000);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : closed) {
            each.close();
        }
    }

    private static JdbcShards shards(String url) {
        return JdbcShards.of(UrlDataSource.of(url, null, null));
    }

    /** Reserves with several stores concurrently, and returns the failures. Throws if an integer is reserved twice. */
    private static List<Exception> reserve(String url) throws Exception {
        BlockLedger ledger = new BlockLedger(1, 10_000_000);
        List<Exception> failures = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Void>> users = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                JdbcBlockStore store = new JdbcBlockStore(shards(url));
                users.add(threads.submit(() -> {
                    for (int call = 0; call < 100; call++) {
                        try {
                            ledger.add(store.reserve("orders", 10));
                        } catch (BlockStoreException e) {
                            synchronized (failures) {
                                failures.add(e);
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<Void> user : users) {
                user.get(5, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        return failures;
    }

    @Test
    void withoutPreparedStatementsNothingFails() throws Exception {
        assertThat(reserve(url + "&prepareThreshold=0")).isEmpty();
    }

    @Test
    void withPreparedStatementsNothingComesTwiceAndTheWayOutIsSaid() throws Exception {
        List<Exception> failures = reserve(url);
        assertThat(failures)
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure).hasMessageContaining("prepareThreshold=0"));
    }

    /** All clients use the same connection to the server, one client after the other. */
    @Test
    void anotherApplicationKeepsItsSettings() throws Exception {
        try (Connection server = DriverManager.getConnection(direct);
                Statement statement = server.createStatement()) {
            statement.execute("ALTER DATABASE ids SET default_transaction_isolation TO serializable");
            statement.execute("ALTER DATABASE ids SET default_transaction_read_only TO on");
        }
        String narrow = url.replace("/ids?", "/narrow?") + "&prepareThreshold=0";
        DataSource plain = UrlDataSource.of(narrow, null, null);
        DataSource readOnly = Connections.choosing(() -> {
            Connection connection = plain.getConnection();
            connection.setReadOnly(true);
            return connection;
        });
        for (DataSource each : List.of(plain, readOnly)) {
            JdbcBlockStore store = new JdbcBlockStore(JdbcShards.of(each));
            JdbcSnowcast snowcast = JdbcSnowcast.of(each);
            closed.add(0, snowcast);
            snowcast.createTables();
            for (int i = 0; i < 40; i++) {
                store.reserve("orders", 10);
                snowcast.createSequencer("other-" + i, SnowcastEpoch.byTimestamp(1_700_000_000_000L));
                assertThat(settingsOfAnother(narrow)).containsExactly("serializable", "on", "on");
            }
        }
    }

    private static List<String> settingsOfAnother(String narrow) throws Exception {
        List<String> settings = new ArrayList<>();
        try (Connection other = DriverManager.getConnection(narrow);
                Statement statement = other.createStatement()) {
            for (String name : List.of("transaction_isolation", "transaction_read_only", "synchronous_commit")) {
                try (ResultSet row = statement.executeQuery("SHOW " + name)) {
                    row.next();
                    settings.add(row.getString(1));
                }
            }
        }
        return settings;
    }

    private static JdbcSnowcast process(String url) {
        return Patient.snowcast(UrlDataSource.of(url, null, null)).build();
    }

    @Test
    void aProcessWithPreparedStatementsSaysTheWayOut() {
        try (JdbcSnowcast snowcast = process(url + "&prepareThreshold=0")) {
            snowcast.createTables();
        }
        List<JdbcSnowcast> processes = List.of(process(url), process(url));
        closed.addAll(0, processes);
        assertThatThrownBy(() -> {
                    for (int name = 0; name < 50; name++) {
                        for (JdbcSnowcast each : processes) {
                            each.createSequencer("more-" + name, SnowcastEpoch.byTimestamp(1_700_000_000_000L));
                        }
                    }
                })
                .isInstanceOf(SnowcastException.class)
                .hasMessageContaining("prepareThreshold=0");
    }
}
