// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;

/** Reads and sets a member's cluster time, on which the owner of a name bases its decisions. */
public final class ClusterTime {
    private ClusterTime() {}

    /** Sets a member's cluster time. If a majority of the members reports another time, cluster time approaches it. */
    public static void setOffset(HazelcastInstance member, long offsetMillis) {
        Members.service(member).otherMembers.clusterClock().startAt(System.currentTimeMillis() + offsetMillis);
    }

    public static long of(HazelcastInstance member) {
        return Members.service(member).bounds().clusterMillis();
    }
}
