// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract on three shards of one kind of database, with two agents that are always at work. */
@Tag("integration")
abstract class JdbcContract extends BlockStoreContract {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final int WINDOW_SIZE = 1_500;
    private static final String ORDERS = "orders";

    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final String table = "ids" + TABLES.incrementAndGet();
    private boolean prepared;

    /** The URLs of three databases. */
    abstract List<String> urls();

    private TestShards shards() {
        return TestShards.of(table, urls());
    }

    @Override
    protected BlockStore open(long first, long last, String... sequences) {
        prepare(first, last, sequences);
        return new JdbcBlockStore(shards().of(this::pool));
    }

    private DataSource pool(String url) {
        HikariDataSource pool = TestShards.pool(url, 4);
        pools.add(pool);
        return pool;
    }

    /** Tables of its own for each test, so that agents have little to do. */
    private void prepare(long first, long last, String... sequences) {
        if (prepared) {
            return;
        }
        JdbcSchema schema = new JdbcSchema(shards().plain());
        schema.create(WINDOW_SIZE);
        for (String sequence : sequences) {
            schema.defineSequence(sequence, first, last);
        }
        new WindowAgent(shards().plain(), 3).topUp();
        for (int openWindows = 2; openWindows <= 3; openWindows++) {
            // They run many times a second: connections that are opened each time would take most of the processor.
            List<HikariDataSource> own =
                    urls().stream().map(url -> TestShards.pool(url, 2)).toList();
            resources.addAll(own);
            resources.add(AgentThread.start(new WindowAgent(shards().of(List.copyOf(own)), openWindows)));
        }
        prepared = true;
    }

    @AfterEach
    void closeAll() throws Exception {
        Collections.reverse(resources);
        for (AutoCloseable resource : resources) {
            resource.close();
        }
        pools.forEach(HikariDataSource::close);
    }

    @Override
    protected Optional<BlockStore> openLosingAnswers(
            BooleanSupplier losesAnswer, long first, long last, String... sequences) {
        prepare(first, last, sequences);
        List<DataSource> losing = new ArrayList<>();
        for (String url : urls()) {
            losing.add(Connections.around(pool(url), (connection, method, call) -> {
                Object result = call.proceed();
                if (method.equals("commit") && losesAnswer.getAsBoolean()) {
                    throw new SQLException("the connection broke after the commit", "08007");
                }
                return result;
            }));
        }
        return Optional.of(new JdbcBlockStore(shards().of(losing)));
    }

    @Override
    protected Optional<OtherProcess> otherProcess() {
        List<String> arguments = new ArrayList<>(List.of(table));
        arguments.addAll(urls());
        return Optional.of(new OtherProcess(JdbcOpener.class, arguments));
    }

    // --- beyond the contract, on each kind of database

    /** One shard with the windows 1 to 100 and 101 to 200. */
    private TestShards oneShard() {
        return oneShard(urls().get(0));
    }

    final TestShards oneShard(String url) {
        TestShards one = TestShards.of(table, List.of(url));
        new JdbcSchema(one.plain()).create(100);
        new JdbcSchema(one.plain()).defineSequence(ORDERS, 1, 1_000);
        new WindowAgent(one.plain(), 2).topUp();
        return one;
    }

    @Test
    void tablesAreCreatedByManyAtATime() throws Exception {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(8);
        for (int i = 0; i < 8; i++) {
            CompletableFuture<Void> each = new CompletableFuture<>();
            all.add(each);
            new Thread(() -> createTables(start, each)).start();
        }
        for (CompletableFuture<Void> each : all) {
            each.get(3, TimeUnit.MINUTES);
        }
        new JdbcSchema(shards().plain()).create(WINDOW_SIZE);
    }

    private void createTables(CountDownLatch start, CompletableFuture<Void> end) {
        try {
            JdbcSchema schema = new JdbcSchema(shards().plain());
            start.countDown();
            start.await();
            schema.create(WINDOW_SIZE);
            end.complete(null);
        } catch (Exception e) {
            end.completeExceptionally(e);
        }
    }

    @Test
    void aClientThatStandsStillWithAWindowLockedHoldsUpNobody() throws Exception {
        requireNobodyHeldUp(oneShard());
    }

    final void requireNobodyHeldUp(TestShards one) throws Exception {
        JdbcBlockStore store = new JdbcBlockStore(one.plain());
        try (Connection frozen = one.connections(one.urls().get(0)).getConnection();
                Statement statement = frozen.createStatement()) {
            frozen.setAutoCommit(false);
            statement.executeUpdate("UPDATE " + table
                    + " SET next_hi_value = 2 WHERE sequence_name = 'orders' AND window_start_value = 1");
            assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(101, 110));
            assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(111, 120));
            frozen.rollback();
        }
    }

    /** As pools give them out that are set to read only, to another isolation, or to one transaction for each statement. */
    @ParameterizedTest
    @CsvSource({"true, true, 8", "true, false, 1", "false, true, 4", "false, false, 8"})
    void connectionsServeHoweverTheyAreSetAndGoBackAsTheyCame(boolean autoCommit, boolean readOnly, int isolation)
            throws Exception {
        TestShards one = oneShard();
        try (Connection only = one.connections(one.urls().get(0)).getConnection()) {
            only.setReadOnly(readOnly);
            only.setTransactionIsolation(isolation);
            only.setAutoCommit(autoCommit);
            ConnectionSettings before = ConnectionSettings.of(only);
            JdbcBlockStore store = new JdbcBlockStore(one.of(List.of(Connections.sharing(only))));
            Block block = store.reserve(ORDERS, 10);
            assertThat(store.reserve(ORDERS, 10).first()).isEqualTo(block.last() + 1);
            assertThat(ConnectionSettings.of(only)).isEqualTo(before);
        }
    }

    // --- for the contract

    /** In the pools of the store itself, one in each shard. */
    @Override
    protected boolean runAndRollBack(Body body) throws Exception {
        List<Connection> connections = new ArrayList<>();
        try {
            for (HikariDataSource pool : pools) {
                Connection connection = pool.getConnection();
                connections.add(connection);
                try (Statement statement = connection.createStatement()) {
                    // Sees a state of the database from before the reservations, and has changed something.
                    statement.executeUpdate("INSERT INTO " + table
                            + "_names (sequence_name, lowest_value, highest_value) VALUES ('rolled back', 1, 1)");
                }
            }
            body.run();
            for (Connection connection : connections) {
                connection.rollback();
            }
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        return true;
    }
}
