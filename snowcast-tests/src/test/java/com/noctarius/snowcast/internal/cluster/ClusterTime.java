// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.cluster.impl.ClusterClockImpl;
import com.hazelcast.test.Accessors;

/** The time by which owners decide. */
public final class ClusterTime {
    private ClusterTime() {}

    /** Sets what a member takes for the time of the cluster: if it is not the oldest, until that one's next heartbeat. */
    public static void setOffset(HazelcastInstance member, long offsetMillis) {
        ClusterClockImpl clock = (ClusterClockImpl)
                Accessors.getNodeEngineImpl(member).getClusterService().getClusterClock();
        clock.setMasterTime(System.currentTimeMillis() + offsetMillis);
    }
}
