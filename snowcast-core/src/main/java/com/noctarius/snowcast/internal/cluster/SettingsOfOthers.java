// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.wire.Peer;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Compares the settings of this member with those of the other members: logs differences, and shuts this member down if
 * its settings conflict with those of an older member. Thread-safe.
 */
final class SettingsOfOthers {
    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final ILogger logger;

    /** The last warning about each member whose safety settings differ from this member's. */
    private final Map<UUID, String> warnedOf = new ConcurrentHashMap<>();

    private final AtomicBoolean isInConflict = new AtomicBoolean();

    /**
     * The number of data members at the last warning that the quorum is not a majority. Used by one thread at a time.
     */
    private int warnedOfMembers;

    SettingsOfOthers(NodeEngineImpl nodeEngine, Settings settings, ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.settings = settings;
        this.logger = logger;
    }

    /** Returns whether this member shuts down because its settings conflict with the settings of an older member. */
    boolean isInConflict() {
        return isInConflict.get();
    }

    /**
     * Compares the settings of another member; returns false if they conflict.
     *
     * @param isElder whether the other member is older; a younger one compares the settings itself
     */
    boolean fit(Member member, boolean isElder, Peer.Setup there) {
        String conflict = isElder ? conflictWith(member, there) : null;
        if (conflict == null) {
            warnOfDifference(member, there);
        } else if (isInConflict.compareAndSet(false, true)) {
            leaveBecause(conflict + " on " + member);
        }
        return conflict == null;
    }

    private @Nullable String conflictWith(Member elder, Peer.Setup setup) {
        String conflict = settings.conflictWith(setup);
        return conflict == null && areOwners(elder) ? settings.weakerThan(setup) : conflict;
    }

    /**
     * Returns whether both members can be owners. A lite member makes no grants, so its safety settings do not matter
     * unless it is promoted.
     */
    boolean areOwners(Member other) {
        return !other.isLiteMember() && !nodeEngine.getLocalMember().isLiteMember();
    }

    private void leaveBecause(String reason) {
        logger.severe("This member leaves the cluster: " + reason);
        // Shut down gracefully, because this member may have data by now. Use a new thread, because a shutdown ends the
        // threads that receive answers, such as this one.
        Threads.newThread(
                        "snowcast.leaves",
                        () -> nodeEngine.getHazelcastInstance().shutdown())
                .start();
    }

    private void warnOfDifference(Member member, Peer.Setup there) {
        String difference = areOwners(member) ? settings.differenceFrom(there) : null;
        if (difference == null) {
            warnedOf.remove(member.getUuid());
        } else if (!difference.equals(warnedOf.put(member.getUuid(), difference))) {
            logger.warning("This member and " + member + " do not survive the same, and the cluster survives only what"
                    + " both do, until one of them is restarted with the setting of the other: " + difference);
        }
    }

    /** Forgets the members that are not listed any more; warns if the quorum is not a majority of the present ones. */
    void noteListed(Set<UUID> listed) {
        warnedOf.keySet().retainAll(listed);
        int members = nodeEngine.getClusterService().getSize(MemberSelectors.DATA_MEMBER_SELECTOR);
        int quorum = settings.quorum();
        if (quorum > 0 && members > warnedOfMembers && members >= 2 * quorum) {
            warnedOfMembers = members;
            logger.warning("The split-brain protection " + settings.protectionName() + " of "
                    + SnowcastProperty.SPLIT_BRAIN_PROTECTION_NAME.key() + " wants "
                    + quorum + " members, which is not a majority of " + members
                    + ": if the network splits, both sides may continue");
        }
    }
}
