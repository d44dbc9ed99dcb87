// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that two datacenters reserve no integer twice under faults. */
@Tag("faults")
class TwoDatacentersTest {
    private static final long FIRST = 5_000_001;
    private static final long LAST = FIRST + 10_000_000;
    private static final AtomicInteger SEQUENCES = new AtomicInteger();
    private static TwoDatacenters datacenters;

    private final String sequence = "products" + SEQUENCES.incrementAndGet();
    private final BlockLedger ledger = new BlockLedger(FIRST, LAST);

    @BeforeAll
    static void start() {
        datacenters = TwoDatacenters.start();
    }

    @AfterAll
    static void stop() {
        datacenters.close();
    }

    @AfterEach
    void heal() {
        datacenters.cluster().heal();
        datacenters.cluster().awaitMembers();
        for (int i = 0; i < 2; i++) {
            RangeTables tables = datacenters.tables(i);
            TwoDatacenters.atLast(deadline -> tables.readGlobal("nobody", deadline));
        }
    }

    private void define() {
        datacenters.schema(0).defineSequence(sequence, FIRST, LAST);
    }

    /** Opens a store with a time-out that is long enough for a busy machine. */
    private CassandraBlockStore open(int datacenter, long rangeSize) {
        return open(datacenter, rangeSize, TwoDatacenters.PATIENCE);
    }

    /** Opens a store with a short time-out, so that calls without an answer fail soon. */
    private CassandraBlockStore openImpatient(int datacenter, long rangeSize) {
        return open(datacenter, rangeSize, Duration.ofSeconds(3));
    }

    private CassandraBlockStore open(int datacenter, long rangeSize, Duration callTimeout) {
        return datacenters
                .store(datacenter)
                .rangeSize(rangeSize)
                .callTimeout(callTimeout)
                .build();
    }

    private Reservers reserve(CassandraBlockStore store) {
        return Reservers.start(2, store, sequence, ledger, 20);
    }

    // --- cuts

    @Test
    void bothGoOnWhileTheyAreCutOffFromEachOther() {
        define();
        // No machine uses up a range of this size during the test.
        long rangeSize = 2_000_000;
        try (CassandraBlockStore first = open(0, rangeSize);
                CassandraBlockStore second = open(0, rangeSize);
                CassandraBlockStore third = open(1, rangeSize);
                Reservers ofFirst = reserve(first);
                Reservers ofSecond = reserve(second);
                Reservers ofThird = reserve(third)) {
            Reservers.awaitMore(50, ofFirst, ofThird);
            for (int cuts = 0; cuts < 3; cuts++) {
                datacenters.cluster().cutDatacenters();
                Reservers.awaitMore(100, ofFirst, ofSecond, ofThird);
                datacenters.cluster().heal();
                Reservers.awaitMore(50, ofFirst, ofThird);
            }
            Reservers.stopAll(ofFirst, ofSecond, ofThird);
            assertThat(ofFirst.failures() + ofSecond.failures() + ofThird.failures())
                    .as("failures, while ranges lasted")
                    .isZero();
        }
    }

    @Test
    void aDatacenterThatHasUsedUpItsRangesSaysSinceWhenAndGoesOnAfterTheHeal() {
        define();
        try (CassandraBlockStore first = open(0, 1_000);
                CassandraBlockStore second = openImpatient(1, 1_000);
                Reservers ofFirst = reserve(first);
                Reservers ofSecond = reserve(second)) {
            for (int cuts = 0; cuts < 2; cuts++) {
                Reservers.awaitMore(100, ofFirst, ofSecond);
                datacenters.cluster().cutDatacenters();
                ofSecond.await("no integer left", () -> remaining(second) == 0);
                assertThat(ofSecond.awaitFailure())
                        .hasMessageContaining("sequence " + sequence + ", size ")
                        .hasMessageContaining("CassandraBlockStore{keyspace=ids, datacenter=dc2}")
                        .hasMessageContaining("datacenter dc2 has used up its range")
                        .hasMessageMatching("(?s).*range, \\d+ to \\d+, reserved up to \\d+, and cannot claim another"
                                + " since \\d{4}-\\d\\d-\\d\\dT.*")
                        .hasCauseInstanceOf(com.datastax.oss.driver.api.core.DriverException.class);
                assertThat(second.stats(sequence).orElseThrow().problem()).startsWith("no range can be claimed since ");
                datacenters.cluster().heal();
            }
            Reservers.awaitMore(100, ofFirst, ofSecond);
            ofSecond.await(
                    "no problem left",
                    () -> second.stats(sequence).orElseThrow().problem().isEmpty());
            Reservers.stopAll(ofFirst, ofSecond);
        }
    }

