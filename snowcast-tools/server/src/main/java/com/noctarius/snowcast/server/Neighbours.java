// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** This server, and the other processes that it is connected to. No method makes a remote call. */
interface Neighbours {
    Status.Server server();

    /** Returns null without a cluster. */
    @Nullable
    List<Status.Member> members();

    /** Returns null unless this server is a member. */
    @Nullable
    List<Status.Client> clients();
}
