// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import org.apache.cassandra.utils.Clock;

/** The wall clock of a node, which tests can set. Cassandra creates it in the process of the node. */
public final class NodeClock implements Clock {
    private static volatile long offsetMillis;

    /** Cassandra calls this constructor by reflection. */
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
