// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionReplicationEvent;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The containers of the partitions that this member owns or backs up.
 *
 * <p>Detects a loss of a partition's data on the partition's thread, before any operation runs on a new owner.
 * Hazelcast's {@code PartitionLostEvent} comes later, and after a complete loss another member than the new owner
 * receives it. While the cluster runs, these are the losses of data:
 *
 * <ul>
 *   <li>An owner has no container ({@link #ownedOrMade}): the whole partition is lost. There is one exception: if
 *       replicas of the partition were only ever added ({@link #isFirstAssigned}), the partition is unused: a sequencer
 *       in it would have been sent to this member. The owner then makes a new container, which counts as lost if
 *       members have ever discarded their data ({@link GrantBounds#newContainer}).
 *   <li>A backup without a container is promoted ({@link #commitMigration}): the whole partition is lost.
 *   <li>A promoted backup never received all names ({@link PartitionContainer#becomeOwner}): the missing names are
 *       lost.
 *   <li>A promoted backup lacks node IDs of an existing sequencer, or its index is above the sequencer's backup count
 *       ({@link com.noctarius.snowcast.internal.owner.ReplicatedTable#becomeOwner}): that table is lost.
 *   <li>The data is older than the last time at which members discarded their data ({@link #discardIfOutdated}): the
 *       whole partition is lost. A member decides to discard in {@link MemberWatch#seekOrGoOn}, and the others hear of
 *       it with its confirmations ({@link com.noctarius.snowcast.internal.vote.Electorate.Vote}), unless it discards
 *       its own data only ({@link #discard}).
 * </ul>
 *
 * <p>A promotion never loses data that a migration has copied completely, unless that data is outdated.
 */
final class Containers {
    /** The maximum number of names in the log message about a loss of data. */
    private static final int SHOWN_NAMES = 20;

    private final NodeEngineImpl nodeEngine;
    private final GrantBounds bounds;
    private final ILogger logger;

    /**
     * The containers by partition ID; null for a partition without a container. The content of a container is used on
     * its partition's thread, with the exceptions that {@link PartitionContainer} names.
     */
    private volatile AtomicReferenceArray<@Nullable PartitionContainer> byPartition = new AtomicReferenceArray<>(0);

    /** The version of the list of members when this member last took over a partition whose owner had vanished. */
    private final AtomicInteger takenOverAtVersion = new AtomicInteger();

    /** Whether this member has discarded its own data, so that it no longer knows which partitions were never used. */
    private volatile boolean hasDiscarded;

    Containers(NodeEngineImpl nodeEngine, GrantBounds bounds, ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.bounds = bounds;
        this.logger = logger;
    }

    /** Removes all containers, because this member starts, or because it leaves its cluster. */
    void reset() {
        byPartition = new AtomicReferenceArray<>(partitions().getPartitionCount());
        takenOverAtVersion.set(0);
        hasDiscarded = false;
    }

    /**
     * Discards the data of this member only: what it owns counts as lost, and its copies are no longer used. Must be
     * called before this member may act again. The partitions' threads replace each container before they use it again.
     */
    void discard() {
        hasDiscarded = true;
        IntStream.range(0, partitionCount())
                .mapToObj(this::get)
                .flatMap(Stream::ofNullable)
                .forEach(PartitionContainer::discard);
    }

    private void noteTakeOver() {
        takenOverAtVersion.accumulateAndGet(nodeEngine.getClusterService().getMemberListVersion(), Math::max);
    }

    /** Returns {@link #takenOverAtVersion}; 0 if this member has taken over nothing in its cluster. */
    int takenOverAtVersion() {
        return takenOverAtVersion.get();
    }

    int partitionCount() {
        return byPartition.length();
    }

    /** Returns this member's container of a partition; null if there is none. */
    @Nullable
    PartitionContainer get(int partitionId) {
        return byPartition.get(partitionId);
    }

    /** Returns the {@linkplain PartitionContainer#names names} in the partitions that this member owns. */
    Stream<String> ownedNames() {
        return IntStream.range(0, partitionCount())
                .filter(this::isLocal)
                .mapToObj(this::get)
                .flatMap(Stream::ofNullable)
                .flatMap(PartitionContainer::names);
    }

    boolean isLocal(int partitionId) {
        return partition(partitionId).isLocal();
    }

    /** Returns whether this member is the owner of a partition, or a backup of any index. */
    boolean isReplica(int partitionId) {
        return partition(partitionId).getReplicaIndex(PartitionReplica.from(nodeEngine.getLocalMember())) >= 0;
    }

    @Nullable
    PartitionReplica owner(int partitionId) {
        return partition(partitionId).getReplica(0);
    }

    InternalPartition partition(int partitionId) {
        return partitions().getPartition(partitionId, false);
    }

    private InternalPartitionService partitions() {
        return nodeEngine.getPartitionService();
    }

    // --- for operations

    PartitionContainer ownedOrMade(int partitionId) {
        PartitionContainer container = discardIfOutdated(partitionId);
        if (container == null) {
            if (!partitions().isPartitionAssignmentDone()) {
                throw new RetryableHazelcastException("this member does not have the list of partitions yet");
            }
            if (!isFirstAssigned(partitionId)) {
                noteTakeOver();
                logLoss("The sequencers", partitionId, "this member became its owner without its data");
                return startOver(partitionId, null);
            }
            container = newContainer(partitionId);
        }
        return container;
    }

    /**
     * Makes a container that is marked as unsent. {@link ContainerMaker} therefore sends the container to the replicas
     * later, even if no request does this.
     */
    private PartitionContainer newContainer(int partitionId) {
        PartitionContainer container = bounds.newContainer();
        container.setUnsent(true);
        byPartition.set(partitionId, container);
        if (hasDiscarded) {
            container.discard(); // discard() may have run since isFirstAssigned, before this container was there.
        }
        return container;
    }

    /**
     * Returns a partition's container for a request that only reads. If there is none, returns a new
     * {@linkplain PartitionContainer#cold cold} container, which makes no grants. It is not stored, because a request
     * that only reads sends nothing to the backups, so the backups would lack the container.
     */
    PartitionContainer read(int partitionId) {
        PartitionContainer container = discardIfOutdated(partitionId);
        return container == null ? PartitionContainer.cold() : container;
    }

    /**
     * If the owner's container of a partition may have data from before the last time at which members discarded their
     * data, replaces it by a container that has lost its data. Returns the container; null if there is none.
     */
    @Nullable
    PartitionContainer discardIfOutdated(int partitionId) {
        PartitionContainer container = get(partitionId);
        return isOutdated(container) ? startOver(partitionId, container) : container;
    }

    private boolean isOutdated(@Nullable PartitionContainer container) {
        return container != null && (container.isDiscarded() || container.isOutdatedBy(bounds.discardedMillis()));
    }

    PartitionContainer backupOrMade(int partitionId) {
        PartitionContainer container = isLocal(partitionId) ? discardIfOutdated(partitionId) : get(partitionId);
        if (container == null || isOutdated(container)) {
            // Later it joins the owner's state, which has the end of the wait. Do not make it with containerAfterLoss:
            // a loss later than the owner's would keep join from counting the owner's names.
            container = PartitionContainer.cold(container);
            byPartition.set(partitionId, container);
        }
        return container;
    }

    /**
     * Joins data into this member's copy, and returns the copy. Throws if the sender has left, because the next owner
     * may lack that data. Also throws if the data may be from before the last time at which members discarded their
     * data.
     */
    PartitionContainer join(int partitionId, UUID sender, ContainerSnapshot sent) {
        if (nodeEngine.getClusterService().getMember(sender) == null) {
            throw new RetryableHazelcastException("sent by no member of this cluster: " + sender);
        }
        if (sent.state().lostSinceMillis() < bounds.discardedMillis()) {
            throw new RetryableHazelcastException(
                    "sent by no member of this cluster that has given up its data: " + sender);
        }
        PartitionReplica owner = owner(partitionId);
        PartitionContainer copy = backupOrMade(partitionId);
        copy.join(sent, sender, owner != null && owner.uuid().equals(sender));
        return copy;
    }

    /**
     * Returns the members that have to acknowledge a change that is about to be made. Throws if there are too few of
     * them, because Hazelcast itself counts a missing backup as having acknowledged.
     */
    List<UUID> requireBackups(int partitionId, int backupCount) {
        InternalPartition partition = partition(partitionId);
        int wanted = Math.min(backupCount, partitions().getMaxAllowedBackupCount());
        List<UUID> live = new ArrayList<>();
        for (int index = 1; index <= wanted; index++) {
            PartitionReplica replica = partition.getReplica(index);
            if (replica != null
                    && nodeEngine.getClusterService().getMember(replica.address(), replica.uuid()) != null) {
                live.add(replica.uuid());
            }
        }
        if (live.size() < wanted) {
            throw new RetryableHazelcastException("partition " + partitionId + " has " + live.size() + " of " + wanted
                    + " backups at present" + ClusterStates.whyNoBackupComes(nodeEngine));
        }
        return live;
    }

    // --- losses

    /**
     * Returns whether replicas were only ever added, by the first assignment or later by migrations, and this member
     * has discarded nothing. One removal is allowed: the owner may have left.
     *
     * <p>Every change of a replica increments the partition's version. If the version is the number of replicas, all
     * changes were additions. Before the master promotes a backup, it removes the owner that has left. The version is
     * then the number of the remaining replicas plus two. The version is higher than these numbers if a member without
     * data has replaced a member that had left, for example while the cluster may not migrate.
     *
     * <p>While a replica changes, this member may read a version that is too low by one, and report a loss that did not
     * happen. That version could hide a loss only while the owner is replaced directly: by a migration, which copies
     * the data, or in the list of partitions that a member receives when it joins, for which {@link #ownedOrMade}
     * waits.
     */
    private boolean isFirstAssigned(int partitionId) {
        InternalPartition partition = partition(partitionId);
        PartitionReplica[] replicas = partition.getReplicasCopy();
        int first = replicas[0] == null ? 1 : 0;
        int end = first;
        while (end < replicas.length && replicas[end] != null) {
            end++;
        }
        boolean isDense = Arrays.stream(replicas, end, replicas.length).allMatch(Objects::isNull);
        return !hasDiscarded && isDense && partition.version() == end + first;
    }

    /** Starts a partition over because this member does not know its grants, or discards its data. */
    private PartitionContainer startOver(int partitionId, @Nullable PartitionContainer former) {
        PartitionContainer container = bounds.containerAfterLoss(former);
        container.setUnsent(true); // Copies must not keep what the owner has lost.
        byPartition.set(partitionId, container);
        return container;
    }

    private void logLoss(String what, int partitionId, String how) {
        logger.warning(what + " of partition " + partitionId + " are lost: " + how
                + ". A sequencer with a lease of more than twice the allowed clock skew continues; others attach after "
                + Instant.ofEpochMilli(bounds.waitEndIfLostNow()));
    }

    private static String shown(List<String> names) {
        String some = names.stream().limit(SHOWN_NAMES).collect(Collectors.joining(", "));
        return names.size() <= SHOWN_NAMES ? some : some + ", and " + (names.size() - SHOWN_NAMES) + " more";
    }

    // --- migration

    /** Returns the data that a replica receives; null if its index is above the maximum backup count. */
    @Nullable
    ContainerSnapshot snapshotFor(PartitionReplicationEvent event) {
        return event.getReplicaIndex() > IPartition.MAX_BACKUP_COUNT
                ? null
                : ownedOrMade(event.getPartitionId()).snapshotFor(event.getReplicaIndex());
    }

    void beforeMigration(PartitionMigrationEvent event) {
        if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION) {
            PartitionContainer container = get(event.getPartitionId());
            if (event.getCurrentReplicaIndex() == -1) {
                // This member is not a replica yet. Data from an earlier time as a replica must not be mixed with the
                // new data.
                byPartition.set(event.getPartitionId(), null);
            } else if (container != null) {
                container.setCopied(false);
            } else if (event.getNewReplicaIndex() == 0 && isFirstAssigned(event.getPartitionId())) {
                // The owner is leaving, and has not sent a container yet.
                newContainer(event.getPartitionId());
            }
        }
    }

    /**
     * Handles a promotion of this member to the owner. An owner that leaves in order has copied its data to this member
     * before ({@link PartitionContainer#isCopied}). Hazelcast calls {@link #beforeMigration} before each promotion, so
     * that a copy of a former migration does not count.
     */
    void commitMigration(PartitionMigrationEvent event) {
        int partitionId = event.getPartitionId();
        if (event.getMigrationEndpoint() == MigrationEndpoint.SOURCE) {
            if (event.getNewReplicaIndex() == -1) {
                byPartition.set(partitionId, null);
            }
            return;
        }
        boolean promoted = event.getNewReplicaIndex() == 0 && event.getCurrentReplicaIndex() > 0;
        if (!promoted) {
            return;
        }
        PartitionContainer container = discardIfOutdated(partitionId);
        if (container == null || !container.isCopied()) {
            noteTakeOver();
        }
        if (container == null) {
            logLoss("The sequencers", partitionId, "its owner left and this member had no copy yet");
            startOver(partitionId, null);
        } else if (!container.isCopied()) {
            if (container.lacksNames()) {
                logLoss("Some sequencers", partitionId, "its owner left, and this member was not sent all names");
                container.setUnsent(true);
            }
            List<String> lost = container.becomeOwner(
                    event.getCurrentReplicaIndex(), bounds.clusterMillis(), bounds.waitEndIfLostNow());
            if (!lost.isEmpty()) {
                String how = "its owner left, and this member had no copy of what was granted, or not all of it";
                logLoss(shown(lost), partitionId, how);
            }
        }
    }

    void rollbackMigration(PartitionMigrationEvent event) {
        if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION && event.getCurrentReplicaIndex() == -1) {
            byPartition.set(event.getPartitionId(), null);
        }
    }

    // --- threads

    /** Submits an action to a partition's thread; does not wait for it. */
    void onPartitionThread(int partitionId, Runnable action) {
        nodeEngine.getOperationService().execute(new PartitionSpecificRunnable() {
            @Override
            public int getPartitionId() {
                return partitionId;
            }

            @Override
            public void run() {
                action.run();
            }
        });
    }

    /**
     * Calls a function for each partition on the partition's thread, and waits for the results. The map lacks a
     * partition if the function returned null or threw, if the calling thread was interrupted, or if the partition's
     * thread was busy for a minute. Functions that have not begun by then are not called.
     */
    <T> Map<Integer, T> onPartitionThreads(IntFunction<@Nullable T> function) {
        Map<Integer, CompletableFuture<@Nullable T>> calls = new HashMap<>();
        for (int partition = 0; partition < partitionCount(); partition++) {
            int partitionId = partition;
            calls.put(
                    partitionId,
                    CompletableFuture.supplyAsync(
                            () -> function.apply(partitionId), action -> onPartitionThread(partitionId, action)));
        }
        try {
            CompletableFuture.allOf(calls.values().toArray(CompletableFuture<?>[]::new))
                    .get(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            logger.warning(e);
        }
        Map<Integer, T> results = new HashMap<>();
        calls.forEach((partitionId, call) -> {
            boolean hasFailed = call.cancel(false) || call.isCompletedExceptionally();
            T result = hasFailed ? null : call.join();
            if (result != null) {
                results.put(partitionId, result);
            }
        });
        return results;
    }
}
