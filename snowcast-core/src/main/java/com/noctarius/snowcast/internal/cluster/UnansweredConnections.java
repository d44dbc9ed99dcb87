// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.tcp.TcpServerConnection;
import com.hazelcast.spi.impl.NodeEngineImpl;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connections to processes that stand still: the operating system accepts them, and nobody answers. Hazelcast waits for
 * ever, and meanwhile one of its output threads does nothing but try to write: the other members that it serves hear nothing
 * of this one any more, and remove it (<a href="https://github.com/hazelcast/hazelcast/issues/26473">issue 26473</a>).
 */
final class UnansweredConnections {
    private static final long MAX_AGE_MILLIS = TimeUnit.SECONDS.toMillis(3);

    private UnansweredConnections() {}

    /** Closes those that are old; to be called several times per second. A connection is opened again when it is wanted. */
    static void close(NodeEngineImpl nodeEngine) {
        // A copy: what is closed leaves the collection.
        for (ServerConnection connection :
                List.copyOf(nodeEngine.getNode().getServer().getConnections())) {
            if (connection instanceof TcpServerConnection opened
                    && !opened.isAcceptorSide()
                    && opened.lastReadTimeMillis() < 0
                    && System.currentTimeMillis() - opened.getStartTime() > MAX_AGE_MILLIS) {
                opened.close("No answer from " + opened.getRemoteAddress() + ": its process may stand still", null);
            }
        }
    }
}
