// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState.COLD;

import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.vote.Electorate;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the grants that this member makes as an owner: where grants may begin after a start of the whole
 * cluster or a loss of data, and how far they may reach. The bounds depend on the high-water mark, if this member has
 * one, and on the wait after a full restart. Thread-safe.
 */
final class GrantBounds {
    private final NodeEngineImpl nodeEngine;
    private final LongSupplier clusterClock;
    private final Settings settings;
    private final OtherMembers otherMembers;
    private final @Nullable DurableHighWaterMark highWaterMark;
    private final ILogger logger;
    private final AtomicBoolean writing = new AtomicBoolean();
    /** Why the mark cannot be written; null while writes succeed. Set by the only task that writes the mark. */
    private volatile @Nullable Unwritable unwritable;

    private record Unwritable(Instant since, String problem) {}

    GrantBounds(
            NodeEngineImpl nodeEngine,
            LongSupplier clusterClock,
            Settings settings,
            OtherMembers otherMembers,
            @Nullable DurableHighWaterMark highWaterMark,
            ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.clusterClock = clusterClock;
        this.settings = settings;
        this.otherMembers = otherMembers;
        this.highWaterMark = highWaterMark;
        this.logger = logger;
    }

    long clusterMillis() {
        return clusterClock.getAsLong();
    }

    TableRules rules() {
        return highWaterMark == null
                ? settings.rules()
                : settings.rules().withDurableUntil(highWaterMark.untilMillis(), problemOf(unwritable));
    }

    // --- where grants begin

    /** Makes the container of a partition that has had no data since the start of the cluster. */
    PartitionContainer newContainer() {
        if (discardedMillis() > 0) {
            return containerAfterLoss(null);
        }
        return startsCold() ? PartitionContainer.cold() : new PartitionContainer();
    }

    /** Returns whether containers make no grants until {@link OtherMembers#startMark()} is known. */
    private boolean startsCold() {
        return settings.fullRestartWaitMillis() > 0 || highWaterMark != null;
    }

    /**
     * Makes the container of an owner that has lost the former grants. {@code former} is the container that the owner
     * discards, if any.
     */
    PartitionContainer containerAfterLoss(@Nullable PartitionContainer former) {
        // At least the moment at which members last discarded their data: before it, this container would be outdated.
        long sinceMillis = Math.max(clusterMillis(), discardedMillis());
        boolean isCold = startsCold() && otherMembers.startMark() == null;
        return PartitionContainer.afterLoss(sinceMillis, isCold ? COLD.waitEndMillis() : waitEndIfLostNow(), former);
    }

    /**
     * Returns when members of this cluster last discarded their data, in cluster time; 0 if never. Data from before
     * this time must not be used.
     */
    long discardedMillis() {
        return otherMembers.electorate().discardedMillis();
    }

    /** Returns the cluster time at which all grants will have expired if data is lost now. */
    long waitEndIfLostNow() {
        // If a clock was set back, grants from before the start of the cluster may end later than the lost grants.
        HighWaterMark startMark = otherMembers.startMark();
        long grantedUntilMillis = startMark == null ? 0 : startMark.untilMillis();
        return Math.max(clusterMillis() + settings.rules().lossWaitMillis(), grantedUntilMillis);
    }

    /**
     * Ends the cold state of a container; throws, for a retry, if {@link OtherMembers#startMark()} is not known yet.
     */
    void requireNotCold(PartitionContainer container) {
        endColdIfPossible(container);
        if (container.isCold()) {
            throw new RetryableHazelcastException(
                    "after the start of the cluster, " + otherMembers.awaitedForStartMark() + " awaited");
        }
    }

    /** Ends the cold state of a container if {@link OtherMembers#startMark()} is known. */
    void endColdIfPossible(PartitionContainer container) {
        HighWaterMark startMark = container.isCold() ? otherMembers.startMark() : null;
        if (startMark != null) {
            // If the settings require a wait, and the cluster's wait is over already, this container has its own wait,
            // which starts now.
            boolean isOver = startMark.untilMillis() <= clusterMillis();
            long wait = isOver ? settings.fullRestartWaitMillis() : 0;
            long startMillis = wait == 0 ? startMark.untilMillis() : clusterMillis() + wait;
            container.endCold(container.hasLostData() ? Math.max(startMillis, waitEndIfLostNow()) : startMillis);
        }
    }

    // --- how far grants may reach