    @Test
    void aProcessHasNoProblemAnyMoreWhenAnotherOneHasClaimedTheRange() {
        define();
        try (CassandraBlockStore first = open(0, 1_000, Duration.ofSeconds(30));
                CassandraBlockStore second = open(0, 1_000)) {
            ledger.add(first.reserve(sequence, 400));
            datacenters.cluster().cutDatacenters();
            ledger.add(first.reserve(sequence, 100));
            Await.until(
                    "a claim fails",
                    () -> !first.stats(sequence).orElseThrow().problem().isEmpty());
            datacenters.cluster().heal();
            datacenters.cluster().awaitMembers();
            // The second store uses up the current range, and claims the next range.
            while (second.stats(sequence).map(DatacenterRangeStats::rangeFirst).orElse(FIRST) == FIRST) {
                ledger.add(second.reserve(sequence, 100));
            }
            ledger.add(first.reserve(sequence, 1));
            assertThat(first.stats(sequence).orElseThrow().claims())
                    .as("of the first, whose own next attempt is not due")
                    .isEqualTo(1);
            assertThat(first.stats(sequence).orElseThrow().problem()).isEmpty();
        }
    }

    private long remaining(CassandraBlockStore store) {
        return store.stats(sequence).orElseThrow().remaining();
    }

