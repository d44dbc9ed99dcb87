// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Path;

/** One node that all tests share which need no more, with a keyspace for each of them. It ends with the JVM. */
public final class SingleNode {
    /** The datacenter of the node. */
    public static final String DATACENTER = "dc1";
    /** Where nodes of tests keep their files: below the working directory. */
    public static final Path DIRECTORY = Path.of("target", "cassandra");

    private static final CassandraCluster CLUSTER = start();

    private SingleNode() {}

    private static CassandraCluster start() {
        CassandraCluster cluster = CassandraCluster.start(DIRECTORY, DATACENTER);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "cassandra-end"));
        return cluster;
    }

    /**
     * Returns the node, which runs.
     *
     * @return it
     */
    public static CassandraNode node() {
        return CLUSTER.node(0);
    }

    /**
     * Makes a keyspace without tables, if it is not there yet.
     *
     * @param session of the node
     * @param keyspace its name
     */
    public static void createKeyspace(CqlSession session, String keyspace) {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + keyspace
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + DATACENTER + "': 1}");
    }
}
