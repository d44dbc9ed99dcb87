// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import com.noctarius.snowcast.tests.store.BlockLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that reservations continue during a fault of one node, with three replicas in each of two datacenters. Each
 * fault hits every node of the first datacenter in turn, and thus also the sequence's coordinator there. Needs about 4
 * GB of memory.
 */
@Tag("soak")
class CassandraReplicasTest {
    private static final String KEYSPACE = "replicas";
    private static final long LAST = 100_000_000;
    private static final int LATENCIES = 2_000;
    private static CassandraCluster cluster;
    private static CqlSession schemaSession;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final BlockLedger ledger = new BlockLedger(1, LAST);
    private final BlockLedger stripedLedger = new BlockLedger(1, LAST);

    @BeforeAll
    static void start() {
        cluster = CassandraCluster.start(SingleNode.DIRECTORY, "dc1", "dc1", "dc1", "dc2", "dc2", "dc2");
        schemaSession = TestSessions.open(cluster.node(0));
        schemaSession.execute("CREATE KEYSPACE " + KEYSPACE
                + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3, 'dc2': 3}");
        cluster.awaitSchema();
        schema().create();
        cluster.awaitSchema();
    }

    @AfterAll
    static void stop() {
        schemaSession.close();
        cluster.close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private static CassandraSchema schema() {
        return new CassandraSchema(schemaSession, KEYSPACE, "dc1");
    }

    /** Each store has its own session, as in a separate process. */
    private Reservers reserve(CassandraNode node, String sequence) {
        CqlSession session = TestSessions.open(node);
        CassandraBlockStore store = CassandraBlockStore.builder(session, KEYSPACE, node.datacenter())
                .rangeSize(1_000)
                .callTimeout(Duration.ofSeconds(3))
                .build();
        Reservers reservers = Reservers.start(2, store, sequence, ledger, 20);
        opened.addAll(List.of(reservers, store, session));
        return reservers;
    }

    private Reservers reserveStriped(CassandraNode node, String sequence, int stripe) {
        CqlSession session = TestSessions.open(node);
        CassandraStripedBlockStore store = CassandraStripedBlockStore.builder(session, KEYSPACE, node.datacenter())
                .stripe(stripe)
                .callTimeout(Duration.ofSeconds(3))
                .build();
        Reservers reservers = Reservers.start(1, store, sequence, stripedLedger, 20);
        opened.addAll(List.of(reservers, store, session));
        return reservers;
    }

    // --- faults of one of three nodes

    @Test
    void reservationsGoOnWhileANodeIsDead() {
        reservationsGoOn("killed", CassandraNode::kill, CassandraNode::restart);
    }

    @Test
    void reservationsGoOnWhileANodeIsFrozen() {
        reservationsGoOn("frozen", CassandraNode::freeze, CassandraNode::thaw);
    }

    @Test
    void reservationsGoOnWhileANodeIsCutOffFromTheOthers() {
        reservationsGoOn("cut off", cluster::cutOff, node -> cluster.heal());
    }

    private interface Fault {
        void at(CassandraNode node);
    }

    private void reservationsGoOn(String what, Fault begin, Fault end) {
        String sequence = what.replace(' ', '_');
        schema().defineSequence(sequence, 1, LAST);
        schema().defineStripedSequence(sequence, 1, LAST, 2);
        List<Reservers> all = List.of(
                reserve(cluster.node(0), sequence),
                reserve(cluster.node(1), sequence),
                reserve(cluster.node(3), sequence),
                reserveStriped(cluster.node(2), sequence, 0),
                reserveStriped(cluster.node(4), sequence, 1));
        all.forEach(reservers -> reservers.awaitMore(30));
        for (CassandraNode node : cluster.nodes().subList(0, 3)) {
            long failuresBefore = failures(all);
            long goesOnNanos;
            long start = System.nanoTime();
            begin.at(node);
            try {
                all.forEach(reservers -> reservers.awaitMore(30));
                goesOnNanos = System.nanoTime() - start;
                // Wait until nodes have noticed the fault, and clients no longer avoid a coordinator that failed.
                long nanosLeft = start + TimeUnit.SECONDS.toNanos(25) - System.nanoTime();
                Deadline.after(Duration.ofMinutes(1)).pause(nanosLeft);
                all.forEach(reservers -> reservers.awaitMore(100));
            } finally {
                end.at(node);
            }
            System.out.printf(
                    "%s: %s for %,d s; all went on after %,d s, %d reservations failed%n",
                    node,
                    what,
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                    TimeUnit.NANOSECONDS.toSeconds(goesOnNanos),
                    failures(all) - failuresBefore);
            cluster.awaitMembers();
            all.forEach(reservers -> reservers.awaitMore(30));
        }
        all.forEach(Reservers::stop);
        System.out.printf(
                "%s: %,d integers of two tiers and %,d of stripes, none twice%n",
                what, ledger.count(), stripedLedger.count());
    }

    /** Prints how long a block of a two-tier sequence and a conditional update take, with the same coordinator. */
    @Test
    void aBlockTakesAboutAsLongAsAConditionalUpdate() {
        schema().defineSequence("latency", 1, LAST);
        try (CqlSession session = TestSessions.open(cluster.node(0));
                CassandraBlockStore store = CassandraBlockStore.builder(session, KEYSPACE, "dc1")
                        .rangeSize(1_000_000)
                        .build()) {
            SerialTable table = SerialTable.withinTheDatacenter(new Coordinators(session, "dc1"));
            PreparedStatement update = table.prepare("UPDATE " + KEYSPACE
                    + ".seq_stripe SET next_k = ? WHERE key = 'update' AND stripe = 0 IF next_k = ?");
            Deadline deadline = Deadline.after(Duration.ofMinutes(9));
            table.change("latency", update.bind(0L, null), deadline);
            long[] blocks = new long[LATENCIES];
            long[] updates = new long[LATENCIES];
            for (int i = -LATENCIES / 2; i < LATENCIES; i++) {
                long start = System.nanoTime();
                ledger.add(store.reserve("latency", 10));
                long between = System.nanoTime();
                long next = i + LATENCIES / 2L;
                assertThat(table.change("latency", update.bind(next + 1, next), deadline))
                        .isTrue();
                blocks[Math.max(i, 0)] = between - start;
                updates[Math.max(i, 0)] = System.nanoTime() - between;
            }
            Arrays.sort(blocks);
            Arrays.sort(updates);
            for (int percent : new int[] {50, 99}) {
                int at = LATENCIES * percent / 100;
                System.out.printf(
                        "p%d of a block %.2f ms, of a conditional update %.2f ms: %.2f times%n",
                        percent, blocks[at] / 1e6, updates[at] / 1e6, (double) blocks[at] / updates[at]);
            }
        }
    }

    private static long failures(List<Reservers> all) {
        return all.stream().mapToLong(Reservers::failures).sum();
    }
}
