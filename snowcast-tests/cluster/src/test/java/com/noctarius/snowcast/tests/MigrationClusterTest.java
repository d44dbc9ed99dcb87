// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class MigrationClusterTest {
    private static final int ROUNDS = 3;
    /** On a very busy machine, a member may send no heartbeat for a minute. The cluster must not split for that. */
    private static final Map<String, String> PATIENT = Map.of("hazelcast.max.no.heartbeat.seconds", "600");

    @Test
    void idsStayUniqueWhileOwnersJoinAndLeave() {
        try (MockCluster cluster = MockCluster.of(2, PATIENT)) {
            String name = TestCluster.newName();
            Load load = Load.toleratingTheEnd(EPOCH).on(cluster.createOnAll(name), 2);
            for (int round = 0; round < ROUNDS; round++) {
                HazelcastInstance joined = cluster.addMember();
                load.on(TestCluster.create(joined, name), 1).awaitMore(5_000);
                HazelcastInstance owner = cluster.owner(name);
                cluster.leave(owner);
                reattachAll(cluster, name);
                load.awaitMore(5_000);
            }
            load.stopAndCheck();
        }
    }

    @Test
    void idsStayUniqueWhileOwnersCrash() {
        try (MockCluster cluster = MockCluster.of(3, PATIENT)) {
            String name = TestCluster.newName();
            Load load = Load.toleratingTheEnd(EPOCH).on(cluster.createOnAll(name), 1);
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitMore(5_000);
                cluster.crash(cluster.owner(name));
                reattachAll(cluster, name);
                load.on(TestCluster.create(cluster.addMember(), name), 1);
                cluster.awaitSafe();
            }
            load.awaitMore(5_000).stopAndCheck();
        }
    }

    /** Attaches and detaches a new holder on each member, twice. The threads that generate IDs use other holders. */
    private static void reattachAll(MockCluster cluster, String name) {
        for (HazelcastInstance member : cluster.members()) {
            ManyHolders.snowcast(member)
                    .createSequencer(name, EPOCH)
                    .detachLogicalNode()
                    .attachLogicalNode()
                    .detachLogicalNode();
        }
    }

    @Test
    @Tag("faults")
    void aLossOfDataStopsNobodyAndNewHoldersWaitUntilNobodyUnknownCanBeLeft() {
        // The lease must outlast the crash on a busy machine. The heartbeat time-out is short, because the recovery
        // waits for it. With an even shorter one, the two
        // survivors on a busy machine could lose contact, and the cluster would split.
        Map<String, String> fast = Map.of(
                "snowcast.lease.millis", "10000",
                "snowcast.max.clock.skew.millis", "100",
                "hazelcast.max.no.heartbeat.seconds", "12");
        try (MockCluster cluster = MockCluster.of(3, fast)) {
            HazelcastInstance owner = cluster.member(1);
            SequencerConfig.Builder builder = SequencerConfig.builder(cluster.nameOwnedBy(owner))
                    .epoch(EPOCH)
                    .backupCount(0);
            SequencerConfig config =
                    builder.layout(new SnowcastLayout(41, 2, 10)).build();
            List<SnowcastSequencer> survivors = List.of(
                    cluster.snowcast(0).createSequencer(config),
                    cluster.snowcast(2).createSequencer(config));
            Load load = Load.of(EPOCH).on(survivors, 1).awaitMore(1_000);
            Snowcast late = ManyHolders.snowcast(cluster.member(0));

            cluster.crash(owner);

            assertThatThrownBy(() -> late.createSequencer(config))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no holder can be attached before");
            assertThatThrownBy(() -> late.createSequencer(
                            builder.layout(SnowcastLayout.POSITIVE).build()))
                    .isExactlyInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
            SnowcastSequencer young = TestCluster.when(
                    "the end of the recovery", SnowcastIllegalStateException.class, () -> late.createSequencer(config));
            load.on(young, 1).awaitMore(5_000).stopAndCheck();
            assertThat(survivors).allMatch(each -> each.getSequencerState() == SnowcastSequenceState.Attached);
        }
    }
}
