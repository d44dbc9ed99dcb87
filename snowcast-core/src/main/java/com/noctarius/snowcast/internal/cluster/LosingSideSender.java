// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends this member's data from the losing side of a split to the cluster that the member has joined. That cluster
 * merges the data.
 */
final class LosingSideSender {
    private final MemberTransport transport;
    private final ILogger logger;
    private final long apartSinceMillis;

    /**
     * Makes a sender for two clusters that have been apart since {@code apartSinceMillis}: see
     * {@link ReplicatedTable#merge}.
     */
    LosingSideSender(MemberTransport transport, ILogger logger, long apartSinceMillis) {
        this.transport = transport;
        this.logger = logger;
        this.apartSinceMillis = apartSinceMillis;
    }

    /**
     * Sends partitions, one by one; returns whether all were merged. Blocks.
     *
     * @param isProtected whether split-brain protection has kept one of the sides from granting, so that there is
     *     nothing to report
     */
    boolean send(Collection<ContainerSnapshot> owned, boolean isProtected) {
        List<PossibleDuplicates> ids = new ArrayList<>();
        boolean isComplete = true;
        for (ContainerSnapshot losing : owned) {
            try {
                if (!losing.tables().isEmpty()) {
                    var request = new ContainerSnapshot.Losing(apartSinceMillis, losing);
                    ids.addAll(transport
                            .ask(RequestType.MERGE, "the merge of a partition", request)
                            .ids());
                }
            } catch (RuntimeException e) {
                isComplete = false;
                logger.warning(
                        "Could not send the cluster what the other side of the split granted, of "
                                + losing.tables().size() + " sequencers",
                        e);
            }
        }
        if (!ids.isEmpty() && !isProtected) {
            logger.warning("The network was split and both sides issued IDs; these may exist twice: " + ids);
            CompletableFuture<Void> unused = transport.sendToAll(new DuplicatesReported(ids));
        }
        return isComplete;
    }
}
