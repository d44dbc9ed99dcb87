// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.tcp.TcpServerConnection;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.base.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Closes new connections to paused processes: the operating system accepts them, but the process does not answer. One
 * of Hazelcast's output threads would try to write to such a connection forever, and the other members that this thread
 * serves would remove this member (<a href="https://github.com/hazelcast/hazelcast/issues/26473">issue 26473</a>). Used
 * by one thread at a time.
 */
final class UnansweredConnections {
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Clock clock;
    private final Map<TcpServerConnection, Long> seenNanos = new HashMap<>();

    UnansweredConnections(Clock clock) {
        this.clock = clock;
    }

    /**
     * Closes connections that this member has opened, if no answer came within 3 s. Called several times per second.
     */
    void close(NodeEngineImpl nodeEngine) {
        Set<TcpServerConnection> unanswered = new HashSet<>();
        for (ServerConnection connection : nodeEngine.getNode().getServer().getConnections()) {
            if (connection instanceof TcpServerConnection opened
                    && !opened.isAcceptorSide()
                    && opened.lastReadTimeMillis() < 0) {
                unanswered.add(opened);
            }
        }
        seenNanos.keySet().retainAll(unanswered);
        for (TcpServerConnection connection : unanswered) {
            long seen = seenNanos.computeIfAbsent(connection, added -> clock.nanos());
            if (clock.nanos() - seen > MAX_AGE_NANOS) {
                connection.close(
                        "No answer from " + connection.getRemoteAddress() + ": its process may be paused", null);
            }
        }
    }
}
