// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

/** Where the state of the cluster comes from. */
interface ClusterSource {
    /** Asks the cluster; blocks. */
    ClusterState read();
}
