// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What this member does if it is on the losing side of a split: it joins the winning cluster without its data, and
 * sends its data there, where the owners merge it. Thread-safe.
 */
final class LosingSide {
    /** How long all partitions together may take, in call time-outs. */
    private static final int CALL_TIMEOUTS = 2;

    /** If a split lasts longer, the merge reports IDs from before it, too. */
    private static final long MAX_SPLIT_MILLIS = TimeUnit.DAYS.toMillis(30);

    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final OtherMembers otherMembers;
    private final Containers containers;
    private final MemberTransport transport;
    private final ILogger logger;

    /** When members were removed from this member's list, in cluster time; for {@link #MAX_SPLIT_MILLIS}. */
    private final Map<UUID, Long> removedMillis = new ConcurrentHashMap<>();

    private volatile boolean hasSentAll = true;

    LosingSide(
            NodeEngineImpl nodeEngine,
            Settings settings,
            OtherMembers otherMembers,
            Containers containers,
            MemberTransport transport,
            ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.settings = settings;
        this.otherMembers = otherMembers;
        this.containers = containers;
        this.transport = transport;
        this.logger = logger;
    }

    /** Records that a member was removed from the list of members, which may be the beginning of a split. */
    void removed(UUID member) {
        long nowMillis = otherMembers.clusterClock().millis();
        removedMillis.values().removeIf(millis -> nowMillis - millis > MAX_SPLIT_MILLIS);
        removedMillis.put(member, nowMillis);
    }

    /** Forgets which members were removed, because this member joins another cluster. */
    void reset() {
        removedMillis.clear();
    }

    /** Returns false if this member has left the losing side of a split, and has not sent all data from there. */
    boolean hasSentAll() {
        return hasSentAll;
    }

    /**
     * Collects the data of the partitions that this member owns, which must make no grants any more; waits for the
     * partitions' threads. Returns the task that sends the data, to be run in the winning cluster.
     */
    Runnable leave() {
        Electorate electorate = otherMembers.electorate();
        UUID formerUuid = electorate.self();
        electorate.leavesLosingSide();
        Set<UUID> losing = electorate.listed();
        Map<Integer, Optional<ContainerSnapshot>> read = containers.onPartitionThreads(this::owned);
        Map<Integer, ContainerSnapshot> owned = new HashMap<>();
        read.forEach((partitionId, data) -> data.ifPresent(present -> owned.put(partitionId, present)));
        boolean isAll = read.size() == containers.partitionCount();
        long nowMillis = otherMembers.clusterClock().millis();
        boolean hasAll = areAllOwnedBy(losing) && owned.values().stream().noneMatch(each -> each.isWaiting(nowMillis));
        boolean isProtected = electorate.doQuorumsOverlap();
        Map<UUID, Long> removed = Map.copyOf(removedMillis);
        boolean hadSentAll = hasSentAll;
        hasSentAll = false; // Stays so if the task does not run, or ends with an exception.
        return () -> {
            boolean isSent = false;
            try {
                isSent = send(owned, isProtected, apartSinceMillis(removed)) && isAll;
                hasSentAll = hadSentAll && isSent;
            } finally {
                otherMembers.sentData(isSent && hasAll ? formerUuid : null);
            }
        };
    }

    /** Returns the data of a partition on its thread; empty if this member is not the owner. */
    private Optional<ContainerSnapshot> owned(int partitionId) {
        PartitionReplica owner = containers.owner(partitionId);
        // Compare addresses, because in a merge this member already has a new UUID.
        return owner != null && owner.address().equals(nodeEngine.getThisAddress())
                ? Optional.of(containers.ownedOrMade(partitionId).snapshotFor(0))
                : Optional.empty();
    }

    private boolean areAllOwnedBy(Set<UUID> members) {
        return IntStream.range(0, containers.partitionCount())
                .mapToObj(containers::owner)
                .allMatch(owner -> owner != null && members.contains(owner.uuid()));
    }

    /**
     * Returns a lower bound, in cluster time, for the moment at which the two clusters parted; 0 if this member has
     * seen no member of the joined cluster leave the former one. See {@link ReplicatedTable#merge}.
     */
    private long apartSinceMillis(Map<UUID, Long> removed) {
        long firstRemoved = nodeEngine.getClusterService().getMembers().stream()
                .map(member -> removed.get(member.getUuid()))
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .min()
                .orElse(0);
        // An upper bound for the time from the split to the removal, plus the allowed difference between the clocks of
        // the two sides.
        long unnoticedMillis =
                settings.rules().lossWaitMillis() - settings.setup().maxLeaseMillis();
        return Math.max(firstRemoved - unnoticedMillis, 0);
    }

    /**
     * Sends partitions, one by one; returns whether all were merged. A container without names is sent, too, if it has
     * lost its data: the winning side must wait for the lost leases. Blocks.
     *
     * @param owned this member's containers by partition ID
     * @param isProtected whether split-brain protection has kept one of the sides from granting, so that there is
     *     nothing to report
     */
    private boolean send(Map<Integer, ContainerSnapshot> owned, boolean isProtected, long apartSinceMillis) {
        Map<Integer, ContainerSnapshot> unsent = new HashMap<>(owned);
        unsent.values().removeIf(container -> !container.isNeededForMerge());
        List<PossibleDuplicates> ids = new ArrayList<>();
        // Hazelcast lets this member shut down only when this method has returned, so the partitions share a deadline.
        long endNanos =
                SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(CALL_TIMEOUTS * transport.timeoutMillis());
        @Nullable RuntimeException firstFailure = null;
        for (Map.Entry<Integer, ContainerSnapshot> each : List.copyOf(unsent.entrySet())) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - SystemClock.INSTANCE.nanos());
            if (leftMillis <= 0) {
                break;
            }
            try {
                var request = new ContainerSnapshot.Losing(apartSinceMillis, each.getValue());
                ids.addAll(merged(each.getKey(), request, leftMillis));
                unsent.remove(each.getKey());
            } catch (RuntimeException e) {
                firstFailure = firstFailure == null ? e : firstFailure;
            }
        }
        if (!unsent.isEmpty()) {
            int names = unsent.values().stream()
                    .mapToInt(each -> each.tables().size())
                    .sum();
            logger.warning(
                    "Could not send the cluster what the other side of the split granted, of " + names
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

    private List<PossibleDuplicates> merged(int partitionId, ContainerSnapshot.Losing request, long leftMillis) {
        return Answers.outcome(
                        "the merge of a partition",
                        Math.min(leftMillis, transport.timeoutMillis()),
                        () -> transport.sendToOwner(partitionId, RequestType.MERGE, request))
                .ids();
    }
}
