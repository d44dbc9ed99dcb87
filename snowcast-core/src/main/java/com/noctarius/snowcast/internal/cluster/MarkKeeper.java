// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.cluster.DurableHighWaterMark.Unwritable;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.vote.Electorate;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes this member's high-water mark before grants reach it. When the member shuts down, marks it as handed over, or
 * lowers it to the end of all grants. Thread-safe.
 */
final class MarkKeeper {
    /** For how long a member waits, after it has handed its partitions over, until it knows that. */
    private static final long HAND_OVER_NEWS_MILLIS = 5_000;

    private static final long HAND_OVER_CHECK_MILLIS = 10;

    private final DurableHighWaterMark mark;
    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final OtherMembers otherMembers;
    private final Containers containers;
    private final OwnerCheck ownerCheck;
    private final ILogger logger;
    private final AtomicBoolean writing = new AtomicBoolean();

    MarkKeeper(
            DurableHighWaterMark mark,
            NodeEngineImpl nodeEngine,
            Settings settings,
            OtherMembers otherMembers,
            Containers containers,
            OwnerCheck ownerCheck,
            ILogger logger) {
        this.mark = mark;
        this.nodeEngine = nodeEngine;
        this.settings = settings;
        this.otherMembers = otherMembers;
        this.containers = containers;
        this.ownerCheck = ownerCheck;
        this.logger = logger;
    }

    private long clusterMillis() {
        return otherMembers.clusterClock().millis();
    }

    /**
     * Writes the mark if it is due, but not before a grant is possible, because an earlier write would raise a mark
     * that {@link #closeIfLast} has lowered.
     */
    void writeIfDue(Executor writer) {
        HighWaterMark startMark = otherMembers.startMark();
        if (startMark != null
                && nodeEngine.getPartitionService().isPartitionAssignmentDone()
                && mark.isReserveDue(clusterMillis())
                && writing.compareAndSet(false, true)) {
            writer.execute(() -> {
                try {
                    write(startMark);
                } finally {
                    writing.set(false);
                }
            });
        }
    }

    private void write(HighWaterMark startMark) {
        Unwritable former = mark.unwritable();
        try {
            mark.reserve(startMark, clusterMillis());
            if (former != null && mark.unwritable() == null) {
                logger.warning("The high-water mark is written again; it failed since " + former.since());
            }
        } catch (IOException e) {
            if (former == null) {
                logger.warning("Could not write the high-water mark; no grant reaches beyond the former one", e);
            }
        }
    }

    void show(MetricSink sink) {
        if (!nodeEngine.getLocalMember().isLiteMember()) {
            sink.count(null, "highWaterMarkWritable", mark.unwritable() == null ? 1 : 0);
            sink.millis(null, "highWaterMarkRemaining", Math.max(mark.untilMillis() - clusterMillis(), 0));
        }
    }

    // --- the end of the member

    /**
     * Waits until Hazelcast has handed over the partitions of this member, and then for some seconds until this member
     * knows it. Without the last news, it would leave its high-water mark open. If all members stop at once, Hazelcast
     * hands nothing over.
     */
    void awaitHandOver(long timeoutMillis) {
        nodeEngine.getPartitionService().onShutdown(timeoutMillis, TimeUnit.MILLISECONDS);
        long newsMillis = Math.min(timeoutMillis, HAND_OVER_NEWS_MILLIS);
        try {
            for (long millis = 0; millis < newsMillis && mustAwaitHandOver(); millis += HAND_OVER_CHECK_MILLIS) {
                TimeUnit.MILLISECONDS.sleep(HAND_OVER_CHECK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean mustAwaitHandOver() {
        ClusterService cluster = nodeEngine.getClusterService();
        return cluster.isJoined()
                && cluster.getClusterState().isMigrationAllowed()
                && !isLastDataMember()
                && !areHandedOver();
    }

    private boolean isLastDataMember() {
        return nodeEngine.getClusterService().getSize(MemberSelectors.DATA_MEMBER_SELECTOR) == 1;
    }

    /**
     * Returns whether this member, at its end, has handed over all partitions of which it has had a replica: other
     * members own them. It has not if the cluster may not migrate, or if the time for it was over.
     */
    private boolean areHandedOver() {
        return IntStream.range(0, containers.partitionCount())
                .allMatch(partitionId -> containers.get(partitionId) == null
                        || (containers.owner(partitionId) != null && !containers.isReplica(partitionId)));
    }

    /** Marks that this member has handed all its partitions over, if it has. */
    void leaveIfHandedOver() {
        if (areHandedOver()) {
            try {
                mark.leave();
            } catch (IOException e) {
                notClosed(e);
            }
        }
    }

    /**
     * Lowers the mark to the end of all grants if this member, the last data member of the cluster, knows all grants.
     * Refuses requests from then on.
     */
    void closeIfLast() {
        HighWaterMark startMark = otherMembers.startMark();
        if (startMark == null || mayBeRemoved() || !isLastDataMember()) {
            return;
        }
        ownerCheck.leave();
        Map<Integer, Long> usedUntilMillis = containers.onPartitionThreads(this::usedUntilMillis);
        // A member that has joined in the meantime may own partitions; its own mark, which is open, counts, too.
        if (usedUntilMillis.size() == containers.partitionCount() && isLastDataMember()) {
            long latestMillis = usedUntilMillis.values().stream().reduce(0L, Math::max);
            try {
                mark.close(startMark, latestMillis, clusterMillis());
            } catch (IOException e) {
                notClosed(e);
            }
        }
    }

    /**
     * Returns whether members that vanished can have removed this member, and act without it. The mark of one of them
     * may be handed over, and this one must not outweigh it. They can if this member has taken over from a vanished
     * owner and has not acted since, or if they can be a quorum, also with members that join later.
     */
    private boolean mayBeRemoved() {
        Electorate electorate = otherMembers.electorate();
        boolean isQuorumAbsent =
                electorate.doQuorumsOverlap() && electorate.absent().size() >= settings.quorum();
        return isQuorumAbsent || containers.takenOverAtVersion() > electorate.actedAtVersion();
    }

    /**
     * Returns, on a partition's thread, a time by which all its grants end, in milliseconds since 1970; null unless
     * this member owns the partition and has all its data.
     */
    private @Nullable Long usedUntilMillis(int partitionId) {
        InternalPartition partition = containers.partition(partitionId);
        // Count only owned partitions: if an owner has just crashed, this member's backup may lack grants.
        PartitionContainer container = partition.isLocal() ? containers.discardIfOutdated(partitionId) : null;
        return container == null || container.isCold() || partition.isMigrating()
                ? null
                : container.usedUntilMillis(settings.rules());
    }

    private void notClosed(IOException e) {
        logger.warning("Could not close the high-water mark; the next start waits longer than it need", e);
    }
}
