// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.Warnings;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests window agents, stores, status queries and leases on PostgreSQL: the server's log, locks, privileges, copies,
 * and unconfirmed commits.
 */
@Tag("integration")
class PostgresAgentTest {
    private static final String ORDERS = "orders";

    @AutoClose
    private static PostgresServer server;

    /** A new connection takes PostgreSQL longer than most tests of this class. */
    @AutoClose
    private static HikariDataSource pool;

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
        pool = TestShards.pool(server.url("postgres"), 8, Duration.ofMinutes(2));
    }

    private static TestShards create(String table) {
        TestShards one = TestShards.patient(table, List.of(server.url("postgres")));
        TestShards.define(pooled(one), 100, ORDERS, 1, 100_000);
        return one;
    }

    private static JdbcShards pooled(TestShards one) {
        return one.of(url -> pool);
    }

    private static TestShards as(String table, String user) {
        return TestShards.patient(
                table, List.of(server.url("postgres").replaceAll("user=[^&]*", "user=" + user + "&password=" + user)));
    }

    /** Agents may run every second. Their errors would fill the server's log and hide important errors. */
    @Test
    void aRoundWithoutAnythingToDoWritesNoErrorIntoTheServersLog() throws Exception {
        TestShards one = create("idle");
        for (int i = 0; i < 3; i++) {
            TestShards.layOut(pooled(one), 100, 3, ORDERS, 1, 100_000);
        }
        assertThat(errorsOf("idle")).isEmpty();
    }

    /** If a page reads the status every second, errors would fill the server's log. */
    @Test
    void aStatusOfADatabaseWithoutTablesOfIntegerSequencesWritesNoErrorIntoTheServersLog() throws Exception {
        server.execute("CREATE SCHEMA looked_at");
        try (JdbcSnowcast snowcast =
                Patient.snowcast(pool).tablePrefix("looked_at.snowcast").build()) {
            snowcast.createTables();
            for (String table : List.of("", "_names", "_shard", "_database")) {
                server.execute("DROP TABLE looked_at.id_sequences" + table);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(snowcast.status().integerSequences()).isEmpty();
            }
        }
        assertThat(errorsOf("looked_at")).isEmpty();
    }

    private static List<String> errorsOf(String table) throws IOException {
        // A separate process writes the log. Cause a last error, and wait until the log contains it.
        String end = "the_end_of_the_log_of_" + table;
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> server.execute("SELECT " + end));
        Await.until("the log", () -> server.messages().stream().anyMatch(line -> line.contains(end)));
        return server.messages().stream()
                .filter(line -> line.contains("ERROR") && line.contains(table) && !line.contains(end))
                .toList();
    }

    /** An agent that is paused between two statements must have no open transaction, and therefore no lock. */
    @Test
    void anAgentHoldsNoLockBetweenItsStatements() throws Exception {
        TestShards one = create("locks");
        List<String> modes = new java.util.concurrent.CopyOnWriteArrayList<>();
        JdbcShards watched =
                one.of(List.of(Connections.around(one.connections(one.urls().get(0)), (connection, method, call) -> {
                    if (method.equals("prepareStatement")) {
                        modes.add(connection.getAutoCommit() ? "commits by itself" : "in a transaction");
                    }
                    if (method.equals("commit")) {
                        modes.add("commit");
                    }
                    return call.proceed();
                })));
        assertThat(new WindowAgent(watched, 3).topUp().windows()).isEqualTo(3);
        assertThat(modes.stream()
                        .filter(mode -> mode.equals("commits by itself"))
                        .count())
                .as("at least a statement for each window, and those that announce")
                .isGreaterThanOrEqualTo(5);
    }

    @Test
    void threadsUseDifferentWindows() throws Exception {
        TestShards one = TestShards.patient("windows", List.of(server.url("postgres")));
        TestShards.layOut(pooled(one), 100_000, 10, ORDERS, 1, 1_000_000);
        JdbcBlockStore store = new JdbcBlockStore(pooled(one));
        BlockLedger ledger = new BlockLedger(1, 1_000_000);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(CompletableFuture.runAsync(() -> {
                for (int j = 0; j < 500; j++) {
                    ledger.add(store.reserve(ORDERS, 1));
                }
            }));
        }
        for (CompletableFuture<Void> each : all) {
            each.get(3, TimeUnit.MINUTES);
        }
        assertThat(Integer.parseInt(
                        server.text("SELECT COUNT(*) FROM windows WHERE next_hi_value > window_start_value")))
                .isBetween(2, 10);
        assertThat(ledger.count()).isEqualTo(2_000);
    }

    @Test
    void aCallThatGetsItsConnectionTooLateReservesNothing() throws Exception {
        TestShards one = create("late");
        TestShards.layOut(pooled(one), 100, 3, ORDERS, 1, 100_000);
        CountDownLatch free = new CountDownLatch(1);
        AtomicBoolean waits = new AtomicBoolean();
        AtomicInteger taken = new AtomicInteger();
        Set<Connection> closed = ConcurrentHashMap.newKeySet();
        DataSource late = Connections.around(
                Connections.before(one.connections(one.urls().get(0)), () -> {
                    taken.incrementAndGet();
                    if (waits.get()) {
                        Connections.await(free);
                    }
                }),
                (connection, method, call) -> {
                    Object result = call.proceed();
                    if (method.equals("close")) {
                        closed.add(connection);
                    }
                    return result;
                });
        JdbcBlockStore store = TestShards.store(JdbcShards.builder()
                .tableName(one.table())
                .shard(late)
                .statementTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofSeconds(2))
                .build());
        store.reserve(ORDERS, 1);
        waits.set(true);
        assertThatExceptionOfType(BlockStoreException.class).isThrownBy(() -> store.reserve(ORDERS, 1));
        waits.set(false);
        free.countDown();
        Await.until("the late calls have ended", () -> closed.size() == taken.get());
        assertThat(server.text("SELECT SUM(next_hi_value - window_start_value) FROM " + one.table()))
                .isEqualTo("1");
    }

    @Test
    void aStoreSaysAtCreationWhatIsMissing() throws Exception {
        TestShards one = create("rights");
        JdbcBlockStore store = new JdbcBlockStore(pooled(one));
        store.prepare(ORDERS, 1);
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> store.prepare("unknown", 1))
                .withMessageContaining("sequence unknown is not defined")
                .withMessageContaining("run JdbcSchema.defineSequence");
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> store.prepare(ORDERS, 2))
                .withMessageContaining("below 2, and is defined from 1");
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(
                        () -> new JdbcBlockStore(pooled(TestShards.patient("missing", one.urls()))).prepare(ORDERS, 1))
                .withMessageContaining("missing_shard")
                .withMessageContaining("run JdbcSchema.create")
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()).split("does not exist", -1))
                        .as("the cause, once")
                        .hasSize(2));
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> new JdbcBlockStore(as("rights", "nobody").plain()).prepare(ORDERS, 1))
                .withMessageContaining("check user and password");
        server.execute("CREATE USER reader PASSWORD 'reader'");
        server.execute("GRANT SELECT ON rights, rights_names, rights_shard, rights_database TO reader");
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> new JdbcBlockStore(as("rights", "reader").plain()).prepare(ORDERS, 1))
                .withMessageContaining("grant the user SELECT")
                .withMessageContaining("permission denied");
    }

    @Test
    void aMigrationThatRunsTheScriptIsNoLoss() throws Exception {
        server.execute(Dialect.resource("postgresql/R__snowcast_leases.sql"));
        try (JdbcSnowcast snowcast = Patient.snowcast(pool).build()) {
            assertThat(snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0)))
                    .isNotNull();
        }
    }

    /** The tables of the loaded dump have other OIDs, which a new process detects. */
    @Test
    void aDumpThatWasLoadedIntoTheSameServerIsNoticed() throws Exception {
        JdbcSnowcast.Builder dumped = Patient.snowcast(pool).tablePrefix("dumped");
        try (JdbcSnowcast snowcast = dumped.build()) {
            snowcast.createTables();
            snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
        }
        for (String table : List.of("dumped_database", "dumped_names", "dumped_nodes")) {
            server.execute("ALTER TABLE " + table + " RENAME TO dump");
            server.execute("CREATE TABLE " + table + " (LIKE dump INCLUDING ALL)");
            server.execute("INSERT INTO " + table + " SELECT * FROM dump");
            server.execute("DROP TABLE dump");
        }
        try (JdbcSnowcast snowcast = dumped.build()) {
            snowcast.createTables();
            assertThatThrownBy(() -> snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0)))
                    .isInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
        }
    }

    @Test
    void aStoreThatMayNotInsertSaysSoOnceAndGoesOn() throws Exception {
        TestShards one = create("topup");
        server.execute("CREATE USER reserver PASSWORD 'reserver'");
        server.execute("GRANT SELECT ON topup, topup_names, topup_shard, topup_database TO reserver");
        server.execute("GRANT UPDATE ON topup TO reserver");
        try (Warnings warnings = Warnings.of(BackgroundTopUp.class)) {
            BackgroundTopUp topUp = new BackgroundTopUp(as("topup", "reserver").plain(), true);
            for (int i = 0; i < 5; i++) {
                assertThat(topUp.await(ORDERS)).isFalse();
            }
            assertThat(warnings.all()).hasSize(1).allMatch(line -> line.contains("may not insert windows of integers"));
        }
        BackgroundTopUp topUp = new BackgroundTopUp(pooled(one), true);
        assertThat(topUp.await(ORDERS)).isTrue();
        assertThat(new JdbcBlockStore(as("topup", "reserver").plain())
                        .reserve(ORDERS, 10)
                        .first())
                .isEqualTo(1);
    }

    // --- node IDs when the process is paused, or when the commit is not confirmed

    /** The connection of the paused process stays open. Only the server can end its transaction. */
    @Test
    void aProcessThatIsPausedWithinATransactionDoesNotKeepOthersOut() throws Exception {
        DataSource plain = UrlDataSource.of(server.createDatabase("paused"), null, null);
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        AtomicBoolean pauses = new AtomicBoolean();
        DataSource pausing = Connections.around(plain, (connection, method, call) -> {
            if (method.equals("abort")) {
                return null;
            }
            if (method.equals("commit") && pauses.get()) {
                paused.countDown();
                resumed.await();
            }
            return call.proceed();
        });
        try (JdbcSnowcast one = JdbcSnowcast.builder(pausing)
                        .timeouts(Duration.ofSeconds(1), Duration.ofSeconds(2))
                        .build();
                JdbcSnowcast other = Patient.snowcast(plain).build()) {
            other.createTables();
            pauses.set(true);
            CompletableFuture<SnowcastSequencer> late =
                    CompletableFuture.supplyAsync(() -> one.createSequencer("orders", SnowcastEpoch.byTimestamp(0)));
            paused.await();
            assertThat(other.createSequencer("orders", SnowcastEpoch.byTimestamp(0))
                            .next())
                    .isNotZero();
            pauses.set(false);
            resumed.countDown();
            Await.until("the call of the paused process has ended", late::isDone);
        }
    }

    /** A standby that takes over may lack the unconfirmed grant. */
    @Test
    void whatNoSynchronousStandbyHasConfirmedIsNotGranted() throws Exception {
        DataSource plain = UrlDataSource.of(server.createDatabase("unconfirmed"), null, null);
        try (JdbcSnowcast snowcast = Patient.snowcast(plain).build()) {
            snowcast.createTables();
            server.waitForMissingStandby();
            try {
                CompletableFuture<SnowcastSequencer> attached = CompletableFuture.supplyAsync(
                        () -> snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0)));
                // Cancel the wait, as an operator or a time-out of the server may do.
                Await.until("the wait was cancelled", () -> {
                    server.execute("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
                    return attached.isDone();
                });
                assertThatThrownBy(attached::join)
                        .hasCauseInstanceOf(SnowcastUnavailableException.class)
                        .hasMessageContaining("the primary may be the only server that has this commit");
            } finally {
                server.waitForNoStandby();
            }
            assertThat(snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0))
                            .next())
                    .isNotZero();
        }
    }
}
