// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.noctarius.snowcast.cassandra.node.CassandraCluster;
import com.noctarius.snowcast.cassandra.node.CassandraNode;
import java.nio.file.Path;

/** One node that all tests share which need no more, with a keyspace for each of them. It ends with the JVM. */
final class SingleNode {
    static final String DATACENTER = "dc1";
    static final Path DIRECTORY = Path.of("target", "cassandra");
    private static final CassandraCluster CLUSTER = start();

    private SingleNode() {}

    private static CassandraCluster start() {
        CassandraCluster cluster = CassandraCluster.start(DIRECTORY, DATACENTER);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "cassandra-end"));
        return cluster;
    }

    static CassandraNode node() {
        return CLUSTER.node(0);
    }

    /** Makes a keyspace with the tables, if it is not there yet. */
    static void createKeyspace(CqlSession session, String keyspace) {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + DATACENTER + "': 1}");
        new CassandraSchema(session, keyspace, DATACENTER).create();
    }
}
