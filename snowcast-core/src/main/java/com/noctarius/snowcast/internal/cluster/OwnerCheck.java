// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.cluster.Handlers.Exemption;
import com.noctarius.snowcast.internal.cluster.Handlers.Handler;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Decides whether this member, which Hazelcast takes for the owner of a partition, may execute a request.
 * {@link RequestOperation} calls {@link #before} before it executes a request, and {@link #after} before it answers.
 * The request's {@linkplain Exemption exemptions} say which conditions do not apply. The exceptions are retryable, so
 * that Hazelcast sends the request again, except in a PASSIVE cluster, because that state does not end by itself.
 * Thread-safe.
 *
 * <p>The Javadoc of this package lists all that may refuse a request. Hazelcast's split-brain protection counts the
 * members that this member lists; the {@link Electorate} counts the members that list this member.
 */
final class OwnerCheck {
    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final OtherMembers otherMembers;
    private final GrantBounds bounds;
    private final Containers containers;

    /**
     * Set while this member moves to the winning side of a split, and when it shuts down as the last data member with a
     * high-water mark. While it is set, only requests with {@link Exemption#BEST_EFFORT} run.
     */
    private volatile boolean isLeaving;

    /** The permission to execute a request on a container; the {@code backups} have to acknowledge the change. */
    record Permit(PartitionContainer container, int backupCount, List<UUID> backups) {}

    OwnerCheck(
            NodeEngineImpl nodeEngine,
            Settings settings,
            OtherMembers otherMembers,
            GrantBounds bounds,
            Containers containers) {
        this.nodeEngine = nodeEngine;
        this.settings = settings;
        this.otherMembers = otherMembers;
        this.bounds = bounds;
        this.containers = containers;
    }

    /** Refuses requests from now on, because this member leaves its cluster. */
    void leave() {
        isLeaving = true;
    }

    /** Permits requests again, because this member joins another cluster without its former data. */
    void joined() {
        isLeaving = false;
    }

    /** Checks the conditions that apply to a request before it is executed, on the thread of its partition. */
    <Q> Permit before(int partitionId, Handler<Q, ?> handler, Q request) {
        Set<Exemption> exemptions = handler.exemptions();
        if (!exemptions.contains(Exemption.RUNS_WHILE_PASSIVE)) {
            ClusterStates.requireNotPassive(nodeEngine);
        }
        PartitionContainer container = exemptions.contains(Exemption.READS_ONLY)
                ? containers.read(partitionId)
                : containers.ownedOrMade(partitionId);
        int backupCount = handler.backups().applyAsInt(request, container);
        List<UUID> backups = requireMayAct(partitionId, backupCount, exemptions);
        requirePresent(partitionId, container);
        if (!exemptions.contains(Exemption.RUNS_WITHOUT_QUORUM)) {
            bounds.requireNotCold(container);
        }
        return new Permit(container, backupCount, backups);
    }

    /**
     * Checks, before a request is answered, that this member may still act, and that the backups of the partition have
     * not changed since {@link #before}. {@link Exemption#BEST_EFFORT} requests pass unless this member has discarded
     * its data.
     */
    void after(int partitionId, Handler<?, ?> handler, Permit permit) {
        List<UUID> backups = requireMayAct(partitionId, permit.backupCount, handler.exemptions());
        requirePresent(partitionId, permit.container);
        if (!backups.equals(permit.backups)) {
            // The change may have reached only the former backups.
            throw new RetryableHazelcastException(
                    "the backups of partition " + partitionId + " have changed since the request was carried out");
        }
    }

    /** Throws if a member has just discarded its data, so that the container of a request must not be used. */
    private void requirePresent(int partitionId, PartitionContainer container) {
        PartitionContainer present = containers.discardIfOutdated(partitionId);
        if (present != null && !present.equals(container)) {
            throw new RetryableHazelcastException("partition " + partitionId + " has given up its data");
        }
    }

    /** Throws if this member may not act; returns the members that have to acknowledge the change. */
    private List<UUID> requireMayAct(int partitionId, int backupCount, Set<Exemption> exemptions) {
        if (exemptions.contains(Exemption.BEST_EFFORT)) {
            return List.of();
        }
        if (isLeaving || otherMembers.hasConflictingSettings()) {
            throw new RetryableHazelcastException("this member leaves its cluster");
        }
        List<UUID> backups = containers.requireBackups(partitionId, backupCount);
        // Check the vote after the backups. The check of the backups has read the list of members, and the vote must
        // not be older than that list.
        if (!exemptions.contains(Exemption.RUNS_WITHOUT_VOTE)) {
            requireConfirmed();
        }
        return backups;
    }

    /** Requires the confirmations of other members, and that the settings of all older members are known. */
    private void requireConfirmed() {
        Member elder = otherMembers.unknownElder();
        if (elder != null) {
            throw notYet("it is not known yet how " + elder + " is set up");
        }
        Eligibility present = otherMembers.memberWatch().decide();
        if (present != Eligibility.CONFIRMED) {
            throw refusal(present);
        }
        // The owner decides by this cluster time, so an older member's cluster time must not replace it any more.
        otherMembers.clusterClock().use();
    }

    /** Returns why this member may not act. The check of the quorum here only finds the reason. */
    private RetryableHazelcastException refusal(Eligibility present) {
        Electorate electorate = otherMembers.electorate();
        if (present == Eligibility.BEHIND) {
            return notYet("at least " + electorate.missing()
                    + " more of the data members that confirm this one must know what"
                    + " was granted last: a quorum of the split-brain protection " + settings.protectionName()
                    + " that is gone may have granted more. This member continues when members that know have merged,"
                    + " or in some seconds without its data; then it attaches no holder for "
                    + settings.rules().lossWaitMillis() + " ms");
        }
        int confirmed = 1 + electorate.confirming().size();
        if (confirmed < settings.quorum()) {
            return notYet("only " + confirmed + " of the " + settings.quorum()
                    + " data members that split-brain protection " + settings.protectionName()
                    + " wants have lately confirmed that they list this one");
        }
        if (present == Eligibility.ISOLATED) {
            return new RetryableHazelcastException("this member has lost data members with which it last acted, "
                    + otherMembers.memberWatch().absentAddresses()
                    + ", and may have been removed by them; it continues when they have merged, or in "
                    + electorate.waitMillis() + " ms if none of them answers; pauses do not count");
        }
        return notYet("the majority of the data members with which this member last acted"
                + " has not lately confirmed that it lists this one");
    }

    /** Asks the other members again soon, because a request waits for their answers; returns the refusal. */
    private RetryableHazelcastException notYet(String why) {
        otherMembers.askUrgently();
        return new RetryableHazelcastException(why);
    }
}
