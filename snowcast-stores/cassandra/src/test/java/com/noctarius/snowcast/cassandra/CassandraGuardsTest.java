// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.cassandra.CassandraContract.StoreKind;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.tests.Warnings;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which configurations and rows the Cassandra stores reject, with their exceptions and warnings. */
@Tag("integration")
class CassandraGuardsTest {
    private static final String KEYSPACE = "guards";
    private static final String DATACENTER = SingleNode.DATACENTER;

    @AutoClose
    private static CqlSession session;

    @BeforeAll
    static void connect() {
        session = Sessions.withTables(KEYSPACE);
    }

    private static CassandraSchema schema() {
        return new CassandraSchema(session, KEYSPACE, DATACENTER);
    }

    private static CassandraBlockStore.Builder store() {
        return CassandraBlockStore.builder(session, KEYSPACE, DATACENTER);
    }

    private static CassandraStripedBlockStore.Builder striped() {
        return CassandraStripedBlockStore.builder(session, KEYSPACE, DATACENTER);
    }

    // --- the session and the keyspace

    @Test
    void laterProtocolsAreRefused() {
        try (CqlSession later = TestSessions.open(SingleNode.node().address(), DATACENTER, "V5")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CassandraBlockStore.builder(later, KEYSPACE, DATACENTER))
                    .withMessageContaining("session must use protocol V4: V5");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1ids", "ids; DROP", "ids\"", "a.b"})
    void badNamesOfKeyspacesAreRefused(String name) {
        assertIllegal(name, () -> CassandraBlockStore.builder(session, name, DATACENTER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "GLOBAL"})
    void badNamesOfDatacentersAreRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CassandraStripedBlockStore.builder(session, KEYSPACE, name))
                .withMessageContaining('"' + name + '"');
    }

    @Test
    void anotherDatacenterThanThatOfTheSessionIsNeverAsked() {
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() ->
                        CassandraBlockStore.builder(session, KEYSPACE, "dc2").build())
                .withMessageContaining("no node of datacenter dc2 is up");
    }

    @Test
    void aKeyspaceWithoutReplicasInTheDatacenterIsRefused() {
        session.execute("CREATE KEYSPACE elsewhere"
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CassandraBlockStore.builder(session, "elsewhere", DATACENTER)
                        .build())
                .withMessageContaining(
                        "keyspace elsewhere must be replicated to datacenter dc1 by NetworkTopologyStrategy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CassandraSchema(session, "nowhere", DATACENTER).create())
                .withMessage("keyspace must exist: nowhere");
    }

    @Test
    void oneReplicaOnlyIsWarnedOf() {
        try (Warnings log = Warnings.of(CassandraBlockStore.class);
                CassandraBlockStore store = store().build()) {
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains("keyspace guards has only one replica in datacenter dc1");
            assertThat(store).hasToString("CassandraBlockStore{keyspace=guards, datacenter=dc1}");
        }
        try (Warnings log = Warnings.of(CassandraBlockStore.class);
                CassandraStripedBlockStore store = striped().build()) {
            assertThat(log.all())
                    .as("%s, which needs a majority of all replicas", store)
                    .singleElement()
                    .asString()
                    .contains("keyspace guards has only one replica in all datacenters");
        }
    }

    @Test
    void twoReplicasOnlyAreWarnedOfAsWell() {
        session.execute("CREATE KEYSPACE two WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
        try (Warnings log = Warnings.of(CassandraBlockStore.class)) {
            // build() throws an exception, because the keyspace has no tables. But it checks the replicas first.
            assertFails(
                    BlockStoreException.class,
                    () -> CassandraBlockStore.builder(session, "two", DATACENTER)
                            .build());
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains("keyspace two has only two replicas in datacenter dc1");
        }
    }

    @Test
    void transientReplicasAreRefused() {
        Map<String, String> replication =
                Map.of("class", "org.apache.cassandra.locator.NetworkTopologyStrategy", DATACENTER, "3", "dc2", "3/1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyspace.requireReplicas("ids", DATACENTER, replication))
                .withMessageContaining("keyspace ids must have no transient replicas")
                .withMessageContaining("dc2=3/1");
    }

    @Test
    void aKeyspaceWithoutTablesIsNamed() {
        SingleNode.createKeyspace(session, "bare");
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() ->
                        CassandraBlockStore.builder(session, "bare", DATACENTER).build())
                .isInstanceOf(NonTransientBlockStoreException.class)
                .withMessageContaining("keyspace bare in datacenter dc1 refuses: ")
                .withMessageContaining("seq_global")
                .withMessageEndingWith("run CassandraSchema.create if the tables are missing")
                .withCauseInstanceOf(DriverException.class);
    }

    @Test
    void aClosedSessionIsSaidToBe() {
        CqlSession closed = TestSessions.open(SingleNode.node());
        CassandraBlockStore store = CassandraBlockStore.builder(closed, KEYSPACE, DATACENTER)
                .callTimeout(Duration.ofMillis(100))
                .build();
        closed.close();
        assertFails(BlockStoreException.class, () -> store.reserve("closed session", 1), "the session is closed");
    }

    @Test
    void aClaimThatFoundNoThreadIsMadeLater() {
        schema().defineSequence("no thread", 1, 100_000);
        AtomicInteger refused = new AtomicInteger();
        Deadline deadline = Deadline.after(Duration.ofMinutes(5));
        RangeTables tables = new RangeTables(new Keyspace(session, KEYSPACE, DATACENTER));
        DatacenterSequence sequence = new DatacenterSequence(
                "no thread",
                DATACENTER,
                "the store",
                tables,
                new RangeSettings(1_000, 1_000, 0.5, Duration.ofHours(1), Duration.ofMinutes(1)),
                task -> {
                    if (refused.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });
        assertThat(sequence.reserve(600)).isEqualTo(Block.of(1, 600));
        assertThat(sequence.reserve(1)).isEqualTo(Block.of(601, 601));
        assertThat(Objects.requireNonNull(tables.read("no thread", deadline)).hasPreloaded())
                .isTrue();
    }

    @Test
    void aClosedStoreReservesNothing() {
        CassandraBlockStore store = store().build();
        store.close();
        assertThatExceptionOfType(BlockStoreException.class)
                .isThrownBy(() -> store.reserve("closed store", 5))
                .withMessageContaining("sequence closed store, size 5: closed: " + store);
    }

    /** If a small page size split a read into two, a claim could come between the two reads. */
    @Test
    void rowsThatBelongTogetherAreReadTogetherWhateverThePageSize() {
        schema().defineSequence("pages", 1, 1_000);
        List<Boolean> inOnePage = new ArrayList<>();
        try (CqlSession small = TestSessions.open(SingleNode.node(), 1);
                CassandraBlockStore store = CassandraBlockStore.builder(
                                watchingReads(small, rows -> inOnePage.add(rows.isFullyFetched())),
                                KEYSPACE,
                                DATACENTER)
                        .rangeSize(10)
                        .claimThreshold(0.99)
                        .build()) {
            store.reserve("pages", 9);
            store.reserve("pages", 9);
            store.reserve("pages", 9);
        }
        assertThat(inOnePage).isNotEmpty().doesNotContain(false);
    }

    private static CqlSession watchingReads(CqlSession watched, Consumer<ResultSet> reads) {
        return Sessions.around(watched, (method, argument, call) -> {
            Object result = call.proceed();
            if (result instanceof ResultSet rows
                    && argument instanceof BoundStatement bound
                    && bound.getSerialConsistencyLevel() == null) {
                reads.accept(rows);
            }
            return result;
        });
    }

    // --- permanent failures

    @Test
    void aDefinitionWithoutTablesIsNotRepeated() {
        SingleNode.createKeyspace(session, "bare");
        AtomicInteger attempts = new AtomicInteger();
        CqlSession counting = Sessions.around(session, (method, argument, call) -> {
            attempts.addAndGet(method.equals("prepare") ? 1 : 0);
            return call.proceed();
        });
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> new CassandraSchema(counting, "bare", DATACENTER).defineSequence("products", 1, 9))
                .withMessageContaining("run CassandraSchema.create if the tables are missing");
        assertThat(attempts)
                .as("the look whether it is defined, and the insert")
                .hasValue(2);
    }

    /** The call time-out is an hour: if a store retried these reservations, the test would reach its own time-out. */
    @Test
    void whatDoesNotPassByItselfIsNotWaitedFor() {
        SingleNode.createKeyspace(session, "dropped");
        CassandraSchema dropped = new CassandraSchema(session, "dropped", DATACENTER);
        dropped.create();
        dropped.defineSequence("products", 1, 1_000);
        dropped.defineStripedSequence("products", 1, 1_000, 1);
        try (CassandraBlockStore store = CassandraBlockStore.builder(session, "dropped", DATACENTER)
                        .callTimeout(Duration.ofHours(1))
                        .build();
                CassandraStripedBlockStore striped = CassandraStripedBlockStore.builder(session, "dropped", DATACENTER)
                        .callTimeout(Duration.ofHours(1))
                        .build()) {
            for (BlockStore each : List.of(store, striped)) {
                assertFails(NonTransientBlockStoreException.class, () -> each.reserve("nobody", 1));
                each.reserve("products", 1);
            }
            for (String table : List.of("seq_global", "seq_dc", "seq_striped", "seq_stripe")) {
                session.execute("DROP TABLE dropped." + table);
            }
            for (BlockStore each : List.of(store, striped)) {
                assertThatExceptionOfType(NonTransientBlockStoreException.class)
                        .isThrownBy(() -> each.reserve("products", 1))
                        .withMessageContaining("sequence products, size 1 in " + each)
                        .withMessageContaining("run CassandraSchema.create");
                assertThatExceptionOfType(NonTransientBlockStoreException.class)
                        .isThrownBy(() -> each.prepare("products", 1))
                        .satisfies(e -> {
                            String cause = String.valueOf(
                                    Objects.requireNonNull(e.getCause()).getMessage());
                            String message = String.valueOf(e.getMessage());
                            assertThat(message.indexOf(cause))
                                    .as("the cause, once")
                                    .isNotNegative()
                                    .isEqualTo(message.lastIndexOf(cause));
                        });
            }
        }
    }

    /** Before each of the store's first three claims, the test makes a claim as another datacenter. */
    @Test
    void claimsThatLoseTwiceTakeALargerRange() {
        schema().defineSequence("losing", 1, 1_000_000);
        AtomicInteger losses = new AtomicInteger(3);
        CqlSession losing = Sessions.around(session, (method, argument, call) -> {
            if (argument instanceof BatchStatement && losses.getAndDecrement() > 0) {
                change(
                        "UPDATE guards.seq_global SET last_integer = " + (30 - 10 * losses.get())
                                + " WHERE key = 'losing' AND dc = 'GLOBAL' IF EXISTS",
                        DefaultConsistencyLevel.SERIAL);
            }
            return call.proceed();
        });
        try (CassandraBlockStore store = CassandraBlockStore.builder(losing, KEYSPACE, DATACENTER)
                .rangeSize(10)
                .maxRangeSize(1_000)
                .callTimeout(Duration.ofMinutes(2))
                .build()) {
            assertThat(store.reserve("losing", 100))
                    .as("after three losses, four times as many")
                    .isEqualTo(Block.of(31, 70));
        }
    }

    // --- definitions

    private static void assertIllegal(String endOfMessage, ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageEndingWith(endOfMessage);
    }

    @Test
    void sequencesThatAreNotDefinedAreSaidToBe() {
        try (CassandraBlockStore store = store().build();
                CassandraStripedBlockStore striped = striped().build()) {
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> store.reserve("nobody", 1))
                    .withMessage("sequence nobody in " + store + " is not defined: run CassandraSchema.defineSequence");
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> striped.reserve("nobody", 1))
                    .withMessageContaining("is not defined: run CassandraSchema.defineStripedSequence");
        }
    }

    @Test
    void whatASequenceIsCannotBeChanged() {
        schema().defineSequence("fixed", 1, 100);
        schema().defineSequence("fixed", 1, 100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema().defineSequence("fixed", 2, 100))
                .withMessageStartingWith("sequence fixed must be from 1 to 100, as it is defined: 2, 100");
        schema().defineStripedSequence("fixed", 1, 100, 3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema().defineStripedSequence("fixed", 2, 100, 3))
                .withMessageStartingWith("sequence fixed must be from 1 to 100, as it is defined: 2, 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema().defineStripedSequence("fixed", 1, 100, 4))
                .withMessage("sequence fixed has 3 stripes, and must keep them: 4");
    }

    @Test
    void badValuesAreRefused() {
        assertIllegal(": -1, 5", () -> schema().defineSequence("bad", -1, 5));
        assertIllegal(": 6, 5", () -> schema().defineSequence("bad", 6, 5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema().defineSequence("", 1, 5))
                .withMessage("name must not be blank: \"\"");
        assertIllegal(": 0", () -> schema().defineStripedSequence("bad", 1, 5, 0));
        assertIllegal(": 0", () -> store().rangeSize(0));
        for (double share : new double[] {0, 1, Double.NaN}) {
            assertIllegal(": " + share, () -> store().claimThreshold(share));
        }
        assertIllegal(": PT-1S", () -> store().minAutonomy(Duration.ofSeconds(-1)));
        assertIllegal(": PT0.099S", () -> store().callTimeout(Duration.ofMillis(99)));
        assertIllegal(": -1", () -> striped().stripe(-1));
        assertThatNullPointerException().isThrownBy(() -> CassandraBlockStore.builder(nothing(), KEYSPACE, DATACENTER));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // The point of the test.
    private static <T> T nothing() {
        return null;
    }

    // --- rows that no store has written

    private static void change(String cql, DefaultConsistencyLevel serial) {
        assertThat(session.execute(SimpleStatement.newInstance(cql).setSerialConsistencyLevel(serial))
                        .wasApplied())
                .isTrue();
    }

    /** A sequence whose definition contradicts itself must not count as used up: callers would not retry then. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "last_value = null",
                "first_value = null",
                "last_integer = null",
                "last_integer = 1001",
                "last_integer = -1",
                "last_integer = 9"
            })
    void aDefinitionThatContradictsItselfIsRefused(String change) {
        String name = "definition with " + change;
        schema().defineSequence(name, 1, 1_000);
        try (CassandraBlockStore store = store().rangeSize(10).build()) {
            store.reserve(name, 1);
        }
        change(
                "DELETE FROM guards.seq_dc WHERE key = '" + name + "' AND dc = 'dc1' IF EXISTS",
                DefaultConsistencyLevel.LOCAL_SERIAL);
        change(
                "UPDATE guards.seq_global SET " + change + " WHERE key = '" + name + "' AND dc = 'GLOBAL' IF EXISTS",
                DefaultConsistencyLevel.SERIAL);
        try (CassandraBlockStore store = store().rangeSize(10).build()) {
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> store.reserve(name, 1))
                    .withMessageContaining("sequence " + name + ", datacenter dc1: ")
                    .withMessageContaining("contradicts itself")
                    .isNotInstanceOf(BlockStoreExhaustedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "incarnation = null",
                "last_integer = null",
                "last_integer = 11",
                "reserved_max = null",
                "preloaded_max = null",
                "preloaded_max = 10",
                "preloaded_min = 10, preloaded_max = 19"
            })
    void aRowOfADatacenterThatContradictsItselfIsRefused(String change) {
        String name = "row with " + change;
        schema().defineSequence(name, 1, 1_000);
        try (CassandraBlockStore store = store().rangeSize(10).build()) {
            store.reserve(name, 1);
        }
        change(
                "UPDATE guards.seq_dc SET " + change + " WHERE key = '" + name + "' AND dc = 'dc1' IF EXISTS",
                DefaultConsistencyLevel.LOCAL_SERIAL);
        try (CassandraBlockStore store = store().rangeSize(10).build()) {
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> store.reserve(name, 1))
                    .withMessageContaining(
                            "sequence " + name + ", datacenter dc1: its row in seq_dc contradicts itself");
        }
    }

    /** Cassandra forgets deletions after a while. A replica that missed a deletion may then restore the old values. */
    @Test
    void nothingOfARowOfADatacenterIsEverDeleted() {
        schema().defineSequence("kept", 1, 1_000);
        Block last = Block.of(1, 1);
        try (CassandraBlockStore store = store().rangeSize(10).build()) {
            for (int i = 0; i < 5; i++) {
                last = store.reserve("kept", 7);
            }
            assertThat(deletedColumns("kept")).isEmpty();
        }
        schema().recoverSequence("kept");
        assertThat(deletedColumns("kept")).isEmpty();
        try (CassandraBlockStore store = store().rangeSize(10).build()) {
            assertThat(store.reserve("kept", 7).first()).isGreaterThan(last.last());
        }
        assertThat(deletedColumns("kept")).isEmpty();
    }

    private static List<String> deletedColumns(String name) {
        Row row = session.execute("SELECT * FROM guards.seq_dc WHERE key = ? AND dc = 'dc1'", name)
                .one();
        return StreamSupport.stream(row.getColumnDefinitions().spliterator(), false)
                .map(column -> column.getName().asInternal())
                .filter(column -> !column.equals("posted") && row.isNull(column))
                .toList();
    }

    /** Each expired request that Cassandra still keeps slows down every read of its row. */
    @ParameterizedTest
    @ValueSource(strings = {"seq_dc", "seq_stripe"})
    void expiredRequestsAreForgottenAfterADay(String table) {
        assertThat(session.execute(
                                "SELECT gc_grace_seconds FROM system_schema.tables WHERE keyspace_name = 'guards' AND"
                                        + " table_name = ?",
                                table)
                        .one()
                        .getInt(0))
                .isEqualTo(86_400);
    }

    // --- first values and stripes

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000_001, Integer.MAX_VALUE})
    void sequencesBeginAtTheirFirstValue(long first) {
        String name = "from " + first;
        schema().defineSequence(name, first, first + 9);
        schema().defineStripedSequence(name, first, first + 9, 1);
        try (CassandraBlockStore store = store().rangeSize(7).build();
                CassandraStripedBlockStore plain = striped().build()) {
            assertThat(store.reserve(name, 10)).isEqualTo(Block.of(first, first + 6));
            assertThat(store.reserve(name, 10)).isEqualTo(Block.of(first + 7, first + 9));
            assertThat(plain.reserve(name, 10)).isEqualTo(Block.of(first, first + 9));
        }
    }

    @Test
    void stripesAreInterleavedAndAClientWhoseStripeIsUsedUpGoesOverToTheNext() {
        schema().defineStripedSequence("stripes", 1, 10, 3);
        try (CassandraStripedBlockStore first = striped().stripe(0).build();
                CassandraStripedBlockStore last = striped().stripe(2).build()) {
            assertThat(first.reserve("stripes", 2)).isEqualTo(new Block(1, 2, 3));
            assertThat(last.reserve("stripes", 2)).isEqualTo(new Block(3, 2, 3));
            assertThat(first.reserve("stripes", 9)).isEqualTo(new Block(7, 2, 3));
            assertThat(first.reserve("stripes", 9)).isEqualTo(new Block(2, 3, 3));
            assertThat(last.reserve("stripes", 9)).isEqualTo(new Block(9, 1, 3));
            assertFails(BlockStoreExhaustedException.class, () -> last.reserve("stripes", 9), "the last integer is 10");
        }
    }

    /** If the default were a fixed stripe, all clients of a service that sets no stripe would share it. */
    @Test
    void stripesAreTakenAtRandomUnlessOneIsSet() {
        schema().defineStripedSequence("at random", 1, 1_000_000, 5);
        Set<Long> used = new HashSet<>();
        for (int i = 0; i < 40 && used.size() < 2; i++) {
            try (BlockStore store = striped().build()) {
                used.add(store.reserve("at random", 1).first() % 5);
            }
        }
        assertThat(used)
                .as("one of them alone comes once in 5 to the power of 39")
                .hasSizeGreaterThan(1);
    }

    @Test
    void moreStripesThanIntegersAreFine() {
        schema().defineStripedSequence("few", 1, 2, 4);
        try (CassandraStripedBlockStore store = striped().stripe(3).build()) {
            assertThat(store.reserve("few", 5)).isEqualTo(new Block(1, 1, 4));
            assertThat(store.reserve("few", 5)).isEqualTo(new Block(2, 1, 4));
            assertThatExceptionOfType(BlockStoreExhaustedException.class).isThrownBy(() -> store.reserve("few", 5));
        }
    }

    @Test
    @Tag("soak") // 20 seconds
    void asManyStripesAsThereMayBeAreGoneOver() {
        // Switch off the commit log of the keyspace, because so many writes to it would take long.
        session.execute("CREATE KEYSPACE most WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}"
                + " AND durable_writes = false");
        SingleNode.createKeyspace(session, "most");
        new CassandraSchema(session, "most", DATACENTER).create();
        session.execute("INSERT INTO most.seq_striped (key, first_value, last_value, stripes, complete)"
                + " VALUES ('most', 1, 10000, 10000, true)");
        PreparedStatement insert =
                session.prepare("INSERT INTO most.seq_stripe (key, stripe, next_k) VALUES ('most', ?, ?)");
        for (int i = 0; i < 10_000; i += 50) {
            CompletableFuture.allOf(IntStream.range(i, i + 50)
                            .mapToObj(stripe -> session.executeAsync(insert.bind(stripe, stripe == 9_999 ? 0L : 1L))
                                    .toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        }
        try (CassandraStripedBlockStore store = CassandraStripedBlockStore.builder(session, "most", DATACENTER)
                .callTimeout(Duration.ofMinutes(2))
                .build()) {
            assertThat(store.reserve("most", 1)).isEqualTo(new Block(10_000, 1, 10_000));
            assertThatExceptionOfType(BlockStoreExhaustedException.class).isThrownBy(() -> store.reserve("most", 1));
        }
    }

    @Test
    void aStripeThatThereIsNotIsRefused() {
        schema().defineStripedSequence("three", 1, 10, 3);
        try (CassandraStripedBlockStore store = striped().stripe(3).build()) {
            for (ThrowingCallable call :
                    List.<ThrowingCallable>of(() -> store.prepare("three", 1), () -> store.reserve("three", 1))) {
                assertThatExceptionOfType(NonTransientBlockStoreException.class)
                        .isThrownBy(call)
                        .withMessageContaining("stripe must be 0 to 2, because it has 3 stripes: 3");
            }
        }
    }

    /** A stripe that is created again begins at its first integer, and would repeat integers. */
    @Test
    void aStripeThatIsLostIsNotBegunAnew() {
        schema().defineStripedSequence("lost", 1, 1_000, 1);
        try (CassandraStripedBlockStore store = striped().build()) {
            store.reserve("lost", 10);
        }
        change(
                "DELETE FROM guards.seq_stripe WHERE key = 'lost' AND stripe = 0 IF EXISTS",
                DefaultConsistencyLevel.SERIAL);
        schema().defineStripedSequence("lost", 1, 1_000, 1);
        try (CassandraStripedBlockStore store = striped().build()) {
            assertFails(BlockStoreException.class, () -> store.reserve("lost", 10), "stripe 0 is lost");
        }
    }

    @Test
    void aClientAloneReservesForOneThatPosts() {
        Deadline deadline = Deadline.after(Duration.ofMinutes(5));
        Keyspace keyspace = new Keyspace(session, KEYSPACE, DATACENTER);
        UUID other = UUID.randomUUID();
        List<Long> request = List.of(1L, 10L);
        schema().defineStripedSequence("alone", 1, 100_000, 1);
        StripeTables stripes = new StripeTables(keyspace);
        try (CassandraStripedBlockStore store = striped().build()) {
            store.reserve("alone", 10);
            awaitGrant(other, () -> {
                stripes.post("alone", 0, other, request, deadline);
                store.reserve("alone", 10);
                return stripes.read("alone", 0, 100_000, deadline).orElseThrow().requests();
            });
        }
        schema().defineSequence("alone", 1, 100_000);
        RangeTables ranges = new RangeTables(keyspace);
        try (CassandraBlockStore store = store().rangeSize(10_000).build()) {
            store.reserve("alone", 10);
            awaitGrant(other, () -> {
                ranges.post("alone", other, request, deadline);
                store.reserve("alone", 10);
                return Objects.requireNonNull(ranges.read("alone", deadline)).requests();
            });
        }
    }

    private static void awaitGrant(UUID client, Supplier<Requests> reservation) {
        int reservations = 0;
        while (reservation.get().granted(client, 1).isEmpty()) {
            assertThat(++reservations)
                    .as("reservations, none for the other client")
                    .isLessThan(200);
        }
    }

    /** The row of a lost stripe may still contain requests, because a request is posted without a condition. */
    @Test
    void requestsThatAreLeftOfALostRowDoNotHideTheLoss() {
        Deadline deadline = Deadline.after(Duration.ofMinutes(2));
        Keyspace keyspace = new Keyspace(session, KEYSPACE, DATACENTER);
        schema().defineStripedSequence("left", 1, 1_000, 1);
        new StripeTables(keyspace).post("left", 0, UUID.randomUUID(), List.of(1L, 10L), deadline);
        change(
                "DELETE next_k FROM guards.seq_stripe WHERE key = 'left' AND stripe = 0 IF next_k = 0",
                DefaultConsistencyLevel.SERIAL);
        try (CassandraStripedBlockStore store = striped().build()) {
            assertFails(BlockStoreException.class, () -> store.reserve("left", 10), "stripe 0 is lost");
            schema().recoverStripedSequence("left", 501);
            assertThat(store.reserve("left", 10).first()).isEqualTo(501);
        }
        schema().defineSequence("left", 1, 1_000);
        RangeTables ranges = new RangeTables(keyspace);
        ranges.post("left", UUID.randomUUID(), List.of(1L, 10L), deadline);
        assertThat(ranges.read("left", deadline)).isNull();
        ranges.insert("left", deadline);
        assertThat(ranges.read("left", deadline)).isNotNull();
        try (CassandraBlockStore store = store().rangeSize(100).build()) {
            assertThat(store.reserve("left", 10).first()).isEqualTo(1);
        }
    }

    @Tag("faults") // over half a minute for each kind
    @ParameterizedTest
    @EnumSource(
            value = StoreKind.class,
            names = {"TWO_TIERS", "PLAIN"})
    void clientsOfARowReserveForEachOther(StoreKind kind) {
        String name = "shared" + kind;
        kind.define(schema(), name, 1, 10_000_000);
        BlockLedger ledger = new BlockLedger(1, 10_000_000);
        List<BlockStore> stores = IntStream.range(0, 5)
                .mapToObj(i -> kind.open(session, KEYSPACE, DATACENTER, i))
                .toList();
        List<Reservers> clients = stores.stream()
                .map(store -> Reservers.start(1, store, name, ledger, 10))
                .toList();
        clients.forEach(client -> client.awaitMore(100));
        clients.forEach(Reservers::stop);
        long blocks = clients.stream().mapToLong(Reservers::blocks).sum();
        long changes = stores.stream()
                .mapToLong(store -> store instanceof CassandraBlockStore tiers
                        ? tiers.stats(name).orElseThrow().reservations().applied()
                        : ((CassandraStripedBlockStore) store)
                                .stats(name)
                                .orElseThrow()
                                .applied())
                .sum();
        stores.forEach(BlockStore::close);
        assertThat(changes).as("changes, for %d blocks", blocks).isLessThan(blocks * 3 / 4);
    }

    @Test
    void attemptsAreCounted() {
        schema().defineStripedSequence("counted", 1, 1_000, 1);
        try (CassandraStripedBlockStore first = striped().build();
                CassandraStripedBlockStore second = striped().build()) {
            assertThat(first.stats("counted")).isEmpty();
            first.reserve("counted", 10);
            second.reserve("counted", 10);
            first.reserve("counted", 10);
            assertThat(second.stats("counted")).hasValue(new ReservationStats(1, 1, 0));
            // The third call either read the row before its attempt, because the last read was long ago, or needed two
            // attempts.
            assertThat(first.stats("counted"))
                    .hasValueSatisfying(stats ->
                            assertThat(stats).isIn(new ReservationStats(2, 2, 0), new ReservationStats(3, 2, 0)));
            assertThat(new ReservationStats(3, 2, 0).successRate()).isEqualTo(2 / 3.0);
        }
    }
}
