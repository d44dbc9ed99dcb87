// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests a dialect on a database: the tables, the statements that reserve blocks and insert windows, the errors of
 * statements that wait for locks, and the settings of connections.
 */
@Tag("integration")
interface DialectContract {
    String ORDERS = "orders";

    /** The URLs of three databases. */
    List<String> urls();

    /** The name of the table, which only this test uses. */
    String table();

    /** Returns a statement that limits the wait of a connection for a lock to one second or less. */
    String shortLockTimeout();

    /** Returns the shards. Implementations may let the tests of the class share connections. */
    default JdbcShards shared(TestShards list) {
        return list.plain();
    }

    private TestShards shards() {
        return TestShards.patient(table(), urls());
    }

    /** Creates one shard with the windows 1 to 100 and 101 to 200. */
    private TestShards oneShard() {
        return oneShard(urls().get(0));
    }

    default TestShards oneShard(String url) {
        TestShards one = TestShards.patient(table(), List.of(url));
        create(one, 1_000);
        new WindowAgent(shared(one), 2).topUp();
        return one;
    }

    private void create(TestShards list, long last) {
        JdbcSchema schema = new JdbcSchema(shared(list));
        schema.create(100);
        schema.defineSequence(ORDERS, 1, last);
    }

    // --- tables, agents and stores

    @Test
    default void tablesAreCreatedByManyAtATime() throws Exception {
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
        new JdbcSchema(shared(shards())).create(100);
    }

    private void createTables(CountDownLatch start, CompletableFuture<Void> end) {
        try {
            JdbcSchema schema = new JdbcSchema(shared(shards()));
            start.countDown();
            start.await();
            schema.create(100);
            end.complete(null);
        } catch (Exception e) {
            end.completeExceptionally(e);
        }
    }

