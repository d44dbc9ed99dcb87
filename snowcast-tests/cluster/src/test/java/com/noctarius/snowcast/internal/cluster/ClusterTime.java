// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import java.util.Objects;

/** Reads and sets the time on which owners base their decisions. */
public final class ClusterTime {
    private ClusterTime() {}

    /** Sets a member's cluster time, until a majority reports another one. */
    public static void setOffset(HazelcastInstance member, long offsetMillis) {
        service(member).otherMembers.clusterClock().startAt(System.currentTimeMillis() + offsetMillis);
    }

    public static long of(HazelcastInstance member) {
        return service(member).bounds().clusterMillis();
    }

    private static SnowcastService service(HazelcastInstance member) {
        return (SnowcastService) Objects.requireNonNull(member.getUserContext().get(SnowcastService.NAME));
    }
}
