// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.SingleNode;
import com.noctarius.snowcast.cassandra.node.TestSessions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A Cassandra cluster of two nodes, each in its own datacenter, with a session to each node, and a keyspace that is
 * replicated to both datacenters.
 */
final class TwoDatacenters implements AutoCloseable {
    static final String KEYSPACE = "ids";
    static final List<String> NAMES = List.of("dc1", "dc2");

    /** The time limit for events that must happen, even on a busy machine. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private final CassandraCluster cluster;
    private final List<CqlSession> sessions;

    private TwoDatacenters(CassandraCluster cluster, List<CqlSession> sessions) {
        this.cluster = cluster;
        this.sessions = sessions;
    }

    static TwoDatacenters start() {
        CassandraCluster cluster = CassandraCluster.start(SingleNode.DIRECTORY, NAMES.get(0), NAMES.get(1));
        TwoDatacenters started = new TwoDatacenters(
                cluster, cluster.nodes().stream().map(TestSessions::open).toList());
        started.createKeyspace();
        return started;
    }

    private void createKeyspace() {
        sessions.get(0)
                .execute("CREATE KEYSPACE " + KEYSPACE
                        + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}");
        cluster.awaitSchema();
        schema(0).create();
        cluster.awaitSchema();
    }

    CassandraCluster cluster() {
        return cluster;
    }

    CqlSession session(int datacenter) {
        return sessions.get(datacenter);
    }

    CassandraSchema schema(int datacenter) {
        return new CassandraSchema(sessions.get(datacenter), KEYSPACE, NAMES.get(datacenter));
    }

    CassandraBlockStore.Builder store(int datacenter) {
        return CassandraBlockStore.builder(sessions.get(datacenter), KEYSPACE, NAMES.get(datacenter));
    }

    CassandraStripedBlockStore.Builder stripedStore(int datacenter) {
        return CassandraStripedBlockStore.builder(sessions.get(datacenter), KEYSPACE, NAMES.get(datacenter));
    }

    Keyspace keyspace(int datacenter) {
        return new Keyspace(sessions.get(datacenter), KEYSPACE, NAMES.get(datacenter));
    }

    RangeTables tables(int datacenter) {
        return new RangeTables(keyspace(datacenter));
    }

    /** Repeats a read until it succeeds, because requests can time out just after the network has healed. */
    static <T> T atLast(Function<Deadline, T> read) {
        Deadline deadline = Deadline.after(PATIENCE);
        while (true) {
            try {
                return read.apply(deadline);
            } catch (DriverException e) {
                if (!deadline.pause(TimeUnit.MILLISECONDS.toNanos(100))) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        sessions.forEach(CqlSession::close);
        cluster.close();
    }

    /** Deletes the row of a datacenter. */
    void loseRow(int datacenter, String sequence) {
        session(datacenter)
                .execute(SimpleStatement.newInstance(
                                "DELETE FROM ids.seq_dc WHERE key = ? AND dc = ? IF EXISTS",
                                sequence,
                                NAMES.get(datacenter))
                        .setSerialConsistencyLevel(DefaultConsistencyLevel.LOCAL_SERIAL)
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM));
    }
}