    @Test
    default void everyIntegerComesOnce() throws Exception {
        TestShards list = shards();
        create(list, 3_000);
        BlockLedger ledger = new BlockLedger(1, 3_000);
        JdbcBlockStore alone = new JdbcBlockStore(shared(list));
        Block first = alone.reserve(ORDERS, 10);
        alone.giveBack(ORDERS, first.part(4, 10));
        ledger.add(first.part(0, 4));
        Block again = alone.reserve(ORDERS, 10);
        assertThat(again.first()).as("what was given back").isEqualTo(first.first() + 4);
        ledger.add(again);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(CompletableFuture.runAsync(() -> reserveAll(new JdbcBlockStore(shared(list)), ledger)));
        }
        for (CompletableFuture<Void> each : all) {
            each.get(3, TimeUnit.MINUTES);
        }
        ledger.requireAll();
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> new JdbcBlockStore(shared(list)).prepare("unknown", 1))
                .withMessageContaining("unknown");
    }

    @Test
    default void theListOfShardsIsChangedWhileStoresReserve() throws Exception {
        TestShards former = TestShards.patient(table(), urls().subList(0, 2));
        create(former, 100_000);
        JdbcShards two = shared(former);
        JdbcShards three = shared(shards());
        new WindowAgent(two, 3).topUp();
        BlockLedger ledger = new BlockLedger(1, 100_000);
        JdbcBlockStore before = TestShards.store(two);
        CompletableFuture<Void> reserving = CompletableFuture.runAsync(() -> reserve(before, 50, ledger));
        new JdbcSchema(three).changeShards(100);
        new WindowAgent(three, 3).topUp();
        reserve(TestShards.store(three, 2), 50, ledger);
        reserving.get(3, TimeUnit.MINUTES);
        assertThat(ledger.count()).isEqualTo(1_000);
        assertRefused(() -> new WindowAgent(two, 3).topUp(), "since generation 2");
    }

    private static void reserve(JdbcBlockStore store, int blocks, BlockLedger ledger) {
        for (int i = 0; i < blocks; i++) {
            ledger.add(store.reserve(ORDERS, 10));
        }
    }

    /** The driver does not know of the transaction, so it would not commit the statements of a call either. */
    @Test
    default void whatSomebodyBeganOnAConnectionInAutoCommitIsNotContinued() throws Exception {
        TestShards one = oneShard();
        BlockLedger ledger = new BlockLedger(1, 1_000);
        try (Connection only = one.connections(urls().get(0)).getConnection();
                Statement statement = only.createStatement()) {
            only.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            JdbcShards shards = one.of(List.of(Connections.sharing(only)));
            JdbcBlockStore store = TestShards.store(shards);
            ledger.add(store.reserve(ORDERS, 10));
            statement.execute("BEGIN");
            try {
                ledger.add(store.reserve(ORDERS, 10));
            } catch (BlockStoreException e) {
                // The database has refused to begin a transaction within the open one.
            }
            statement.execute("ROLLBACK");
            ledger.add(store.reserve(ORDERS, 10));
            statement.execute("BEGIN");
            shards.define(shards.all().get(0), "", "seats", 1, 100);
            statement.execute("ROLLBACK");
            ledger.add(store.reserve(ORDERS, 10));
        }
        assertThat(new JdbcMonitor(shared(one)).read().toString()).contains("seats");
    }

    @Test
    default void whatSomebodyBeganInAutoCommitIsNotCommitted() throws Exception {
        TestShards one = oneShard();
        String url = urls().get(0);
        Sql.execute(url, "CREATE TABLE " + table() + "_foreign (n INT)");
        try (Connection only = one.connections(url).getConnection();
                Statement statement = only.createStatement()) {
            JdbcSchema schema = new JdbcSchema(one.of(List.of(Connections.sharing(only))));
            statement.execute("BEGIN");
            statement.executeUpdate("INSERT INTO " + table() + "_foreign VALUES (1)");
            try {
                schema.create(100);
            } catch (BlockStoreException e) {
                // The database has refused to begin a transaction within the open one.
            }
        }
        assertThat(Sql.number(url, "SELECT COUNT(*) FROM " + table() + "_foreign"))
                .isZero();
    }

    private static void reserveAll(JdbcBlockStore store, BlockLedger ledger) {
        while (true) {
            try {
                ledger.add(store.reserve(ORDERS, 30));
            } catch (BlockStoreExhaustedException e) {
                return;
            }
        }
    }

    @Test
    default void whatIsLeftCanBeRead() {
        TestShards one = oneShard();
        JdbcStatus none = new JdbcMonitor(shared(one)).read();
        assertThat(none.needsAttention(Duration.ZERO)).as("%s", none).isFalse();
        assertThat(none.sequences().get(0).windows().get(0).reservedUpTo()).isEmpty();
        long last = TestShards.store(shared(one)).reserve(ORDERS, 10).last();
        JdbcStatus.SequenceStatus some =
                new JdbcMonitor(shared(one)).read().sequences().get(0);
        assertThat(some.remaining()).isEqualTo(190);
        assertThat(some.windows().get(0).openWindows()).isEqualTo(2);
        assertThat(some.windows().get(0).reservedUpTo()).hasValue(last);
    }

    /** Each driver has its own exceptions. */
    @Test
    default void tablesThatAreMissingAreNamed() {
        JdbcBlockStore missing = new JdbcBlockStore(shared(shards()));
        assertRefused(() -> missing.reserve(ORDERS, 1), "has no table " + table() + "_shard");
    }

    // --- locks

    @Test
    default void aClientThatStandsStillWithAWindowLockedHoldsUpNobody() throws Exception {
        TestShards one = oneShard();
        JdbcBlockStore store = TestShards.store(shared(one));
        try (Connection frozen = one.connections(one.urls().get(0)).getConnection();
                Statement statement = frozen.createStatement()) {
            frozen.setAutoCommit(false);
            statement.executeUpdate("UPDATE " + table()
                    + " SET next_hi_value = 2 WHERE sequence_name = 'orders' AND window_start_value = 1");
            assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(101, 110));
            assertThat(store.reserve(ORDERS, 10)).isEqualTo(Block.of(111, 120));
            frozen.rollback();
        }
    }

    /**
     * With a short lock time-out, a statement that waits for a lock fails. The store must not treat this error as a
     * failure of the shard.
     */
    @Test
    default void aShortLockTimeoutDoesNotMatterWhileAClientStandsStill() throws Exception {
        TestShards one = oneShard();
        try (Connection frozen = one.connections(one.urls().get(0)).getConnection();
                Statement statement = frozen.createStatement()) {
            frozen.setAutoCommit(false);
            JdbcBlockStore store = new JdbcBlockStore(one.of(url -> withShortLockTimeout(one.connections(url))));
            Block first = store.reserve(ORDERS, 1);
            statement.executeUpdate("UPDATE " + table() + " SET next_hi_value = next_hi_value"
                    + " WHERE sequence_name = 'orders' AND window_start_value = " + first.first());
            for (int i = 0; i < 10; i++) {
                assertThat(store.reserve(ORDERS, 1).first()).isGreaterThan(100);
            }
            frozen.rollback();
        }
    }

    private DataSource withShortLockTimeout(DataSource dataSource) {
        return Connections.choosing(() -> {
            Connection connection = dataSource.getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute(shortLockTimeout());
            }
            return connection;
        });
    }

    @Test
    default void windowsThatOthersHaveLockedAreWaitedFor() throws Exception {
        TestShards one = oneShard();
        // Insert all windows now, so that none is added during the test.
        new WindowAgent(shared(one), 1_000).topUp();
        DataSource connections = one.connections(one.urls().get(0));
        AtomicInteger calls = new AtomicInteger();
        try (Connection slow = connections.getConnection();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.executeUpdate("UPDATE " + table() + " SET next_hi_value = next_hi_value");
            JdbcBlockStore store =
                    TestShards.store(one.of(List.of(Connections.before(connections, calls::incrementAndGet))));
            CompletableFuture<Block> waiting = CompletableFuture.supplyAsync(() -> store.reserve(ORDERS, 1));
            // After more than 10 connections, the store has tried again: the check of the shard and one attempt need
            // fewer.
            Await.until("it looks again", () -> calls.get() > 10 || waiting.isDone());
            assertThat(waiting).isNotDone();
            slow.rollback();
            // The rollback may release any of the windows first.
            long first = waiting.get(3, TimeUnit.MINUTES).first();
            assertThat((first - 1) % 100)
                    .as("the first integer of a window: %d", first)
                    .isZero();
        }
    }

    // --- connections

    @ParameterizedTest
    @CsvSource({"true, true, 8", "true, false, 1", "false, true, 4", "false, false, 8"})
    default void connectionsServeHoweverTheyAreSetAndGoBackAsTheyCame(
            boolean autoCommit, boolean readOnly, int isolation) throws Exception {
        TestShards one = oneShard();
        try (Connection only = one.connections(one.urls().get(0)).getConnection()) {
            only.setReadOnly(readOnly);
            only.setTransactionIsolation(isolation);
            only.setAutoCommit(autoCommit);
            ConnectionSettings before = settings(only);
            JdbcBlockStore store = TestShards.store(one.of(List.of(Connections.sharing(only))));
            Block block = store.reserve(ORDERS, 10);
            assertThat(store.reserve(ORDERS, 10).first()).isEqualTo(block.last() + 1);
            assertThat(settings(only)).isEqualTo(before);
        }
    }

    private static ConnectionSettings settings(Connection connection) throws SQLException {
        return new ConnectionSettings(
                connection.getAutoCommit(), connection.getTransactionIsolation(), connection.isReadOnly());
    }
}