    @Test
    void aProcessThatIsStartedWhileItsDatacenterIsCutOffServesFromTheRange() {
        define();
        try (CassandraBlockStore store = open(0, 1_000)) {
            ledger.add(store.reserve(sequence, 10));
        }
        datacenters.cluster().cutDatacenters();
        define(); // Applications may define their sequences at each start.
        try (CassandraBlockStore store = open(0, 1_000)) {
            ledger.add(store.reserve(sequence, 10));
        }
        try (CassandraBlockStore other = openImpatient(1, 1_000)) {
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> other.reserve(sequence, 10))
                    .withMessageContaining("datacenter dc2 has used up its range, unknown, and cannot claim another");
        }
    }

    // --- ranges

    @Test
    void theNextRangeIsClaimedBeforeItIsNeeded() {
        define();
        try (CassandraBlockStore store = open(0, 1_000)) {
            ledger.add(store.reserve(sequence, 499));
            assertThat(store.stats(sequence).orElseThrow().claims()).isEqualTo(1);
            ledger.add(store.reserve(sequence, 1));
            Await.until(
                    "the next range", () -> store.stats(sequence).orElseThrow().preloaded() > 0);
            assertThat(remaining(store)).isEqualTo(1_500);
            datacenters.cluster().cutDatacenters();
            for (int i = 0; i < 15; i++) {
                ledger.add(store.reserve(sequence, 100));
            }
            assertThat(ledger.count()).isEqualTo(2_000);
        }
    }

    @Test
    void manyProcessesThatFindTheRangeNearlyUsedClaimOneEach() {
        define();
        try (CassandraBlockStore first = open(0, 200);
                CassandraBlockStore second = open(0, 200);
                CassandraBlockStore third = open(0, 200);
                CassandraBlockStore other = open(1, 2_000);
                Reservers ofFirst = reserve(first);
                Reservers ofSecond = reserve(second);
                Reservers ofThird = reserve(third);
                Reservers ofOther = reserve(other)) {
            Reservers.awaitMore(30, ofFirst, ofSecond, ofThird, ofOther);
            Reservers.stopAll(ofFirst, ofSecond, ofThird, ofOther);
        }
    }

    /** Because only one replica is added, each earlier majority and each later majority have a replica in common. */
    @Test
    void aDatacenterThatGetsItsReplicaWhileAnotherServesRepeatsNothing() {
        String keyspace = "growing";
        datacenters
                .session(0)
                .execute("CREATE KEYSPACE growing WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
        datacenters.cluster().awaitSchema();
        CassandraSchema schema = new CassandraSchema(datacenters.session(0), keyspace, "dc1");
        schema.create();
        datacenters.cluster().awaitSchema();
        schema.defineSequence(sequence, FIRST, LAST);
        try (CassandraBlockStore first = CassandraBlockStore.builder(datacenters.session(0), keyspace, "dc1")
                        .rangeSize(200)
                        .build();
                Reservers ofFirst = reserve(first)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CassandraBlockStore.builder(datacenters.session(1), keyspace, "dc2")
                            .build())
                    .withMessageContaining("must be replicated to datacenter dc2");
            ofFirst.awaitMore(50);
            datacenters
                    .session(0)
                    .execute(
                            "ALTER KEYSPACE growing WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}");
            datacenters.cluster().awaitSchema();
            try (CassandraBlockStore second = CassandraBlockStore.builder(datacenters.session(1), keyspace, "dc2")
                            .rangeSize(200)
                            .build();
                    Reservers ofSecond = reserve(second)) {
                Reservers.awaitMore(50, ofFirst, ofSecond);
                Reservers.stopAll(ofFirst, ofSecond);
            }
        }
    }

    // --- losses

    @Test
    void aProcessThatStoodStillWhileTheRowWasLostChangesNothing() {
        define();
        Deadline deadline = Deadline.after(TwoDatacenters.PATIENCE);
        RangeTables tables = datacenters.tables(0);
        tables.insert(sequence, deadline);
        DatacenterRow seenBefore = Objects.requireNonNull(tables.read(sequence, deadline));
        GlobalRow claimedBefore = tables.readGlobal(sequence, deadline).orElseThrow();
        try (CassandraBlockStore store = open(0, 100)) {
            ledger.add(store.reserve(sequence, 100));
            DatacenterRow used = Objects.requireNonNull(tables.read(sequence, deadline));
            datacenters.loseRow(0, sequence);
            tables.insert(sequence, deadline);
            tables.initialise(sequence, seenBefore, claimedBefore.base(), deadline);
            tables.install(sequence, seenBefore, FIRST, FIRST + 99, deadline);
            tables.install(sequence, used, FIRST, FIRST + 99, deadline);
            tables.take(
                    sequence,
                    used.with(new Requests.Grants(Map.of(), FIRST + 1)),
                    new Requests.Grants(Map.of(), FIRST + 11),
                    deadline);
            ledger.add(store.reserve(sequence, 100));
            ledger.add(store.reserve(sequence, 100));
        }
    }

    @Test
    void tablesThatWereSetBackAreNoticed() {
        define();
        try (CassandraBlockStore store = open(0, 100)) {
            ledger.add(store.reserve(sequence, 100));
            datacenters
                    .session(0)
                    .execute(SimpleStatement.newInstance(
                                    "UPDATE ids.seq_global SET last_integer = ? WHERE key = ? AND dc = 'GLOBAL' IF EXISTS",
                                    FIRST - 1,
                                    sequence)
                            .setSerialConsistencyLevel(DefaultConsistencyLevel.SERIAL)
                            .setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
            // Reserve several blocks, because the store may already have claimed a range in the background.
            assertThatExceptionOfType(BlockStoreException.class)
                    .isThrownBy(() -> {
                        for (int i = 0; i < 3; i++) {
                            ledger.add(store.reserve(sequence, 100));
                        }
                    })
                    .withMessageContaining("restored from a backup");
        }
    }

    // --- faults

    @Test
    void faultsMakeNothingComeTwice() {
        define();
        CassandraCluster cluster = datacenters.cluster();
        try (CassandraBlockStore first = open(0, 500);
                CassandraBlockStore second = open(0, 500);
                CassandraBlockStore other = openImpatient(1, 500);
                Reservers ofFirst = reserve(first);
                Reservers ofSecond = reserve(second);
                Reservers ofOther = reserve(other)) {
            Reservers.awaitMore(20, ofFirst, ofSecond, ofOther);
            cluster.disturb(8, 50); // Messages are lost and late.
            Reservers.awaitMore(30, ofFirst, ofOther);
            cluster.heal();
            for (int losses = 0; losses < 8; losses++) {
                Reservers.awaitMore(20, ofFirst, ofSecond);
                datacenters.loseRow(0, sequence);
            }
            Reservers.awaitMore(50, ofFirst, ofOther);
            cluster.node(1).kill();
            ofOther.awaitFailure();
            cluster.node(1).restart();
            cluster.awaitMembers();
            Reservers.awaitMore(100, ofFirst, ofOther);
            for (long minutes : new long[] {10, -10, 0}) {
                cluster.node(0).setClock(Duration.ofMinutes(minutes));
                cluster.node(1).setClock(Duration.ofMinutes(-minutes));
                Reservers.awaitMore(80, ofFirst, ofOther);
            }
            Reservers.stopAll(ofFirst, ofSecond, ofOther);
        } finally {
            cluster.nodes().forEach(node -> node.setClock(Duration.ZERO));
        }
    }

    // --- striped

    @Test
    void stripesOfBothDatacentersAreOneSequence() {
        datacenters.schema(0).defineStripedSequence(sequence, FIRST, LAST, 2);
        CassandraStripedBlockStore first = openStripe(0, 0);
        CassandraStripedBlockStore second = openStripe(1, 1);
        CassandraStripedBlockStore third = openStripe(1, 0);
        try (Reservers ofFirst = Reservers.start(1, first, sequence, ledger, 20);
                Reservers ofSecond = Reservers.start(1, second, sequence, ledger, 20);
                Reservers ofThird = Reservers.start(1, third, sequence, ledger, 20)) {
            Reservers.awaitMore(20, ofFirst, ofThird);
            datacenters.cluster().cutDatacenters();
            assertThat(ofSecond.awaitFailure()).hasMessageContaining("no block within PT2S");
            datacenters.cluster().heal();
            datacenters.cluster().disturb(2, 20);
            Reservers.awaitMore(10, ofFirst, ofSecond);
            datacenters.cluster().heal();
            Reservers.awaitMore(20, ofFirst, ofSecond);
        }
        assertThat(ledger.count()).isPositive();
    }

    private static CassandraStripedBlockStore openStripe(int datacenter, int stripe) {
        return datacenters
                .stripedStore(datacenter)
                .stripe(stripe)
                .callTimeout(Duration.ofSeconds(2))
                .build();
    }
}
