// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Lets the owners of partitions make missing containers, and send new containers to all replicas: by
 * {@link RequestType#MAKE_CONTAINER} requests, so that this does not wait until a name is used. Thread-safe.
 */
final class ContainerMaker {
    /** For how many milliseconds a member that shuts down waits for owners that do not answer. */
    private static final long MAX_LEAVING_MILLIS = 1_000;

    private final NodeEngineImpl nodeEngine;
    private final OtherMembers otherMembers;
    private final Containers containers;
    private final MemberTransport transport;
    private final ILogger logger;

    /** The partitions for which {@link #makeDue} awaits an answer. */
    private final Set<Integer> requested = ConcurrentHashMap.newKeySet();

    ContainerMaker(
            NodeEngineImpl nodeEngine,
            OtherMembers otherMembers,
            Containers containers,
            MemberTransport transport,
            ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.otherMembers = otherMembers;
        this.containers = containers;
        this.transport = transport;
        this.logger = logger;
    }

    /**
     * Makes the missing containers of the partitions that this member owns, and copies of new containers on the
     * backups, soon after the assignment: later a new partition could not be distinguished from one that has lost its
     * data. After a full restart, also ends the cold state of the containers. Also lets the owners send the copies that
     * this member has {@linkplain Containers#discard discarded}.
     */
    void makeDue() {
        // A member that shuts down would retry the requests until its end, and Hazelcast would log that.
        boolean isRunning =
                nodeEngine.getHazelcastInstance().getLifecycleService().isRunning();
        if (!isRunning || !nodeEngine.getPartitionService().isPartitionAssignmentDone()) {
            return;
        }
        boolean canEndCold = otherMembers.startMark() != null;
        for (int id = 0; id < containers.partitionCount(); id++) {
            int partitionId = id;
            if (isDue(partitionId, canEndCold) && requested.add(partitionId)) {
                CompletableFuture<?> unused =
                        make(partitionId).whenComplete((made, failure) -> requested.remove(partitionId));
            }
        }
    }

    private boolean isDue(int partitionId, boolean canEndCold) {
        PartitionContainer container = containers.get(partitionId);
        boolean isOwnersDue = container == null || container.isUnsent() || (canEndCold && container.isCold());
        boolean isDiscarded = container != null && container.isDiscarded();
        return (isOwnersDue && containers.isLocal(partitionId)) || (isDiscarded && containers.isReplica(partitionId));
    }

    private CompletableFuture<?> make(int partitionId) {
        PartitionContainer before = containers.get(partitionId);
        return transport
                .sendToOwner(partitionId, RequestType.MAKE_CONTAINER, RequestType.Nothing.NOTHING)
                .whenComplete((made, failure) -> {
                    PartitionContainer container = containers.get(partitionId);
                    if (failure != null) {
                        logger.fine("Could not make the container of partition " + partitionId, failure);
                    } else if (container != null && (before == null || before.equals(container))) {
                        container.setUnsent(false); // A container that has replaced "before" stays unsent.
                    }
                });
    }

    /** Makes the missing containers of this member's replicas, for the same reason as {@link #makeDue}. */
    void makeMissingBeforeLeaving() {
        List<CompletableFuture<?>> made = IntStream.range(0, containers.partitionCount())
                .filter(partitionId -> containers.get(partitionId) == null && containers.isReplica(partitionId))
                .<CompletableFuture<?>>mapToObj(this::make)
                .toList();
        try {
            Answers.awaitAll("containers", MAX_LEAVING_MILLIS, made);
        } catch (RuntimeException e) {
            logger.fine("Leaving though containers could not be made", e);
        }
    }
}
