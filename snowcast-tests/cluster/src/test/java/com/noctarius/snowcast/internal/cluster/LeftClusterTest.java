// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.services.MembershipServiceEvent;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a member that has left its cluster: on the losing side of a split, or by a shutdown. */
@Tag("integration")
class LeftClusterTest {
    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    /** If the member did not end the leases, the holders would lose them only at their next renewal. */
    @Test
    void aMembersHoldersSealWhenTheMemberLeavesItsCluster() throws InterruptedException {
        HazelcastInstance member = factory.newHazelcastInstance(Members.config());
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        SnowcastSequencer sequencer = snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
        SnowcastService service = Members.service(member);

        service.reset();

        assertThat(sequencer.stats().leaseLossCount()).isEqualTo(1);
    }

    /** Hazelcast's own threads deliver membership events, so a member may receive an event after its shutdown. */
    @Test
    void anEventAfterTheShutdownOfAMemberIsQuiet() {
        HazelcastInstance member = factory.newHazelcastInstance(Members.config());
        SnowcastService service = Members.service(member);
        Cluster former = member.getCluster();
        Member self = former.getLocalMember();
        member.shutdown();

        service.memberRemoved(new MembershipServiceEvent(
                new MembershipEvent(former, self, MembershipEvent.MEMBER_REMOVED, Set.of())));
        service.memberAdded(new MembershipServiceEvent(
                new MembershipEvent(former, self, MembershipEvent.MEMBER_ADDED, Set.of(self))));
    }
}
