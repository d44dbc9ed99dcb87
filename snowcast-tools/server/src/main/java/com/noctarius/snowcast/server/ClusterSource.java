// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

/** The source of the status: the cluster, or the database. */
interface ClusterSource {
    /** Returns {@code cluster} or {@code database}, for messages. */
    String name();

    /** Reads the status. Blocks until the cluster or the database has answered. */
    ClusterState read();
}
