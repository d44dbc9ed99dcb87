// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the choice of the coordinator with two nodes in one datacenter. Each row has only one replica. */
@Tag("soak")
class CoordinatorsTest {
    private static final String KEYSPACE = "ids";
    private static final String DATACENTER = SingleNode.DATACENTER;

    /** The nodes are cut off from each other. The node without the replica answers requests at once with an error. */
    @Test
    void aNodeThatIsCutOffWithinItsDatacenterIsLeftAlone() {
        // Use several names, because the name of a sequence determines which node is its coordinator, and which has its
        // row.
        List<String> sequences =
                IntStream.range(0, 8).mapToObj(i -> "products" + i).toList();
        try (CassandraCluster cluster = CassandraCluster.start(SingleNode.DIRECTORY, DATACENTER, DATACENTER);
                CqlSession session = TestSessions.open(cluster.node(0))) {
            session.execute("CREATE KEYSPACE " + KEYSPACE
                    + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
            cluster.awaitSchema();
            CassandraSchema schema = new CassandraSchema(session, KEYSPACE, DATACENTER);
            schema.create();
            cluster.awaitSchema();
            try (CassandraBlockStore store = CassandraBlockStore.builder(session, KEYSPACE, DATACENTER)
                    .callTimeout(Duration.ofSeconds(5))
                    .build()) {
                BlockLedger[] ledgers = new BlockLedger[sequences.size()];
                for (int i = 0; i < ledgers.length; i++) {
                    schema.defineSequence(sequences.get(i), 1, 1_000_000);
                    ledgers[i] = new BlockLedger(1, 1_000_000);
                    ledgers[i].add(store.reserve(sequences.get(i), 10));
                }
                cluster.node(0).disturb("apart", ".*", cluster.node(1), 100, 0, 0);
                cluster.node(1).disturb("apart", ".*", cluster.node(0), 100, 0, 0);
                for (int i = 0; i < ledgers.length; i++) {
                    awaitBlock(store, sequences.get(i), ledgers[i]);
                }
            }
        }
    }

    private static void awaitBlock(CassandraBlockStore store, String sequence, BlockLedger ledger) {
        Deadline deadline = Deadline.after(Duration.ofMinutes(3));
        while (true) {
            try {
                ledger.add(store.reserve(sequence, 10));
                return;
            } catch (BlockStoreException e) {
                assertThat(deadline.remainingNanos()).as(e.toString()).isPositive();
            }
        }
    }
}
