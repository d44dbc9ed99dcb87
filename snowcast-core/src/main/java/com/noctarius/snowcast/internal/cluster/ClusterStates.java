// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.SnowcastUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Explains in messages how the cluster state that an administrator has set affects snowcast. In the states
 * NO_MIGRATION, FROZEN and PASSIVE no other member becomes a backup in place of a backup that has left.
 */
final class ClusterStates {
    private static final String WAY_OUT = "changeClusterState(ACTIVE)";

    private ClusterStates() {}

    private static ClusterState of(NodeEngine nodeEngine) {
        return nodeEngine.getClusterService().getClusterState();
    }

    static void requireNotPassive(NodeEngine nodeEngine) {
        if (of(nodeEngine) == ClusterState.PASSIVE) {
            throw new SnowcastUnavailableException(
                    "the cluster is PASSIVE, and then only renews leases and takes back what is returned: " + WAY_OUT
                            + " ends that",
                    null);
        }
    }

    /** Returns, as the end of a message, why no member replaces a missing backup; empty if one may. */
    static String whyNoBackupComes(NodeEngine nodeEngine) {
        ClusterState state = of(nodeEngine);
        return isSetToKeepReplicas(state)
                ? ", and no other member becomes one while the cluster is " + state + ": " + WAY_OUT + " ends that"
                : "";
    }

    /**
     * Returns why a partition has no owner until an administrator changes the cluster state; null if it may have one.
     */
    static @Nullable SnowcastUnavailableException ownerMissing(
            NodeEngine nodeEngine, int partitionId, @Nullable Throwable cause) {
        ClusterState state = of(nodeEngine);
        if (!isSetToKeepReplicas(state)) {
            return null;
        }
        Address owner = nodeEngine
                .getPartitionService()
                .getPartition(partitionId, false)
                .getOwnerOrNull();
        if (owner == null) {
            return new SnowcastUnavailableException(
                    "partition " + partitionId + " has no owner, and none is assigned while the cluster is " + state
                            + ": " + WAY_OUT + " ends that",
                    cause);
        }
        if (state.isPartitionPromotionAllowed()
                || nodeEngine.getClusterService().getMember(owner) != null) {
            return null;
        }
        return new SnowcastUnavailableException(
                "the owner of partition " + partitionId + ", " + owner
                        + ", has left, and no other member takes its place while the cluster is " + state + ": "
                        + WAY_OUT + " ends that",
                cause);
    }

    /** Returns whether the cluster state prevents migrations; false during a transition, which ends by itself. */
    private static boolean isSetToKeepReplicas(ClusterState state) {
        return !state.isMigrationAllowed() && state != ClusterState.IN_TRANSITION;
    }
}
