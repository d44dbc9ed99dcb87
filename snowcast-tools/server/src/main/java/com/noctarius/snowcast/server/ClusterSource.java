// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

/** The source of the status: the cluster, or the database. */
interface ClusterSource {
    /** Returns its name in messages. */
    String name();

    /** Reads the status; blocks. */
    ClusterState read();
}
