// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.base.Clock;
import java.util.function.LongSupplier;

/**
 * A typical Snowflake generator: it trusts its node ID, counts the IDs of each millisecond from 0 on, and throws while
 * its clock is behind its last ID. Two generators with the same node ID may repeat each other's IDs.
 */
final class OtherGenerator implements LongSupplier {
    private static final int NODE_BITS = 10;
    private static final int COUNTER_BITS = 12;

    private final int nodeId;
    private final Clock clock;
    private long lastMillis;
    private int counter;

    OtherGenerator(int nodeId, Clock clock) {
        this.nodeId = nodeId;
        this.clock = clock;
    }

    @Override
    public synchronized long getAsLong() {
        long millis = clock.millis();
        if (millis < lastMillis) {
            throw new ClockWentBackException();
        }
        counter = millis == lastMillis ? counter + 1 : 0;
        lastMillis = millis;
        return idOf(millis, nodeId, counter);
    }

    static final class ClockWentBackException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static long idOf(long millis, int nodeId, int counter) {
        return (millis << NODE_BITS | nodeId) << COUNTER_BITS | counter;
    }

    static long millisOf(long id) {
        return id >>> (NODE_BITS + COUNTER_BITS);
    }

    static int nodeIdOf(long id) {
        return (int) (id >>> COUNTER_BITS) & ((1 << NODE_BITS) - 1);
    }
}
