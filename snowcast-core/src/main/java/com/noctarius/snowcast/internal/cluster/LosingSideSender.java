// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sends this member's data from the losing side of a split to the cluster that the member has joined, which merges it.
 *
 * @param apartSinceMillis since when the two clusters have been apart: see {@link ReplicatedTable#merge}
 */
record LosingSideSender(MemberTransport transport, ILogger logger, long apartSinceMillis) {
    /**
     * Sends partitions, one by one; returns whether all were merged. A container without names is sent, too, if it has
     * lost its data: the winning side must wait for the lost leases. Blocks.
     *
     * @param owned this member's containers by partition ID
     * @param isProtected whether split-brain protection has kept one of the sides from granting, so that there is
     *     nothing to report
     */
    boolean send(Map<Integer, ContainerSnapshot> owned, boolean isProtected) {
        List<PossibleDuplicates> ids = new ArrayList<>();
        boolean isComplete = true;
        for (Map.Entry<Integer, ContainerSnapshot> losing : owned.entrySet()) {
            try {
                if (losing.getValue().isNeededForMerge()) {
                    ids.addAll(merged(losing.getKey(), losing.getValue()));
                }
            } catch (RuntimeException e) {
                isComplete = false;
                logger.warning(
                        "Could not send the cluster what the other side of the split granted, of "
                                + losing.getValue().tables().size() + " sequencers",
                        e);
            }
        }
        if (!ids.isEmpty() && !isProtected) {
            logger.warning("The network was split and both sides issued IDs; these may exist twice: " + ids);
            CompletableFuture<Void> unused = transport.sendToAll(new DuplicatesReported(ids));
        }
        return isComplete;
    }

    private List<PossibleDuplicates> merged(int partitionId, ContainerSnapshot container) {
        var request = new ContainerSnapshot.Losing(apartSinceMillis, container);
        return Answers.outcome(
                        "the merge of a partition",
                        transport.timeoutMillis(),
                        () -> transport.sendToOwner(partitionId, RequestType.MERGE, request))
                .ids();
    }
}
