// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Unites what this member owned on the losing side of a split network with the cluster that it has joined. */
final class SplitBrainMerge {
    private final MemberTransport transport;
    private final ILogger logger;
    private final List<PossibleDuplicates> ids = new ArrayList<>();
    private final List<PossibleDuplicateIntegers> integers = new ArrayList<>();
    private boolean isComplete = true;

    SplitBrainMerge(MemberTransport transport, ILogger logger) {
        this.transport = transport;
        this.logger = logger;
    }

    /** Merges partitions; returns whether the cluster was sent everything. Blocks. */
    boolean merge(Collection<ContainerSnapshot> owned) {
        owned.stream()
                .filter(partition -> partition.all().findAny().isPresent())
                .forEach(this::mergePartition);
        if (!ids.isEmpty() || !integers.isEmpty()) {
            logger.warning("The network was split and both sides issued IDs; these may exist twice: " + ids + integers);
            CompletableFuture<Void> unused = transport.sendToAll(new DuplicatesReported(ids, integers));
        }
        return isComplete;
    }

    private void mergePartition(ContainerSnapshot losing) {
        try {
            DuplicatesReported found = transport.ask(RequestType.MERGE, "the merge of a partition", losing);
            ids.addAll(found.ids());
            integers.addAll(found.integers());
        } catch (RuntimeException e) {
            isComplete = false;
            logger.warning(
                    "Could not send the cluster what the other side of the split granted and handed out, of "
                            + losing.tables().size() + " sequencers and "
                            + losing.pools().size() + " integer sequences",
                    e);
        }
    }
}
