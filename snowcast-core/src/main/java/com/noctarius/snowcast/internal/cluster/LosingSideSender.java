// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends this member's data from the losing side of a split to the cluster that the member has joined, which merges it.
 *
 * @param apartSinceMillis since when the two clusters have been apart: see {@link ReplicatedTable#merge}
 */
record LosingSideSender(MemberTransport transport, ILogger logger, long apartSinceMillis) {
    /** How long all partitions together may take, in call time-outs. */
    private static final int CALL_TIMEOUTS = 2;

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
        Map<Integer, ContainerSnapshot> unsent = new HashMap<>();
        // Hazelcast lets this member shut down only when this method has returned, so the partitions share a deadline.
        long endNanos =
                SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(CALL_TIMEOUTS * transport.timeoutMillis());
        @Nullable RuntimeException firstFailure = null;
        for (Map.Entry<Integer, ContainerSnapshot> losing : owned.entrySet()) {
            if (!losing.getValue().isNeededForMerge()) {
                continue;
            }
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - SystemClock.INSTANCE.nanos());
            if (leftMillis <= 0) {
                unsent.put(losing.getKey(), losing.getValue());
                continue;
            }
            try {
                ids.addAll(merged(losing.getKey(), losing.getValue(), leftMillis));
            } catch (RuntimeException e) {
                firstFailure = firstFailure == null ? e : firstFailure;
                unsent.put(losing.getKey(), losing.getValue());
            }
        }
        if (!unsent.isEmpty()) {
            logger.warning(
                    "Could not send the cluster what the other side of the split granted, of "
                            + unsent.values().stream()
                                    .mapToInt(each -> each.tables().size())
                                    .sum()
                            + " sequencers of the partitions " + unsent.keySet()
                            + (isProtected ? "" : "; their IDs may exist twice, and no report names them"),
                    firstFailure);
        }
        if (!ids.isEmpty() && !isProtected) {
            logger.warning("The network was split and both sides issued IDs; these may exist twice: " + ids);
            CompletableFuture<Void> unused = transport.sendToAll(new DuplicatesReported(ids));
        }
        return unsent.isEmpty();
    }

    private List<PossibleDuplicates> merged(int partitionId, ContainerSnapshot container, long leftMillis) {
        var request = new ContainerSnapshot.Losing(apartSinceMillis, container);
        return Answers.outcome(
                        "the merge of a partition",
                        Math.min(leftMillis, transport.timeoutMillis()),
                        () -> transport.sendToOwner(partitionId, RequestType.MERGE, request))
                .ids();
    }
}
