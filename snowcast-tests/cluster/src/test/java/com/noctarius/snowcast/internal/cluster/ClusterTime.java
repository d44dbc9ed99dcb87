// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import java.util.Objects;

/** The time by which owners decide. */
public final class ClusterTime {
    private ClusterTime() {}

    /** Sets what a member takes for the time of the cluster, until it hears of a majority that has another. */
    public static void setOffset(HazelcastInstance member, long offsetMillis) {
        service(member).otherMembers.clusterClock().startAt(System.currentTimeMillis() + offsetMillis);
    }

    /** Returns what a member takes for the time of the cluster. */
    public static long of(HazelcastInstance member) {
        return service(member).bounds().clusterMillis();
    }

    private static SnowcastService service(HazelcastInstance member) {
        return (SnowcastService) Objects.requireNonNull(member.getUserContext().get(SnowcastService.NAME));
    }
}
