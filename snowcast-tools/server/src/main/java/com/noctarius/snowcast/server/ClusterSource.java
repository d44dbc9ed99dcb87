// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

/** Where the state comes from: the cluster, or the database. */
interface ClusterSource {
    /** Returns which of them it is, for messages. */
    String name();

    /** Asks it; blocks. */
    ClusterState read();
}
