// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Moves time in steps, so that no lease expires because a busy machine delays its renewal. */
final class TimeStep {
    /**
     * The properties of members in tests with time steps. Hazelcast measures in its own cluster time how old the last
     * heartbeat of a member is, and removes the member after the time-out. A heartbeat from before a step may arrive
     * after the step, so the time-out is longer than two steps.
     */
    static final Map<String, String> PROPERTIES = Map.of(
            "snowcast.lease.millis", "600000",
            "snowcast.max.clock.skew.millis", "500",
            "hazelcast.max.no.heartbeat.seconds", "1200",
            "hazelcast.operation.call.timeout.millis", "20000");

    static final long LEASE_MILLIS = 600_000;

    /** The length of a step: more than half of a lease, so that holders renew, and less than a lease. */
    static final long MILLIS = LEASE_MILLIS * 3 / 4;

    private TimeStep() {}

    /** Sets all clocks to an offset from the real time, and waits until each holder has renewed its lease. */
    static void to(
            long offsetMillis,
            OffsetClock clock,
            Collection<HazelcastInstance> members,
            Collection<SnowcastSequencer> holders) {
        Map<SnowcastSequencer, Long> before = new HashMap<>();
        holders.forEach(held -> before.put(held, held.stats().renewalCount()));
        members.forEach(member -> ClusterTime.setOffset(member, offsetMillis));
        clock.setOffset(offsetMillis);
        before.forEach((held, count) ->
                Await.until("a renewal of " + held, () -> held.stats().renewalCount() > count));
    }
}
