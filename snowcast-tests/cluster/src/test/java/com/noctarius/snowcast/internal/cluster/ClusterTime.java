// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.membership.ClusterClocks;

/** The time by which owners decide. */
public final class ClusterTime {
    private ClusterTime() {}

    /** Sets what a member takes for the time of the cluster, until it hears of a majority that has another. */
    public static void setOffset(HazelcastInstance member, long offsetMillis) {
        SnowcastService service = (SnowcastService) member.getUserContext().get(SnowcastService.NAME);
        ClusterClocks.startAt(service.peers().clusterClock(), System.currentTimeMillis() + offsetMillis);
    }

    /** Returns what a member takes for the time of the cluster. */
    public static long of(HazelcastInstance member) {
        return ((SnowcastService) member.getUserContext().get(SnowcastService.NAME)).clusterMillis();
    }
}
