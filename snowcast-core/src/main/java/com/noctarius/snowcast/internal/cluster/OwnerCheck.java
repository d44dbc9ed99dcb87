// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.cluster.Handler.Exemption;
import com.noctarius.snowcast.internal.owner.Electorate.Eligibility;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Decides whether this member may carry out a request as the owner of a partition. {@code RequestOperation} asks once
 * before the request is carried out, and once before it is answered. A request's {@linkplain Exemption exemptions} say
 * which conditions do not apply to it. For most conditions Hazelcast then sends the request again, because the
 * exception is retryable; a PASSIVE cluster does not end by itself, and its exception is not retryable. Thread-safe.
 *
 * <p>These are the conditions on the member. Others can still refuse the request: {@link GrantBounds} (the high-water
 * mark), the table (it recovers from a loss) and Hazelcast's split-brain protection. That counts the members that this
 * one lists; the {@link com.noctarius.snowcast.internal.owner.Electorate} counts those that list this one.
 */
final class OwnerCheck {
    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final OtherMembers otherMembers;
    private final GrantBounds bounds;
    private final Containers containers;

    /**
     * Set while this member moves to the winning side of a split; or, with a high-water mark, since it shuts down as
     * the last data member. Only requests with {@link Exemption#SKIPS_CHECKS_OF_OWNER} still run.
     */
    private volatile boolean isHandingOver;

    /**
     * Permits a request to be carried out.
     *
     * @param container the data of the partition
     * @param backups the members that have to acknowledge the change
     */
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
        isHandingOver = true;
    }

    /** Permits requests again, because this member has joined another cluster without its former data. */
    void joined() {
        isHandingOver = false;
    }

    /** Checks all conditions before a request is carried out, on the thread of its partition. */
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
        if (!containers.isStillCurrent(partitionId, container)) {
            // The last confirmation has reported that.
            throw new RetryableHazelcastException("partition " + partitionId + " has given up its data");
        }
        if (!exemptions.contains(Exemption.NEEDS_NO_BEGINNING)) {
            bounds.requireBegun(container);
        }
        return new Permit(container, backupCount, backups);
    }

    /** Checks, before a request is answered, that this member may still act, and that the backups are the same. */
    void after(int partitionId, Handler<?, ?> handler, Permit permit) {
        List<UUID> backups = requireMayAct(partitionId, permit.backupCount, handler.exemptions());
        if (!backups.equals(permit.backups)) {
            // The change may have gone to the former or to the present backups.
            throw new RetryableHazelcastException(
                    "the backups of partition " + partitionId + " have changed since the request was carried out");
        }
    }

    /** Returns the members that have to acknowledge the change. */
    private List<UUID> requireMayAct(int partitionId, int backupCount, Set<Exemption> exemptions) {
        if (exemptions.contains(Exemption.SKIPS_CHECKS_OF_OWNER)) {
            return List.of();
        }
        if (isHandingOver || otherMembers.hasConflictingSettings()) {
            throw new RetryableHazelcastException("this member leaves its cluster");
        }
        List<UUID> backups = containers.requireBackups(partitionId, backupCount);
        // After the look at the members: a later look could shorten the list, and the quorum must not be older.
        if (!exemptions.contains(Exemption.GRANTS_NOTHING)) {
            requireConfirmed();
        }
        return backups;
    }

    /**
     * Requires that the others have not removed this member, and that its settings fit those of the members that joined
     * before it.
     */
    private void requireConfirmed() {
        Member elder = otherMembers.unknownElder();
        if (elder != null) {
            throw notYet("it is not known yet how " + elder + " is set up");
        }
        Eligibility present = otherMembers.memberWatch().look();
        if (present != Eligibility.CONFIRMED) {
            refuse(present);
        }
        // The request is decided by this cluster time, so the time of an older member must not replace it any more.
        otherMembers.clusterClock().use();
    }

    /** Throws an exception that says why this member may not act. The quorum is checked only for the reason. */
    private void refuse(Eligibility present) {
        MemberWatch watch = otherMembers.memberWatch();
        if (present == Eligibility.BEHIND) {
            throw notYet(
                    "at least " + watch.missing() + " more of the data members that confirm this one must know what"
                            + " was granted last: a quorum of the split-brain protection " + settings.protectionName()
                            + " that is gone may have granted more. This member continues when members that know have merged,"
                            + " or in some seconds without its data; then it attaches no holder for "
                            + settings.rules().recoveryMillis() + " ms");
        }
        int confirmed = watch.confirmed();
        if (confirmed < settings.quorum()) {
            throw notYet("only " + confirmed + " of the " + settings.quorum()
                    + " data members that split-brain protection " + settings.protectionName()
                    + " wants have lately confirmed that they list this one");
        }
        if (present == Eligibility.ISOLATED) {
            throw new RetryableHazelcastException("this member has lost data members with which it last acted, "
                    + watch.absentAddresses()
                    + ", and may have been removed by them; it continues when they have merged, or after another "
                    + watch.waitMillis() + " ms; time in which it is paused does not count");
        }
        throw notYet("the majority of the data members with which this member last acted"
                + " has not lately confirmed that it lists this one");
    }

    /** Asks the other members again without delay, because a request waits; returns the exception that says why. */
    private RetryableHazelcastException notYet(String why) {
        otherMembers.askUrgently();
        return new RetryableHazelcastException(why);
    }
}
