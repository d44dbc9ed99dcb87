// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.noctarius.snowcast.internal.cluster.Members.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.PacketFiltersUtil;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.vote.Electorate;
import com.noctarius.snowcast.internal.vote.Electorate.Eligibility;
import com.noctarius.snowcast.internal.vote.Electorate.Standing;
import com.noctarius.snowcast.tests.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests members that are lite members for a part of their time in a cluster. */
@Tag("integration")
class PromotionClusterTest {
    private static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory(4);

    private static Electorate electorate(HazelcastInstance member) {
        return service(member).otherMembers.electorate();
    }

    private static Eligibility decide(HazelcastInstance member) {
        return service(member).otherMembers.memberWatch().decide();
    }

    private static void awaitConfirmed(HazelcastInstance... members) {
        for (HazelcastInstance member : members) {
            Await.until("confirmation of " + member.getName(), () -> decide(member) == Eligibility.CONFIRMED);
        }
    }

    private static Config withQuorum() {
        return Members.config("snowcast.split.brain.protection.name", "quorum")
                .addSplitBrainProtectionConfig(new SplitBrainProtectionConfig("quorum", true).setMinimumClusterSize(2));
    }

    private static void requireDifferentIds(HazelcastInstance first, HazelcastInstance second, String name)
            throws InterruptedException {
        SnowcastSequencer one = SnowcastSystem.snowcast(first).createSequencer(name, EPOCH);
        SnowcastSequencer other = SnowcastSystem.snowcast(second).createSequencer(name, EPOCH);
        assertThat(one.logicalNodeId(one.next())).isNotEqualTo(other.logicalNodeId(other.next()));
    }

    /** The lite member keeps its place in the list, and is the oldest: nobody has confirmed it yet. */
    @Test
    void theOldestThatIsPromotedWaitsForTheOthers() throws InterruptedException {
        HazelcastInstance oldest = factory.newHazelcastInstance(Members.config().setLiteMember(true));
        HazelcastInstance second = factory.newHazelcastInstance(Members.config());
        HazelcastInstance third = factory.newHazelcastInstance(Members.config());
        awaitConfirmed(second, third);
        PacketFiltersUtil.dropOperationsBetween(
                oldest, List.of(second, third), ClassIds.FACTORY, List.of(ClassIds.PEER));
        oldest.getCluster().promoteLocalLiteMember();
        assertThat(decide(oldest)).isEqualTo(Eligibility.UNCONFIRMED);
        assertThat(electorate(oldest).vote().isCurrent()).isFalse();

        PacketFiltersUtil.resetPacketFiltersFrom(oldest);
        awaitConfirmed(oldest, second, third);
        requireDifferentIds(oldest, second, "orders");
    }

    /** While it is a lite member, the others decide without it. */
    @Test
    void whoIsDemotedKnowsNothingUntilTheOthersConfirmItAgain() throws InterruptedException {
        HazelcastInstance first = factory.newHazelcastInstance(withQuorum());
        HazelcastInstance second = factory.newHazelcastInstance(withQuorum());
        HazelcastInstance third = factory.newHazelcastInstance(withQuorum());
        awaitConfirmed(first, second, third);
        assertThat(electorate(third).vote().standing()).isEqualTo(Standing.ACTS);

        third.getCluster().demoteLocalDataMember();
        assertThat(decide(third)).isEqualTo(Eligibility.UNCONFIRMED);
        assertThat(service(third)
                        .answer(new UUID(0, 0), Optional.empty())
                        .vote()
                        .standing())
                .isEqualTo(Standing.NEW);
        assertThat(electorate(third).self()).isNull();
        requireDifferentIds(first, third, "orders");

        third.getCluster().promoteLocalLiteMember();
        awaitConfirmed(first, second, third);
        requireDifferentIds(second, third, "invoices");
    }

    @Test
    void liteMembersThatArePromotedAct() throws InterruptedException {
        HazelcastInstance first = factory.newHazelcastInstance(Members.config().setLiteMember(true));
        HazelcastInstance second = factory.newHazelcastInstance(Members.config().setLiteMember(true));
        first.getCluster().promoteLocalLiteMember();
        second.getCluster().promoteLocalLiteMember();
        awaitConfirmed(first, second);
        requireDifferentIds(first, second, "orders");
    }

    /** The data member asks the lite member once, because its settings must not conflict; its clock does not count. */
    @Test
    void theClockOfALiteMemberDoesNotCount() {
        HazelcastInstance lite = factory.newHazelcastInstance(Members.config().setLiteMember(true));
        ClusterTime.setOffset(lite, Duration.ofHours(1).toMillis());
        HazelcastInstance member = factory.newHazelcastInstance(Members.config());
        Await.until(
                "the lite member's answer", () -> service(member).otherMembers.unknownElder() == null);

        assertThat(ClusterTime.of(member) - System.currentTimeMillis()).isBetween(-60_000L, 60_000L);
    }

    /** All partitions begin at the same moment, and no member starts the wait of a full restart again. */
    @Test
    void whoIsPromotedTakesOverTheStartMarkOfTheCluster() {
        String[] waits = {"snowcast.full.restart.wait", "true"};
        HazelcastInstance member = factory.newHazelcastInstance(Members.config(waits));
        Await.until("the start mark", () -> service(member).otherMembers.startMark() != null);
        HazelcastInstance lite =
                factory.newHazelcastInstance(Members.config(waits).setLiteMember(true));
        Await.until("the member's answer", () -> service(lite).otherMembers.unknownElder() == null);
        assertThat(service(lite).otherMembers.startMark()).isNull();

        lite.getCluster().promoteLocalLiteMember();
        Await.until("the start mark", () -> service(lite).otherMembers.startMark() != null);
        assertThat(service(lite).otherMembers.startMark())
                .isEqualTo(service(member).otherMembers.startMark());
    }
}
