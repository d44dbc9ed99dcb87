// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.owner.ContainerSnapshot.ContainerState.COLD;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.DurableHighWaterMark.Unwritable;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.owner.TableRules;
import java.util.List;
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

    GrantBounds(
            NodeEngineImpl nodeEngine,
            LongSupplier clusterClock,
            Settings settings,
            OtherMembers otherMembers,
            @Nullable DurableHighWaterMark highWaterMark) {
        this.nodeEngine = nodeEngine;
        this.clusterClock = clusterClock;
        this.settings = settings;
        this.otherMembers = otherMembers;
        this.highWaterMark = highWaterMark;
    }

    long clusterMillis() {
        return clusterClock.getAsLong();
    }

    TableRules rules() {
        return highWaterMark == null
                ? settings.rules()
                : settings.rules().withDurableUntil(highWaterMark.untilMillis(), problemOf(highWaterMark.unwritable()));
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
                        + settings.highWaterMarkDirectory() + ", cannot be written since " + present.since() + ": "
                        + present.problem();
    }
}
