// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Path;

/** A Cassandra node that several tests share. Each test has its own keyspace. The node ends with the JVM. */
public final class SingleNode {
    public static final String DATACENTER = "dc1";
    /** The directory for the files of test nodes, below the working directory. */
    public static final Path DIRECTORY = Path.of("target", "cassandra");

    private static final CassandraCluster CLUSTER = start();

    private SingleNode() {}

    private static CassandraCluster start() {
        CassandraCluster cluster = CassandraCluster.start(DIRECTORY, DATACENTER);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "cassandra-end"));
        return cluster;
    }

    public static CassandraNode node() {
        return CLUSTER.node(0);
    }

    /** Creates a keyspace without tables, if it does not exist. */
    public static void createKeyspace(CqlSession session, String keyspace) {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + DATACENTER + "': 1}");
    }
}
