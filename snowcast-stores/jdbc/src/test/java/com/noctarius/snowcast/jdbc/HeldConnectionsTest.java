// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Tests that a store keeps a connection between reservations that follow each other immediately, and uses it on the
 * callers' threads.
 */
@Tag("integration")
class HeldConnectionsTest {
    private static final String ORDERS = "orders";
    private static final long LAST = 100_000_000;
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final ThreadLocal<Connection> BOUND = new ThreadLocal<>();

    @AutoClose
    private static PostgresServer server;

    private TestShards one = TestShards.patient("held", List.of());
    private final BlockLedger ledger = new BlockLedger(1, LAST);

    @BeforeAll
    static void start() throws Exception {
        server = PostgresServer.start();
    }

    @BeforeEach
    void create() {
        one = TestShards.patient("held" + TABLES.incrementAndGet(), List.of(server.url("postgres")));
        TestShards.layOut(one.plain(), 100_000, 10, ORDERS, 1, LAST);
    }

    private void reserve(JdbcBlockStore store, int times) {
        for (int i = 0; i < times; i++) {
            ledger.add(store.reserve(ORDERS, 1));
        }
    }

    @Test
    void connectionsAreHeldForAWhileAndGoBackAsTheyCame() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        try (HikariDataSource pool = TestShards.poolAtReadCommitted(one.urls().get(0), 2)) {
            JdbcBlockStore store =
                    new JdbcBlockStore(one.of(List.of(Connections.before(pool, taken::incrementAndGet))));
            reserve(store, 1_000);
            assertThat(taken.get()).as("connections for 1,000 reservations").isLessThan(500);
            Await.until("none is held", () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            for (int i = 0; i < 2; i++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.getAutoCommit()).isFalse();
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                }
            }
        }
    }

    @Test
    void aTransactionOfTheCallerDoesNotReachThem() {
        try (HikariDataSource pool = TestShards.poolAtReadCommitted(one.urls().get(0), 4)) {
            JdbcTemplate callers = new JdbcTemplate(pool);
            new JdbcTemplate(one.connections(one.urls().get(0)))
                    .execute("CREATE TABLE " + one.table() + "_mine (id INT)");
            TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(pool));
            for (DataSource dataSource :
                    List.of(pool, new TransactionAwareDataSourceProxy(pool), new LazyConnectionDataSourceProxy(pool))) {
                JdbcBlockStore store = new JdbcBlockStore(one.of(List.of(dataSource)));
                // Reserve first, so that the store holds connections when the caller's transaction begins.
                reserve(store, 200);
                transactions.executeWithoutResult(status -> {
                    callers.update("INSERT INTO " + one.table() + "_mine VALUES (1)");
                    reserve(store, 200);
                    status.setRollbackOnly();
                });
                reserve(store, 200);
            }
            assertThat(callers.queryForObject("SELECT COUNT(*) FROM " + one.table() + "_mine", Integer.class))
                    .as("what the caller has rolled back")
                    .isZero();
        }
    }

    /**
     * Simulates a data source whose connections pass calls on to the connection of the calling thread's transaction, if
     * there is one.
     */
    @Test
    void aConnectionThatIsAnotherOnTheThreadOfTheCallerIsNotUsed() throws Exception {
        DataSource plain = one.connections(one.urls().get(0));
        JdbcBlockStore store = new JdbcBlockStore(one.of(List.of(Connections.rerouted(plain, BOUND::get))));
        reserve(store, 50);
        try (Connection callers = plain.getConnection()) {
            callers.setAutoCommit(false);
            BOUND.set(callers);
            reserve(store, 50);
            callers.rollback();
        } finally {
            BOUND.remove();
        }
        reserve(store, 50);
    }

    @Test
    void anInterruptDoesNotEndACall() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one.of(url -> TestShards.poolAtReadCommitted(url, 4)));
        Thread caller = Thread.currentThread();
        for (int round = 0; round < 5; round++) {
            reserve(store, 100);
            CompletableFuture<Void> interrupted = CompletableFuture.runAsync(caller::interrupt);
            reserve(store, 100);
            Await.until("the interrupt", interrupted::isDone);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void threadsUseDifferentWindows() throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one.of(url -> TestShards.poolAtReadCommitted(url, 4)));
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(CompletableFuture.runAsync(() -> reserve(store, 500)));
        }
        for (CompletableFuture<Void> each : all) {
            each.get(3, TimeUnit.MINUTES);
        }
        assertThat(Integer.parseInt(server.text(
                        "SELECT COUNT(*) FROM " + one.table() + " WHERE next_hi_value > window_start_value")))
                .isBetween(2, 10);
        assertThat(ledger.count()).isEqualTo(2_000);
    }

    @Test
    void aCallThatGetsItsConnectionTooLateReservesNothing() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        AtomicBoolean waits = new AtomicBoolean();
        AtomicInteger closed = new AtomicInteger();
        DataSource late = Connections.around(
                Connections.before(one.connections(one.urls().get(0)), () -> {
                    if (waits.get()) {
                        Connections.await(free);
                    }
                }),
                (connection, method, call) -> {
                    Object result = call.proceed();
                    closed.addAndGet(method.equals("close") ? 1 : 0);
                    return result;
                });
        JdbcBlockStore store = TestShards.store(JdbcShards.builder()
                .tableName(one.table())
                .shard(late)
                .statementTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofSeconds(2))
                .build());
        ledger.add(store.reserve(ORDERS, 1));
        waits.set(true);
        int before = closed.get();
        assertThatExceptionOfType(BlockStoreException.class).isThrownBy(() -> store.reserve(ORDERS, 1));
        waits.set(false);
        free.countDown();
        Await.until("the late calls have ended", () -> closed.get() > before);
        assertThat(server.text("SELECT SUM(next_hi_value - window_start_value) FROM " + one.table()))
                .isEqualTo("1");
    }
}
