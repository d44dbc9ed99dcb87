// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.tests.Await;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Waits for the end of isolation. A member is isolated while it is cut off from the majority of the members with which
 * it last acted as an owner.
 */
public final class Isolation {
    private Isolation() {}

    /**
     * Waits until all data members with snowcast may act as owners, and none of the members waits for absent members.
     */
    public static void awaitEnd(List<HazelcastInstance> members) {
        Await.until(
                "all go on without those that are gone",
                () -> areSettled(members) && members.stream().noneMatch(Isolation::isWaiting));
    }

    /** Returns whether each data member with snowcast may act as an owner. */
    public static boolean areSettled(List<HazelcastInstance> members) {
        return members.stream()
                .noneMatch(member -> !member.getCluster().getLocalMember().isLiteMember()
                        && member.getUserContext().get(SnowcastService.NAME) instanceof SnowcastService service
                        && !service.answer(new UUID(0, 0), Optional.empty())
                                .vote()
                                .isCurrent());
    }

    private static boolean isWaiting(HazelcastInstance member) {
        return member.getUserContext().get(SnowcastService.NAME) instanceof SnowcastService service
                && service.otherMembers.memberWatch().decide().isWaiting();
    }
}
