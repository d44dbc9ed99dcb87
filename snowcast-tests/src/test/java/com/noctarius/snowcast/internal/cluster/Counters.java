// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.internal.counter.CounterCoordinator;

/** The way from a member to the counters. */
public final class Counters {
    private Counters() {}

    /** Returns what a member's integer sequences use. */
    public static CounterCoordinator of(HazelcastInstance member) {
        NodeEngine nodeEngine = Accessors.getNodeEngineImpl(member);
        return new MemberCounters(new MemberCoordinator(nodeEngine, nodeEngine.getLogger(Counters.class)));
    }
}