    /**
     * Returns the rules for an attach request. If this member has a high-water mark, throws until the mark was written
     * for the first time.
     */
    TableRules rulesToAttach() {
        TableRules present = rules();
        if (present.durableUntilMillis() == 0) {
            throw present.durableProblem().isEmpty()
                    ? new RetryableHazelcastException("the high-water mark was not written yet")
                    : new SnowcastUnavailableException(present.durableProblem(), null);
        }
        return present;
    }

    /**
     * Returns the rules for renewals; throws if no renewal is possible because the high-water mark cannot be written.
     */
    TableRules rulesToRenew(List<RenewRequest> requests) {
        TableRules present = rules();
        if (!present.durableProblem().isEmpty()
                && requests.stream()
                        .allMatch(request -> request.ceiling() >= present.maxCeiling(request.definition()))) {
            throw new SnowcastUnavailableException(present.durableProblem(), null);
        }
        return present;
    }

    /** Returns why the mark cannot be written, for a message; empty while writes succeed. */
    private String problemOf(@Nullable Unwritable present) {
        return present == null
                ? ""
                : "the high-water mark of member " + nodeEngine.getThisAddress() + ", snowcast.high.water.mark.dir="
                        + settings.highWaterMarkDirectory() + ", cannot be written since " + present.since + ": "
                        + present.problem;
    }

    /**
     * Writes the mark if it is due, but not before a grant is possible, because an earlier write would raise a mark
     * that {@link #close} has lowered.
     */
    void writeIfDue(Executor writer) {
        DurableHighWaterMark present = highWaterMark;
        HighWaterMark startMark = present == null ? null : otherMembers.startMark();
        if (present != null
                && startMark != null
                && nodeEngine.getPartitionService().isPartitionAssignmentDone()
                && present.isReserveDue(clusterMillis())
                && writing.compareAndSet(false, true)) {
            writer.execute(() -> {
                try {
                    present.reserve(startMark, clusterMillis());
                    written();
                } catch (IOException e) {
                    notWritten(e);
                } finally {
                    writing.set(false);
                }
            });
        }
    }

    private void written() {
        Unwritable former = unwritable;
        unwritable = null;
        if (former != null) {
            logger.warning("The high-water mark is written again; it failed since " + former.since);
        }
    }

    private void notWritten(IOException e) {
        Unwritable former = unwritable;
        unwritable =
                new Unwritable(former == null ? Instant.ofEpochMilli(clusterMillis()) : former.since, e.toString());
        if (former == null) {
            logger.warning("Could not write the high-water mark; no grant reaches beyond the former one", e);
        }
    }

    void show(MetricSink sink) {
        if (highWaterMark != null && !nodeEngine.getLocalMember().isLiteMember()) {
            sink.count(null, "highWaterMarkWritable", unwritable == null ? 1 : 0);
            sink.millis(null, "highWaterMarkRemaining", Math.max(highWaterMark.untilMillis() - clusterMillis(), 0));
        }
    }

    boolean hasMark() {
        return highWaterMark != null;
    }

    /**
     * Returns whether {@link #close} can lower the high-water mark: there is one, {@link OtherMembers#startMark()} is
     * known, and no members that vanished can have removed this member and act without it. The mark of one of them may
     * be handed over, and this one must not outweigh it. They can if this member has taken over from a vanished owner
     * and has not acted since, or if they can be a quorum, also with members that join later.
     *
     * @param takenOverAtVersion the version of the list of members when this member last took over from a vanished
     *     owner
     */
    boolean canClose(int takenOverAtVersion) {
        Electorate electorate = otherMembers.electorate();
        boolean isQuorumAbsent =
                electorate.doQuorumsOverlap() && electorate.absent().size() >= settings.quorum();
        boolean mayBeRemoved = isQuorumAbsent || takenOverAtVersion > electorate.actedAtVersion();
        return highWaterMark != null && otherMembers.startMark() != null && !mayBeRemoved;
    }

    /** Marks that this member has handed all its partitions over. */
    void leave() {
        if (highWaterMark != null) {
            try {
                highWaterMark.leave();
            } catch (IOException e) {
                notClosed(e);
            }
        }
    }

    /** Lowers the mark to the end of all grants. Only the last member of the cluster knows all grants. */
    void close(long usedUntilMillis) {
        HighWaterMark startMark = otherMembers.startMark();
        if (highWaterMark != null && startMark != null) {
            try {
                highWaterMark.close(startMark, usedUntilMillis, clusterMillis());
            } catch (IOException e) {
                notClosed(e);
            }
        }
    }

    private void notClosed(IOException e) {
        logger.warning("Could not close the high-water mark; the next start waits longer than it need", e);
    }
}
