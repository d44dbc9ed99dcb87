// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static com.noctarius.snowcast.jdbc.TestShards.assertRefused;
import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.noctarius.snowcast.jdbc.MemoryShards.Window;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.engine.Mode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** Tests what {@link JdbcBlockStore} does beyond the contract of block stores. */
class JdbcBlockStoreTest {
    private static final String ORDERS = "orders";
    private static final long FIRST = 5_001;
    private static final long LAST = 6_000;

    /**
     * The connection of a caller's transaction. Some transaction managers store it like this, so that new threads
     * inherit it.
     */
    private static final InheritableThreadLocal<Connection> BOUND = new InheritableThreadLocal<>();

    private final MemoryShards memory = MemoryShards.of(4);

    private JdbcShards create(int openWindows, Integer... indices) {
        JdbcShards shards = memory.list(indices).plain();
        TestShards.layOut(shards, 100, openWindows, ORDERS, FIRST, LAST);
        return shards;
    }

    // --- configuration

    @ParameterizedTest
    @EnumSource
    void everyModeOfH2Serves(Mode.ModeEnum mode) throws SQLException {
        JdbcShards shards = TestShards.of("id_sequences", List.of(memory.url(0) + ";MODE=" + mode.name()))
                .plain();
        TestShards.layOut(shards, 100, 2, ORDERS, FIRST, LAST);
        JdbcBlockStore store = new JdbcBlockStore(shards);
        Set<Long> integers = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            Block block = store.reserve(ORDERS, 7);
            for (long integer = block.first(); integer <= block.last(); integer++) {
                assertThat(integers.add(integer)).isTrue();
            }
        }
        store.giveBack(ORDERS, store.reserve(ORDERS, 7));
        assertThat(new JdbcMonitor(shards).read().toString()).contains(ORDERS);
    }

    /**
     * With a keyword as the table name, statements do not parse. The message of {@code create} must propose another
     * table name.
     */
    @Test
    void aTableNamedAsAWordOfSqlIsNamedAsTheReason() {
        JdbcShards shards = TestShards.of("order", List.of(memory.url(0))).plain();
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> new JdbcSchema(shards).create(100))
                .withMessageContaining("choose another table name if it is a word of SQL");
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> new JdbcBlockStore(shards).reserve(ORDERS, 10))
                .withMessageContaining("run JdbcSchema.create: ");
    }

    /**
     * Only the test moves the store's clock. If a call counted a rejected shard as failed more than once, the store
     * would not probe shard 0 after 800 ms.
     */
    @Test
    void aRejectedShardCountsAsFailedOnceForEachCall() throws Exception {
        create(1, 0, 1);
        AtomicInteger connections = new AtomicInteger();
        JdbcShards shards = memory.list(0, 1)
                .of(url -> url.equals(memory.url(0))
                        ? Connections.before(UrlDataSource.of(url, null, null), connections::incrementAndGet)
                        : UrlDataSource.of(url, null, null));
        AtomicLong nanos = new AtomicLong();
        JdbcBlockStore store = new JdbcBlockStore(shards, 1, false, null, nanos::get);
        store.reserve(ORDERS, 1);
        for (int i = 0; i < 2; i++) {
            memory.execute(i, "UPDATE id_sequences_database SET server_id = 'another'");
        }
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(ShardMismatchException.class).isThrownBy(() -> store.reserve(ORDERS, 1));
        }
        memory.execute(1, "UPDATE id_sequences_database SET server_id = 'H2'");
        store.reserve(ORDERS, 1); // May try shard 0 a fourth time.
        int before = connections.get();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(800)); // The limit after four failures.
        store.reserve(ORDERS, 1);
        Await.until("a probe of shard 0", () -> connections.get() > before);
    }

    @Test
    void swappedShardsAreRefusedAtTheFirstUse() {
        create(1, 0, 1, 2);
        // The store reserves from the first shard, which is the right one, but must still detect that the others are
        // swapped.
        JdbcBlockStore store = TestShards.store(memory.list(0, 2, 1).plain(), 0);
        for (int i = 0; i < 2; i++) {
            assertRefused(() -> store.reserve(ORDERS, 10), "the database of shard 1 of 3 is shard 2 of 3");
        }
    }

    @Test
    void anotherNumberOfShardsIsRefused() {
        create(1, 0, 1);
        for (TestShards list : List.of(memory.list(0), memory.list(0, 0))) {
            assertRefused(() -> TestShards.store(list.plain()).reserve(ORDERS, 10), "of 2");
        }
    }

    /** The second shards of the two installations have the same position and the same windows. */
    @Test
    void aShardOfAnotherInstallationIsRefused() {
        create(1, 0, 1);
        MemoryShards others = MemoryShards.of(2);
        TestShards.layOut(others.list(0, 1).plain(), 100, 1, ORDERS, FIRST, LAST);
        JdbcShards mixed = TestShards.of("id_sequences", List.of(memory.url(0), others.url(1)))
                .plain();
        for (int first = 0; first < 2; first++) {
            JdbcBlockStore store = TestShards.store(mixed, first);
            assertRefused(() -> store.reserve(ORDERS, 10), "of 2 belongs to the installation");
        }
        assertRefused(() -> new WindowAgent(mixed, 1).topUp(), "installation");
        JdbcSchema schema = new JdbcSchema(mixed);
        assertRefused(() -> schema.create(100), "installation");
        assertRefused(() -> schema.changeShards(200), "installation");
    }

    @Test
    void aShardOfAnotherInstallationIsRefusedWhenItIsReachedLater() {
        create(1, 0, 1);
        MemoryShards others = MemoryShards.of(2);
        new JdbcSchema(others.list(0, 1).plain()).create(100);
        AtomicBoolean fails = new AtomicBoolean(true);
        TestShards list = memory.list(0);
        DataSource late = Connections.away(list.connections(others.url(1)), fails);
        JdbcBlockStore store = TestShards.store(list.of(List.of(list.connections(memory.url(0)), late)), 0);
        assertThat(store.reserve(ORDERS, 100)).isEqualTo(Block.of(5_001, 5_100));
        fails.set(false);
        assertRefused(() -> store.reserve(ORDERS, 1), "installation");
    }

    @Test
    void aDatabaseThatComesBackAsAnotherIsRefused() throws Exception {
        create(1, 0);
        TestShards list = memory.list(0);
        AtomicBoolean fails = new AtomicBoolean();
        DataSource failing = Connections.away(list.connections(memory.url(0)), fails);
        JdbcBlockStore store = TestShards.store(list.of(List.of(failing)));
        assertThat(store.reserve(ORDERS, 1).count()).isEqualTo(1);
        fails.set(true);
        assertThatExceptionOfType(BlockStoreException.class).isThrownBy(() -> store.reserve(ORDERS, 1));
        memory.execute(0, "UPDATE id_sequences_shard SET installation = 'another one'");
        fails.set(false);
        assertRefused(() -> store.reserve(ORDERS, 1), "the installation another one");
    }

    @Test
    void nothingIsGivenBackToADatabaseThatIsNotTheShard() throws Exception {
        create(1, 0, 1);
        Block block = TestShards.store(memory.list(0, 1).plain(), 1).reserve(ORDERS, 100);
        JdbcBlockStore swapped = TestShards.store(memory.list(1, 0).plain());
        assertRefused(() -> swapped.giveBack(ORDERS, block.part(50, 100)));
        assertThat(memory.windows(1, ORDERS)).containsExactly(new Window(5_101, 5_201, 5_201));
    }

    @Test
    void databasesWithoutTablesAreRefused() throws Exception {
        create(1, 0, 1);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> TestShards.store(memory.list(0, 3).plain(), 0).reserve(ORDERS, 10))
                .withMessageContaining("shard 1 of 2 has no table id_sequences_shard");
        memory.execute(1, "DELETE FROM id_sequences_shard");
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> TestShards.store(memory.list(0, 1).plain(), 0).reserve(ORDERS, 10))
                .withMessageContaining("shard 1 of 2 has no record of which shard it is");
    }

    @Test
    void theListBeforeTheLastChangeServesAndTheOneBeforeThatIsRefused() {
        create(1, 0, 1);
        JdbcShards three = memory.list(0, 1, 2).plain();
        new JdbcSchema(three).changeShards(100);
        assertThat(TestShards.store(memory.list(0, 1).plain())
                        .reserve(ORDERS, 10)
                        .count())
                .isEqualTo(10);
        new WindowAgent(three, 1).topUp();
        new JdbcSchema(memory.list(0, 1, 2, 3).plain()).changeShards(100);
        assertThat(TestShards.store(three).reserve(ORDERS, 10).count()).isEqualTo(10);
        assertThatExceptionOfType(ShardMismatchException.class)
                .isThrownBy(() -> TestShards.store(memory.list(0, 1).plain()).reserve(ORDERS, 10))
                .withMessageContaining("of 4 with windows of 100 since generation 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";WRITE_DELAY=500"})
    void h2FilesThatForgetAreRefused(String option, @TempDir Path directory) {
        String url = "jdbc:h2:file:" + directory.resolve("ids") + option;
        JdbcShards shards = TestShards.of("id_sequences", List.of(url)).plain();
        assertRefused(() -> new JdbcSchema(shards).create(100), "shard 0 of 1 has a WRITE_DELAY", ";WRITE_DELAY=0");
    }

    @Test
    void badArgumentsAreRefused() {
        JdbcShards.Builder builder = JdbcShards.builder();
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("at least one");
        for (String name : List.of("", "a b", "a;b", "1a", "a.b.c", "x".repeat(41))) {
            assertFails(IllegalArgumentException.class, () -> builder.tableName(name), name);
        }
        assertFails(IllegalArgumentException.class, () -> builder.statementTimeout(Duration.ofMillis(1_500)), "PT1.5S");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.callTimeout(Duration.ZERO));
        DataSource dataSource = UrlDataSource.of(memory.url(0), null, null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcShards.builder()
                        .shard(dataSource)
                        .statementTimeout(Duration.ofSeconds(5))
                        .build())
                .withMessageContaining("PT5S");
        JdbcShards one = JdbcShards.of(dataSource);
        assertFails(IllegalArgumentException.class, () -> TestShards.store(one, 1), "1");
        assertFails(IllegalArgumentException.class, () -> new JdbcSchema(one).create(0), "0");
        JdbcSchema schema = new JdbcSchema(one);
        assertThatIllegalArgumentException().isThrownBy(() -> schema.defineSequence("", 1, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> schema.defineSequence("a", -1, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> schema.defineSequence("a", 3, 2));
        assertFails(IllegalArgumentException.class, () -> schema.defineSequence("a", Long.MAX_VALUE, Long.MAX_VALUE));
    }

    @Test
    void aSequenceIsDefinedOnce() {
        JdbcShards shards = create(1, 0, 1);
        JdbcSchema schema = new JdbcSchema(shards);
        schema.defineSequence(ORDERS, FIRST, LAST);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema.defineSequence(ORDERS, FIRST, LAST + 1))
                .withMessageContaining("orders from 5001 to 6000");
    }

    // --- reservations

    @Test
    void messagesSayWhatIsMissing() throws Exception {
        JdbcShards shards = create(1, 0, 1);
        JdbcBlockStore store = TestShards.store(shards, 1);
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> store.reserve("unknown", 7))
                .withMessageContaining("sequence unknown is not defined in JdbcShards{count=2")
                .withMessageContaining("run JdbcSchema.defineSequence");
        store.reserve(ORDERS, 100);
        store.reserve(ORDERS, 100);
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> store.reserve(ORDERS, 7))
                .isNotInstanceOf(BlockStoreExhaustedException.class)
                .withMessageContaining("shard 1 of 2: no window is open; the window agent is late");
        new WindowAgent(shards, 1_000).topUp();
        for (int i = 0; i < 8; i++) {
            store.reserve(ORDERS, 100);
        }
        assertThatExceptionOfType(BlockStoreExhaustedException.class)
                .isThrownBy(() -> store.reserve(ORDERS, 7))
                .withMessageContaining("sequence orders, size 7: the last integer is 6000 in JdbcBlockStore{shards=2");
    }

    /** The sequence has ten windows on three shards, so only shard 0 has a window in the fourth and last round. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSequenceIsNotExhaustedBeforeItsLastWindowsAreThere(int index) throws Exception {
        JdbcShards shards = create(1_000, 0, 1, 2);
        long lastOfShard = index == 0 ? 5_901 : 5_601 + 100L * index;
        memory.execute(index, "DELETE FROM id_sequences WHERE window_start_value = " + lastOfShard);
        JdbcBlockStore store = TestShards.store(shards, 0);
        for (int i = 0; i < 9; i++) {
            store.reserve(ORDERS, 100);
        }
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> store.reserve(ORDERS, 1))
                .isNotInstanceOf(BlockStoreExhaustedException.class);
    }

    @Test
    void whatIsGivenBackIsFoundBehindWindowsThatAreUsedUp() {
        JdbcShards shards = create(2, 0);
        JdbcBlockStore store = TestShards.store(shards);
        Block first = store.reserve(ORDERS, 100);
        store.reserve(ORDERS, 100);
        TestShards.store(shards).giveBack(ORDERS, first.part(90, 100));
        assertThat(store.reserve(ORDERS, 100)).isEqualTo(first.part(90, 100));
    }

    @Test
    void processesSpreadOverTheShardsAndStayWithOne() throws Exception {
        JdbcShards shards = create(4, 0, 1);
        Set<Long> starts = new HashSet<>();
        for (int i = 0; i < 60 && starts.size() < 2; i++) {
            starts.add(TestShards.store(shards).reserve(ORDERS, 1).first() / 100);
        }
        assertThat(starts).as("windows of both shards").hasSize(2);
        JdbcBlockStore store = TestShards.store(shards, 1);
        long first = store.reserve(ORDERS, 1).first();
        assertThat(store.reserve(ORDERS, 1).first()).isEqualTo(first + 1);
    }

    @Test
    void whatIsGivenBackIsReservedNext() throws Exception {
        JdbcShards shards = create(1, 0, 1);
        JdbcBlockStore store = TestShards.store(shards, 1);
        JdbcBlockStore other = TestShards.store(shards, 0);
        Block block = store.reserve(ORDERS, 100);
        other.giveBack(ORDERS, block.part(40, 100));
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(block.part(40, 50));
        store.giveBack(ORDERS, block.part(20, 40));
        assertThat(store.reserve(ORDERS, 10)).as("it was not the last").isEqualTo(block.part(50, 60));
        store.giveBack(ORDERS, new Block(block.first() + 59, 1, 2));
        assertThat(store.reserve(ORDERS, 10)).isEqualTo(block.part(60, 70));
    }

    // --- connections

    @Test
    void connectionsGoBackAsTheyCame() throws Exception {
        create(1, 0);
        TestShards list = memory.list(0);
        List<Integer> isolations = new ArrayList<>();
        try (Connection only = list.connections(memory.url(0)).getConnection()) {
            only.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            DataSource same = oneConnection(only, isolations);
            JdbcBlockStore store = TestShards.store(list.of(List.of(same)));
            store.reserve(ORDERS, 1);
            assertThat(only.getAutoCommit()).isTrue();
            assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            only.setAutoCommit(false);
            store.reserve(ORDERS, 1);
            memory.execute(0, "DROP TABLE id_sequences");
            assertThatExceptionOfType(BlockStoreException.class).isThrownBy(() -> store.reserve(ORDERS, 1));
            assertThat(only.getAutoCommit()).isFalse();
            assertThat(only.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
        assertThat(isolations).isNotEmpty().containsOnly(Connection.TRANSACTION_READ_COMMITTED);
    }

    /** Returns a pool of one connection, and adds the isolation of each statement to {@code isolations}. */
    private static DataSource oneConnection(Connection only, List<Integer> isolations) {
        return Connections.around(Connections.sharing(only), (connection, method, call) -> {
            if (method.equals("prepareStatement")) {
                isolations.add(connection.getTransactionIsolation());
            }
            return call.proceed();
        });
    }

    @Test
    void aTransactionThatThreadsInheritDoesNotReachTheStore() throws Exception {
        create(5, 0);
        TestShards list = memory.list(0);
        DataSource plain = list.connections(memory.url(0));
        DataSource inherited = Connections.choosing(() -> BOUND.get() == null ? plain.getConnection() : BOUND.get());
        JdbcBlockStore store = TestShards.store(list.of(List.of(inherited)));
        try (Connection callers = plain.getConnection();
                Statement statement = callers.createStatement()) {
            callers.setAutoCommit(false);
            statement.executeUpdate("CREATE TABLE mine (id INT)");
            statement.executeUpdate("INSERT INTO mine VALUES (1)");
            BOUND.set(Connections.unclosed(callers));
            // Make more calls than the store has idle threads: threads that were started before do not inherit the
            // transaction.
            List<CompletableFuture<Block>> reserved = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Block> each = new CompletableFuture<>();
                reserved.add(each);
                new Thread(() -> reserveInto(store, each)).start();
            }
            for (CompletableFuture<Block> each : reserved) {
                assertThat(each.get(3, TimeUnit.MINUTES).count()).isPositive();
            }
            callers.rollback();
            try (var rows = statement.executeQuery("SELECT COUNT(*) FROM mine")) {
                rows.next();
                assertThat(rows.getInt(1)).as("what the caller has rolled back").isZero();
            }
        } finally {
            BOUND.remove();
        }
    }

    private static void reserveInto(JdbcBlockStore store, CompletableFuture<Block> reserved) {
        try {
            reserved.complete(store.reserve(ORDERS, 10));
        } catch (BlockStoreException e) {
            reserved.completeExceptionally(e);
        }
    }

    @Test
    void aTransactionOfSpringDoesNotReachTheStore() throws Exception {
        create(1, 0);
        memory.execute(0, "CREATE TABLE mine (id INT)");
        TestShards list = memory.list(0);
        DataSource target = list.connections(memory.url(0));
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(target));
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        for (DataSource dataSource : List.of(
                target, new TransactionAwareDataSourceProxy(target), new LazyConnectionDataSourceProxy(target))) {
            JdbcBlockStore store = TestShards.store(list.of(List.of(dataSource)));
            transactions.executeWithoutResult(status -> {
                new JdbcTemplate(target).update("INSERT INTO mine VALUES (1)");
                ledger.add(store.reserve(ORDERS, 10));
                status.setRollbackOnly();
            });
            ledger.add(store.reserve(ORDERS, 10));
        }
        assertThat(ledger.count()).isEqualTo(60);
        assertThat(new JdbcTemplate(target).queryForObject("SELECT COUNT(*) FROM mine", Integer.class))
                .as("what the caller has rolled back")
                .isZero();
    }

    /** A pool that does not reset connections may return one in which other code has left a transaction open. */
    @Test
    void whatSomebodyLeftUncommittedOnAConnectionIsNotCommitted() throws Exception {
        create(1, 0);
        memory.execute(0, "CREATE TABLE others (id INT)");
        TestShards list = memory.list(0);
        DataSource plain = list.connections(memory.url(0));
        try (Connection only = plain.getConnection();
                Statement statement = only.createStatement()) {
            only.setAutoCommit(false);
            statement.executeUpdate("INSERT INTO others VALUES (1)");
            JdbcBlockStore store = TestShards.store(list.of(List.of(Connections.sharing(only))));
            assertThat(store.reserve(ORDERS, 10).count()).isEqualTo(10);
        }
        try (Connection other = plain.getConnection();
                Statement statement = other.createStatement();
                var rows = statement.executeQuery("SELECT COUNT(*) FROM others")) {
            rows.next();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    @Test
    void aTransactionThatCannotBeRolledBackDoesNotGoBackToThePool() throws Exception {
        create(1, 0);
        TestShards list = memory.list(0);
        AtomicBoolean broken = new AtomicBoolean();
        AtomicInteger aborted = new AtomicInteger();
        DataSource failing = Connections.around(list.connections(memory.url(0)), (connection, method, call) -> {
            if (broken.get() && (method.equals("commit") || method.equals("rollback"))) {
                throw new SQLException("the connection is broken", "08006");
            }
            if (method.equals("abort")) {
                aborted.incrementAndGet();
            }
            return call.proceed();
        });
        JdbcBlockStore store = TestShards.store(list.of(List.of(failing)));
        store.reserve(ORDERS, 1);
        broken.set(true);
        assertFails(BlockStoreException.class, () -> store.reserve(ORDERS, 1), "the connection is broken");
        assertThat(aborted).hasValue(1);
    }

    @Test
    @Tag("integration")
    void aPoolWithoutAFreeConnectionFailsInTimeAndIsNotBlockedForEver() throws Exception {
        create(1, 0);
        try (HikariDataSource pool = TestShards.pool(memory.url(0), 1, Duration.ofMillis(250))) {
            JdbcBlockStore store = TestShards.store(memory.list(0).of(List.of(pool)));
            try (Connection callers = pool.getConnection();
                    Statement statement = callers.createStatement()) {
                statement.executeQuery("SELECT 1").close();
                assertFails(BlockStoreException.class, () -> store.reserve(ORDERS, 1), "shard 0 of 1: HikariPool");
                callers.rollback();
            }
            assertThat(store.reserve(ORDERS, 1).count()).isEqualTo(1);
        }
    }

    /** The message must not say that the agent is late, because there are windows. */
    @Test
    @Tag("integration")
    void thatAllOpenWindowsAreLockedIsSaid() throws Exception {
        create(1, 0);
        JdbcShards shards = JdbcShards.builder()
                .shard(memory.list(0).connections(memory.url(0)))
                .statementTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofMillis(1_100))
                .build();
        JdbcBlockStore store = TestShards.store(shards);
        try (Connection slow = memory.connect(0);
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.executeUpdate("UPDATE id_sequences SET next_hi_value = next_hi_value");
            // On a busy machine, a call may time out before it has tried to reserve.
            Await.until("it is said", () -> {
                try {
                    throw new AssertionError("reserved " + store.reserve(ORDERS, 1));
                } catch (BlockStoreException e) {
                    return String.valueOf(e.getMessage()).contains("all open windows are locked by");
                }
            });
            slow.rollback();
        }
        assertThat(store.reserve(ORDERS, 1).count()).isEqualTo(1);
    }

    /** The windows are open and not locked, but each statement that reserves fails, or its state has changed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            57014 | canceling statement due to statement timeout
            40P01 | deadlock detected
            -     | the state of the database changed during each attempt
            """)
    void theCauseOfFailedAttemptsIsNamed(String state, String reason) throws Exception {
        create(1, 0);
        DataSource failing =
                Connections.around(memory.list(0).connections(memory.url(0)), (connection, method, call) -> {
                    Object result = call.proceed();
                    if (result instanceof PreparedStatement statement && method.equals("prepareStatement")) {
                        if (state.equals("-")) {
                            memory.execute(0, "UPDATE id_sequences_database SET recoveries = recoveries + 1");
                        } else if (statement.toString().contains("FOR UPDATE")) {
                            throw new SQLException(reason, state);
                        }
                    }
                    return result;
                });
        JdbcShards shards = JdbcShards.builder()
                .shard(failing)
                .statementTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofMillis(1_500))
                .build();
        JdbcBlockStore store = TestShards.store(shards);
        AtomicReference<String> message = new AtomicReference<>("");
        // On a busy machine, a call may time out before it has tried to reserve.
        Await.until("it is said", () -> {
            try {
                throw new AssertionError("reserved " + store.reserve(ORDERS, 1));
            } catch (BlockStoreException e) {
                String said = String.valueOf(e.getMessage());
                message.set(said);
                return !said.contains(" within PT1.5S");
            }
        });
        assertThat(message.get()).contains("shard 0 of 1").contains(reason).doesNotContain("locked by");
    }

    @Test
    @Tag("integration")
    void aDataSourceThatHangsHoldsNobodyUpForLongerThanACallMayTake() throws Exception {
        create(3, 0, 1);
        TestShards list = memory.list(0, 1);
        AtomicBoolean hangs = new AtomicBoolean();
        AtomicInteger connects = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        DataSource hanging = Connections.before(list.connections(memory.url(0)), () -> {
            connects.incrementAndGet();
            if (hangs.get()) {
                Connections.await(end);
            }
        });
        JdbcShards shards = JdbcShards.builder()
                .shard(hanging)
                .shard(list.connections(memory.url(1)))
                .statementTimeout(Duration.ofSeconds(1))
                .callTimeout(Duration.ofMillis(1_100))
                .build();
        JdbcBlockStore store = TestShards.store(shards, 0);
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        ledger.add(store.reserve(ORDERS, 1));
        hangs.set(true);
        int before = connects.get();
        long start = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            ledger.add(store.reserve(ORDERS, 1));
        }
        // If each of the 200 calls waited for the shard, they would take more than three minutes.
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(took).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(2));
        assertThat(connects.get() - before)
                .as("tries while it hangs, for %s", took)
                .isBetween(1, 4 + (int) took.toSeconds());
        end.countDown();
        hangs.set(false);
    }

    /** If a call has waited for a shard for more than half a second, a new call uses another shard. */
    @Test
    void callersDoNotQueueUpBehindAShardThatDoesNotAnswer() throws Exception {
        create(3, 0, 1);
        TestShards list = memory.list(0, 1);
        AtomicBoolean hangs = new AtomicBoolean();
        AtomicInteger hanging = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        DataSource first = Connections.before(list.connections(memory.url(0)), () -> {
            if (hangs.get()) {
                hanging.incrementAndGet();
                Connections.await(end);
            }
        });
        JdbcShards shards = JdbcShards.builder()
                .shard(first)
                .shard(list.connections(memory.url(1)))
                .callTimeout(Duration.ofHours(1))
                .build();
        JdbcBlockStore store = TestShards.store(shards, 0);
        assertThat(store.reserve(ORDERS, 1).first()).isEqualTo(5_001);
        hangs.set(true);
        CompletableFuture<Block> waiting = new CompletableFuture<>();
        Thread caller = new Thread(() -> reserveInto(store, waiting));
        caller.start();
        Await.until("a call hangs", () -> hanging.get() == 1);
        long since = System.nanoTime();
        Await.until(
                "half a second",
                () -> System.nanoTime() - since > Duration.ofMillis(600).toNanos());
        CompletableFuture<Block> later = CompletableFuture.supplyAsync(() -> store.reserve(ORDERS, 1));
        assertThat(later.get(3, TimeUnit.MINUTES).first()).isEqualTo(5_101);
        assertThat(waiting).isNotDone();
        end.countDown();
        assertThat(waiting.get(3, TimeUnit.MINUTES).first()).isEqualTo(5_002);
        hangs.set(false);
        assertThat(store.reserve(ORDERS, 1).first()).as("it answers again").isEqualTo(5_012);
    }

    @Test
    @Tag("integration")
    void aShardThatFailsIsLeftAloneForAWhileAndThenTriedAgain() throws Exception {
        create(3, 0, 1);
        TestShards list = memory.list(0, 1);
        AtomicBoolean fails = new AtomicBoolean();
        AtomicInteger connects = new AtomicInteger();
        DataSource failing =
                Connections.before(Connections.away(list.connections(memory.url(0)), fails), connects::incrementAndGet);
        JdbcBlockStore store = TestShards.store(list.of(List.of(failing, list.connections(memory.url(1)))), 0);
        BlockLedger ledger = new BlockLedger(FIRST, LAST);
        ledger.add(store.reserve(ORDERS, 1));
        fails.set(true);
        int before = connects.get();
        for (int i = 0; i < 150; i++) {
            ledger.add(store.reserve(ORDERS, 1));
        }
        assertThat(connects.get() - before).as("tries of 150 calls").isBetween(1, 50);
        fails.set(false);
        Await.until("a block of the first shard", () -> {
            Block block = store.reserve(ORDERS, 1);
            store.giveBack(ORDERS, block);
            return block.first() < 5_101;
        });
    }

    /** While other shards serve, the store tries a failed shard in the background. */
    @Test
    void aShardThatHadFailedIsTriedWhileNobodyWaits() throws Exception {
        create(3, 0, 1);
        TestShards list = memory.list(0, 1);
        AtomicBoolean fails = new AtomicBoolean();
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger hanging = new AtomicInteger();
        DataSource first = Connections.before(list.connections(memory.url(0)), () -> {
            if (fails.get()) {
                if (hanging.getAndIncrement() == 0) {
                    throw new SQLException("refused", "08001");
                }
                Connections.await(end);
            }
        });
        JdbcShards shards = JdbcShards.builder()
                .shard(first)
                .shard(list.connections(memory.url(1)))
                .callTimeout(Duration.ofHours(1))
                .build();
        JdbcBlockStore store = TestShards.store(shards, 0);
        store.reserve(ORDERS, 1);
        fails.set(true);
        Thread caller = new Thread(() -> Await.until("a try that hangs", () -> {
            store.giveBack(ORDERS, store.reserve(ORDERS, 1));
            return hanging.get() == 2;
        }));
        caller.start();
        caller.join(TimeUnit.MINUTES.toMillis(3));
        assertThat(caller.isAlive()).as("the caller waits").isFalse();
        assertThat(hanging).hasValue(2);
        assertThat(store.reserve(ORDERS, 1).first()).isBetween(5_101L, 5_200L);
        fails.set(false);
        end.countDown();
        Await.until("it is asked first again", () -> store.reserve(ORDERS, 1).first() < 5_101);
    }

    /** The store must not conclude from a cancelled statement that no window is open. */
    @Test
    @Tag("integration")
    void statementsThatAreCancelledAreTriedAgain() throws Exception {
        JdbcShards shards = memory.list(0).plain();
        TestShards.layOut(shards, 10_000, 3, ORDERS, 1, 30_000);
        AtomicInteger statements = new AtomicInteger();
        AtomicBoolean cancels = new AtomicBoolean();
        DataSource cancelling =
                Connections.around(memory.list(0).connections(memory.url(0)), (connection, method, call) -> {
                    if (method.equals("prepareStatement") && cancels.get() && statements.incrementAndGet() % 20 == 0) {
                        throw new SQLException("canceling statement", "57014");
                    }
                    return call.proceed();
                });
        JdbcBlockStore store = TestShards.store(memory.list(0).of(List.of(cancelling)));
        BlockLedger ledger = new BlockLedger(1, 30_000);
        ledger.add(store.reserve(ORDERS, 1));
        cancels.set(true);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 8; i++) {
            all.add(CompletableFuture.runAsync(
                    () -> {
                        for (int j = 0; j < 125; j++) {
                            ledger.add(store.reserve(ORDERS, 1));
                        }
                    },
                    threads));
        }
        for (CompletableFuture<Void> each : all) {
            each.get(3, TimeUnit.MINUTES);
        }
        threads.shutdown();
        assertThat(ledger.count()).isEqualTo(1_001);
    }

    @Test
    void passwordsAreNotShown() {
        DataSource unknown = UrlDataSource.of("jdbc:unknown://user:secret@host/db?password=secret", "u", "secret");
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> TestShards.store(JdbcShards.of(unknown)).reserve(ORDERS, 1))
                .withMessageContaining("jdbc:unknown")
                .satisfies(e -> {
                    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                        assertThat(cause.toString()).doesNotContain("secret");
                    }
                });
    }
}
