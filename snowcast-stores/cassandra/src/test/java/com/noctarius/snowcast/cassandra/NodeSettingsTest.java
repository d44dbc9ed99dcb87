// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static com.noctarius.snowcast.tests.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryExecutionException;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import com.noctarius.snowcast.tests.Warnings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the checks of a node's settings, and calls of the stores after a node has forgotten acknowledged writes. */
@Tag("faults")
class NodeSettingsTest {
    private static final String KEYSPACE = "forgetful";
    private static final String DATACENTER = SingleNode.DATACENTER;
    private static final NodeSettings SOUND = new NodeSettings("a", "batch", "v2", null);
    private static final NodeSettings PERIODIC = new NodeSettings("b", "periodic", "v2", null);
    private static final Duration PATIENCE = TwoDatacenters.PATIENCE;
    private static CassandraCluster cluster;
    private static CqlSession session;
    private static Keyspace keyspace;

    @BeforeAll
    static void start() {
        cluster = CassandraCluster.start(
                SingleNode.DIRECTORY,
                Map.of("commitlog_sync", "periodic", "commitlog_sync_period", "3600s", "paxos_variant", "v1"),
                DATACENTER);
        session = TestSessions.open(cluster.node(0));
        SingleNode.createKeyspace(session, KEYSPACE);
        new CassandraSchema(session, KEYSPACE, DATACENTER).create();
        keyspace = new Keyspace(session, KEYSPACE, DATACENTER);
    }

    @AfterAll
    static void stop() {
        session.close();
        cluster.close();
    }

    private static CassandraBlockStore.Builder store() {
        return CassandraBlockStore.builder(session, KEYSPACE, DATACENTER);
    }

    private static CassandraStripedBlockStore.Builder striped() {
        return CassandraStripedBlockStore.builder(session, KEYSPACE, DATACENTER);
    }

    @Test
    void aPeriodicCommitLogAndOneReplicaAreRefusedUnlessTheUserSaysSo() {
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> store().build())
                .withMessageContaining("keyspace forgetful in datacenter dc1: commitlog_sync is periodic at [")
                .withMessageContaining("allowPeriodicCommitLog()");
        assertFails(NonTransientBlockStoreException.class, () -> striped().build());
        try (Warnings log = Warnings.of(CassandraBlockStore.class);
                CassandraBlockStore allowed = store().allowPeriodicCommitLog().build()) {
            assertThat(allowed).isNotNull();
            assertThat(log.all())
                    .anyMatch(
                            line -> line.contains("integers are issued twice, which allowPeriodicCommitLog() permits"));
            assertThat(log.all()).anyMatch(line -> line.contains("paxos_variant should be v2"));
        }
    }

    @Test
    void withThreeReplicasItIsAWarning() {
        try (Warnings log = Warnings.of(CassandraBlockStore.class)) {
            NodeSettings.require(List.of(SOUND, PERIODIC), keyspace, 3, false);
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains("commitlog_sync is periodic at [b]")
                    .contains("integers are issued twice if the other replicas have missed it");
        }
        assertThatExceptionOfType(NonTransientBlockStoreException.class)
                .isThrownBy(() -> NodeSettings.require(List.of(SOUND, PERIODIC), keyspace, 1, false));
    }

    @Test
    void nodesThatDoNotSayAreNamed() {
        try (Warnings log = Warnings.of(CassandraBlockStore.class)) {
            NodeSettings.require(
                    List.of(SOUND, new NodeSettings("c", null, null, "keyspace system_views does not exist")),
                    keyspace,
                    1,
                    false);
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains("system_views.settings could not be read")
                    .contains("c (keyspace system_views does not exist)");
        }
        try (Warnings log = Warnings.of(CassandraBlockStore.class)) {
            NodeSettings.require(List.of(SOUND), keyspace, 1, false);
            assertThat(log.all()).isEmpty();
        }
    }

    @Test
    void aKilledNodeForgetsARangeAndTheProcessThatRemembersRefuses() {
        new CassandraSchema(session, KEYSPACE, DATACENTER).defineSequence("products", 1, 1_000_000);
        try (BlockStore store =
                store().allowPeriodicCommitLog().callTimeout(PATIENCE).build()) {
            Block forgotten = reserveAndForget(
                    store, "products", "SELECT last_integer FROM forgetful.seq_dc WHERE key = ? AND dc = 'dc1'");
            assertThat(failure(store, "products"))
                    .hasMessageContaining(
                            "the range of datacenter dc1 is 1 to 1000000, reserved up to %d, but was 1 to 1000000,"
                                    + " reserved up to %d",
                            forgotten.first() - 1, forgotten.last())
                    .hasMessageContaining("Run CassandraSchema.recoverSequence");
            try (BlockStore another = store().allowPeriodicCommitLog().build()) {
                assertThat(another.reserve("products", 10)).as("twice").isEqualTo(forgotten);
            }
        }
    }

    @Test
    void aKilledNodeForgetsAStripeAndTheProcessThatRemembersRefuses() {
        CassandraSchema schema = new CassandraSchema(session, KEYSPACE, DATACENTER);
        schema.defineStripedSequence("articles", 1, 1_000_000, 1);
        try (BlockStore store =
                striped().allowPeriodicCommitLog().callTimeout(PATIENCE).build()) {
            Block forgotten = reserveAndForget(
                    store, "articles", "SELECT next_k FROM forgetful.seq_stripe WHERE key = ? AND stripe = 0");
            assertThat(failure(store, "articles"))
                    .hasMessageContaining(
                            "has issued %d integers, but its row shows only %d",
                            forgotten.last(), forgotten.first() - 1);
            schema.recoverStripedSequence("articles", forgotten.last() + 1);
            assertThat(store.reserve("articles", 1).first()).isEqualTo(forgotten.last() + 1);
        }
    }

    /**
     * Reserves a block, and kills the node so that it forgets the block. Retries if the node has written its commit log
     * before it was killed.
     */
    private static Block reserveAndForget(BlockStore store, String sequence, String query) {
        CassandraNode node = cluster.node(0);
        store.reserve(sequence, 10);
        for (int round = 0; round < 20; round++) {
            node.flush(KEYSPACE);
            Block block = store.reserve(sequence, 10);
            long written = number(query, sequence);
            node.kill();
            node.restart();
            if (number(query, sequence) < written) {
                return block;
            }
        }
        throw new AssertionError("a node that writes its commit log once in an hour remembered everything, 20 times");
    }

    /** Reads a number. Retries, because requests fail until the driver has connected to the node again. */
    private static long number(String query, String sequence) {
        SimpleStatement statement =
                SimpleStatement.newInstance(query, sequence).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL);
        Deadline deadline = Deadline.after(PATIENCE);
        DriverException last;
        do {
            try {
                return session.execute(statement).one().getLong(0);
            } catch (AllNodesFailedException | DriverTimeoutException | QueryExecutionException e) {
                last = e;
            }
        } while (deadline.pause(TimeUnit.MILLISECONDS.toNanos(50)));
        throw last;
    }

    /**
     * Returns the permanent failure of a reservation. Until the driver has reconnected, calls fail for other reasons.
     */
    private static NonTransientBlockStoreException failure(BlockStore store, String sequence) {
        Deadline deadline = Deadline.after(PATIENCE);
        BlockStoreException last;
        do {
            try {
                store.reserve(sequence, 10);
                throw new AssertionError("reserved what was reserved before");
            } catch (NonTransientBlockStoreException e) {
                return e;
            } catch (BlockStoreException e) {
                last = e;
            }
        } while (deadline.pause(TimeUnit.MILLISECONDS.toNanos(50)));
        throw last;
    }
}
