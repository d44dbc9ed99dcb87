// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.BlockStore;
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

/** Tests which privileges a process needs, on a node that checks passwords and privileges. */
@Tag("faults")
class CassandraRightsTest {
    private static final String KEYSPACE = "rights";
    private static final String DATACENTER = SingleNode.DATACENTER;
    private static CassandraCluster cluster;
    private static CqlSession session;

    @BeforeAll
    static void start() {
        cluster = CassandraCluster.start(
                SingleNode.DIRECTORY,
                Map.of("authenticator", "PasswordAuthenticator", "authorizer", "CassandraAuthorizer"),
                DATACENTER);
        session = openAtLast(cluster.node(0));
        SingleNode.createKeyspace(session, KEYSPACE);
        CassandraSchema schema = new CassandraSchema(session, KEYSPACE, DATACENTER);
        schema.create();
        schema.defineSequence("products", 1, 1_000);
        schema.defineStripedSequence("products", 1, 1_000, 2);
    }

    /** Tries until it can log in, because the node creates the first role some time after it has begun to serve. */
    private static CqlSession openAtLast(CassandraNode node) {
        Deadline deadline = Deadline.after(TwoDatacenters.PATIENCE);
        while (true) {
            try {
                return TestSessions.open(node, "cassandra", "cassandra");
            } catch (DriverException e) {
                if (!deadline.pause(TimeUnit.MILLISECONDS.toNanos(200))) {
                    throw e;
                }
            }
        }
    }

    @AfterAll
    static void stop() {
        session.close();
        cluster.close();
    }

    @Test
    void whoMayNotChangeTheTablesIsToldWhenTheSequenceIsCreated() {
        session.execute("CREATE ROLE reader WITH LOGIN = true AND PASSWORD = 'secret'");
        session.execute("GRANT SELECT ON KEYSPACE rights TO reader");
        try (CqlSession reader = TestSessions.open(cluster.node(0), "reader", "secret");
                Warnings log = Warnings.of(CassandraBlockStore.class);
                BlockStore tiers = CassandraBlockStore.builder(reader, KEYSPACE, DATACENTER)
                        .callTimeout(Duration.ofHours(1))
                        .build();
                BlockStore striped = CassandraStripedBlockStore.builder(reader, KEYSPACE, DATACENTER)
                        .callTimeout(Duration.ofHours(1))
                        .build()) {
            assertThat(log.all()).anyMatch(line -> line.contains("system_views.settings could not be read"));
            for (BlockStore store : List.of(tiers, striped)) {
                assertThatExceptionOfType(NonTransientBlockStoreException.class)
                        .isThrownBy(
                                () -> SnowcastSystem.standaloneIntegerSequence(IntegerSequenceConfig.builder("products")
                                        .firstValue(1)
                                        .store(store)
                                        .build()))
                        .withMessageContaining("grant the role SELECT and MODIFY on the tables");
                assertThatExceptionOfType(NonTransientBlockStoreException.class)
                        .isThrownBy(() -> store.reserve("products", 1))
                        .withMessageContaining("grant the role SELECT and MODIFY on the tables");
            }
        }
    }

    @Test
    void whoMayDoWhatTheDocumentsSayReserves() {
        session.execute("CREATE ROLE ids WITH LOGIN = true AND PASSWORD = 'secret'");
        for (String table : List.of("seq_global", "seq_dc", "seq_striped", "seq_stripe")) {
            session.execute("GRANT SELECT ON rights." + table + " TO ids");
            if (!table.equals("seq_striped")) {
                session.execute("GRANT MODIFY ON rights." + table + " TO ids");
            }
        }
        session.execute("GRANT SELECT ON system_views.settings TO ids");
        try (CqlSession ids = TestSessions.open(cluster.node(0), "ids", "secret");
                Warnings log = Warnings.of(CassandraBlockStore.class);
                BlockStore tiers =
                        CassandraBlockStore.builder(ids, KEYSPACE, DATACENTER).build();
                BlockStore striped = CassandraStripedBlockStore.builder(ids, KEYSPACE, DATACENTER)
                        .build()) {
            assertThat(log.all()).noneMatch(line -> line.contains("system_views"));
            for (BlockStore store : List.of(tiers, striped)) {
                store.prepare("products", 1);
                assertThat(store.reserve("products", 1).count()).isEqualTo(1);
            }
        }
    }
}
