// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.internal.cluster.impl.ClusterClockImpl;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.internal.base.ClockSteps;

/**
 * Corrects Hazelcast's own cluster time after a step of this member's wall clock, so that members do not remove each
 * other.
 *
 * <p>Hazelcast's cluster time is a member's wall clock plus its difference to the master's. A member ignores heartbeats
 * and operations that are too old according to this cluster time. Hazelcast adjusts the difference only after a step of
 * more than two minutes. But a step of half of the heartbeat time-out already makes messages look too old: those of a
 * master whose clock was set back, and all messages to another member whose clock was set ahead. Steps in the other
 * directions are corrected by the next heartbeat of the master. Not thread-safe.
 *
 * @param steps the steps of the clock that Hazelcast reads
 */
record HazelcastTime(NodeEngine nodeEngine, ClockSteps steps) {
    /** Smaller steps are ignored: they do not make messages look too old. */
    private static final long MIN_STEP_MILLIS = 1_000;

    /** Adjusts Hazelcast's cluster time if the wall clock has stepped. Called several times per second. */
    void adjust() {
        long stepMillis = steps.readClocks();
        if (Math.abs(stepMillis) < MIN_STEP_MILLIS) {
            return;
        }
        ClusterService clusterService = nodeEngine.getClusterService();
        boolean makesTooOld = clusterService.isMaster() ? stepMillis < 0 : stepMillis > 0;
        if (makesTooOld && clusterService.getClusterClock() instanceof ClusterClockImpl clock) {
            clock.setMasterTime(clock.getClusterTime() - stepMillis);
        }
    }
}
