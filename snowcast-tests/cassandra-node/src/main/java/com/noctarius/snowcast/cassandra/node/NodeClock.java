// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import org.apache.cassandra.utils.Clock;

/** The wall clock of a node, which can be set. Made by Cassandra itself, in the process of the node. */
public final class NodeClock implements Clock {
    private static volatile long offsetMillis;

    /** For Cassandra. */
    public NodeClock() {}

    static void setOffset(long millis) {
        offsetMillis = millis;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis() + offsetMillis;
    }
}
