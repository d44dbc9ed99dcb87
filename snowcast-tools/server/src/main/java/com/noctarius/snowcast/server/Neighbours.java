// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** This server, and the members and clients of its cluster. No method makes a remote call. */
interface Neighbours {
    Status.Server server();

    /** Returns the members of the cluster; null without a cluster. */
    @Nullable
    List<Status.Member> members();

    /** Returns the clients of the cluster; null if this server is not a member of it. */
    @Nullable
    List<Status.Client> clients();
}
