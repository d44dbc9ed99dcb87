// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import com.noctarius.snowcast.internal.cluster.Metrics;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests clusters with split-brain protection whose network splits. */
@Tag("integration")
class SplitBrainProtectionClusterTest {
    private static final long LEASE_MILLIS = 1_500;

    private final OffsetClock clock = new OffsetClock(0);

    @AutoClose
    private @Nullable MockCluster started;

    private MockCluster protectedCluster(int size, int quorum, Map<String, String> more) {
        MockCluster cluster = MockCluster.of(0, SplitNetwork.properties(more));
        started = cluster;
        for (int i = 0; i < size; i++) {
            cluster.addMember(config -> {
                SplitNetwork.protect(config, quorum);
                clock.install(config);
            });
        }
        cluster.awaitSafe();
        return cluster;
    }

    /**
     * The member that is cut off misses the notification of the destruction. Its detached sequencer sends no requests,
     * so it finds out only when it attaches.
     */
    @Test
    @Tag("faults")
    void aDetachedSequencerOfAMemberThatWasCutOffHearsOfItsEndWhenItAttaches() {
        MockCluster cluster = protectedCluster(3, 2, Map.of());
        HazelcastInstance lonely = cluster.member(2);
        String name = cluster.nameOwnedBy(cluster.member(0));
        // With two backups, each member has a copy. A member without a copy would have to wait after the cut, and the
        // other members would have to wait after the merge.
        SequencerConfig first = SequencerConfig.builder(name)
                .epoch(TestCluster.EPOCH)
                .backupCount(2)
                .build();
        SnowcastSequencer former =
                SnowcastSystem.snowcast(lonely).createSequencer(first).detachLogicalNode();
        SequencerConfig next = SequencerConfig.builder(name)
                .epoch(TestCluster.EPOCH)
                .layout(new SnowcastLayout(42, 12, 10))
                .build();
        SplitNetwork network = SplitNetwork.cut(List.of(lonely), List.of(cluster.member(0), cluster.member(1)))
                .noticed();
        Snowcast snowcast = SnowcastSystem.snowcast(cluster.member(0));
        snowcast.destroySequencer(snowcast.createSequencer(first));
        snowcast.createSequencer(next);
        network.merge();
        cluster.awaitSafe();

        assertThat(former.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        assertThatThrownBy(() -> SnowcastSystem.snowcast(lonely).createSequencer(next))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
        assertThatThrownBy(former::attachLogicalNode).isInstanceOf(SnowcastStateException.class);
        assertThat(former.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        SnowcastSystem.snowcast(lonely).createSequencer(next).detachLogicalNode();
    }

    @Test
    @Tag("faults")
    void theSideBelowTheQuorumStopsAndTheOtherGoesOnAndAfterwardsAllDo() throws Exception {
        MockCluster cluster = protectedCluster(3, 2, Map.of("snowcast.lease.millis", Long.toString(LEASE_MILLIS)));
        HazelcastInstance lonely = cluster.member(2);
        String name = cluster.nameOwnedBy(lonely);
        List<SnowcastSequencer> sequencers = cluster.createOnAll(name);
        SnowcastSequencer own = sequencers.get(2);
        Load load =
                Load.tolerating(SnowcastStateException.class, TestCluster.EPOCH).on(sequencers, 1);
        load.awaitMore(1_000);

        SplitNetwork network = SplitNetwork.cut(List.of(lonely), List.of(cluster.member(0), cluster.member(1)))
                .noticed();
        Snowcast snowcast = SnowcastSystem.snowcast(lonely);
        assertThatThrownBy(() -> TestCluster.create(lonely, TestCluster.newName()))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasCauseInstanceOf(SplitBrainProtectionException.class);
        assertThatThrownBy(() -> ManyHolders.snowcast(lonely).createSequencer(name, TestCluster.EPOCH))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasCauseInstanceOf(SplitBrainProtectionException.class);
        assertThatThrownBy(() -> {
                    while (true) {
                        own.next();
                    }
                })
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("was not renewed within");
        assertThatThrownBy(() -> snowcast.destroySequencer(own))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasCauseInstanceOf(SplitBrainProtectionException.class);
        SnowcastSequencer other = ManyHolders.snowcast(cluster.member(0)).createSequencer(name, TestCluster.EPOCH);
        other.next();
        other.detachLogicalNode();

        network.heal().awaitMerge();
        cluster.awaitSafe();
        TestCluster.create(lonely, name).next();
        load.awaitMore(1_000).stopAndCheck();
    }

    /**
     * The owner that was cut off renews the lease, but no backup receives the renewal. The other side grants the node
     * ID from the former end of the lease on.
     */
    @Test
    void nothingIsReportedThoughTheOwnerThatWasCutOffHasRenewedALease() {
        MockCluster cluster = protectedCluster(
                3, 2, Map.of("snowcast.lease.millis", Long.toString(LEASE_MILLIS), "snowcast.node.id.range", "0-0"));
        List<PossibleDuplicates> found = new CopyOnWriteArrayList<>();
        cluster.members().forEach(member -> SnowcastSystem.snowcast(member).addPossibleDuplicatesListener(found::add));
        HazelcastInstance owner = cluster.member(2);
        String name = cluster.nameOwnedBy(owner);
        TestCluster.create(owner, name);
        SplitNetwork network = SplitNetwork.cut(List.of(owner), List.of(cluster.member(0), cluster.member(1)));
        long before = Replicas.lastChange(owner, name);
        Await.until("the owner renews the lease", () -> Replicas.lastChange(owner, name) != before);
        network.noticed();
        TestCluster.when(
                "a grant on the other side",
                SnowcastException.class,
                () -> TestCluster.create(cluster.member(0), name));
        network.merge();
        cluster.awaitSafe();

        assertThat(found).isEmpty();
        for (HazelcastInstance member : cluster.members()) {
            assertThat(Metrics.of(member)).containsEntry("possibleDuplicates", 0L);
        }
    }

    private static String refusal(HazelcastInstance member, String name) {
        Throwable refused = catchThrowable(() -> ManyHolders.snowcast(member).createSequencer(name, TestCluster.EPOCH));
        assertThat(refused).isInstanceOf(SnowcastException.class);
        return String.valueOf(refused.getMessage());
    }

    /** A lite member on the owner's side does not count for the quorum, because Hazelcast counts data members only. */
    @Test
    void anOwnerThatWasCutOffWithAllBackupsAndALiteMemberStopsBeforeItNotices() throws Exception {
        MockCluster cluster = protectedCluster(5, 3, Map.of("hazelcast.operation.call.timeout.millis", "5000"));
        HazelcastInstance lite = cluster.addMember(config -> {
            SplitNetwork.protect(config, 3);
            config.setLiteMember(true);
            clock.install(config);
        });
        String name = TestCluster.newName();
        HazelcastInstance owner = cluster.owner(name);
        HazelcastInstance backup = cluster.backup(name);
        SnowcastSequencer held = TestCluster.create(owner, name);
        List<HazelcastInstance> others = new ArrayList<>(cluster.members());
        others.removeAll(List.of(owner, backup, lite));

        SplitNetwork network = SplitNetwork.cut(List.of(owner, backup, lite), others);
        // All members' clocks move by more than the 10 seconds after which a confirmation is no longer valid.
        clock.setOffset(15_000);
        assertThat(owner.getCluster().getMembers())
                .as("members that the owner still lists")
                .hasSize(6);
        // On a busy machine, the call may time out before the caller has received the owner's reason.
        Await.until(
                "the owner says why",
                () -> refusal(owner, name)
                        .contains(
                                "only 2 of the 3 data members that split-brain protection quorum wants have lately confirmed"));

        network.heal();
        ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH).detachLogicalNode();
        held.next();
    }

    @Test
    void aProtectionThatDoesNotExistStopsTheMember() {
        try (MockCluster cluster = MockCluster.of(0)) {
            assertThatThrownBy(() -> cluster.addMember(
                            config -> config.setProperty("snowcast.split.brain.protection.name", "quorom")))
                    .hasMessageContaining("snowcast.split.brain.protection.name must name a split-brain protection"
                            + " that is configured and enabled: quorom");
        }
    }
}
