// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.impl.MemberImpl;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.cluster.impl.ClusterClockImpl;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.test.Accessors;
import java.util.Collection;

/** The time by which owners decide. */
public final class ClusterTime {
    private ClusterTime() {}

    /** Sets what a member takes for the time of the cluster: if it is not the oldest, until that one's next heartbeat. */
    public static void setOffset(HazelcastInstance member, long offsetMillis) {
        ClusterClockImpl clock = (ClusterClockImpl)
                Accessors.getNodeEngineImpl(member).getClusterService().getClusterClock();
        clock.setMasterTime(System.currentTimeMillis() + offsetMillis);
    }

    /** Sends heartbeats between all members, so that none is removed because time was moved. */
    public static void sendHeartbeats(Collection<HazelcastInstance> members) {
        for (HazelcastInstance receiver : members) {
            ClusterServiceImpl cluster =
                    (ClusterServiceImpl) Accessors.getNodeEngineImpl(receiver).getClusterService();
            for (MemberImpl sender : cluster.getMemberImpls()) {
                cluster.getClusterHeartbeatManager()
                        .onHeartbeat(sender, cluster.getClusterClock().getClusterTime());
            }
        }
    }
}
