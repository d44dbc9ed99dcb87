// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests clusters that cannot grant node IDs yet. Calls throw a transient exception, and succeed later. */
@Tag("integration")
class UnavailableClusterTest {
    private final String name = TestCluster.newName();
    private final SequencerConfig sequencer =
            SequencerConfig.builder(name).epoch(TestCluster.EPOCH).build();
    private final IntegerSequenceConfig integers =
            IntegerSequenceConfig.builder(name).store(new MemoryBlockStore()).build();

    @Test
    void belowTheQuorumItPassesWhenAMemberComesAlsoOnAClient() throws Exception {
        try (MockCluster cluster = MockCluster.of(0, SplitNetwork.properties(Map.of()))) {
            HazelcastInstance first = cluster.addMember(config -> SplitNetwork.protect(config, 2));
            HazelcastInstance client = cluster.addClient();
            for (HazelcastInstance instance : List.of(first, client)) {
                refusesForNow(instance);
            }
            // A detached sequencer can be created without the quorum. Only attaching needs the quorum.
            Snowcast ofMember = SnowcastSystem.snowcast(first);
            SnowcastSequencer detached = ofMember.createDetachedSequencer(sequencer);
            assertThat(detached.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
            assertThatThrownBy(detached::attachLogicalNode).isExactlyInstanceOf(SnowcastUnavailableException.class);
            assertThat(ofMember.sequencers()).isEmpty();

            cluster.addMember(config -> SplitNetwork.protect(config, 2));
            cluster.awaitSafe();
            detached.attachLogicalNode().next();
            assertThat(ofMember.createSequencer(sequencer)).isSameAs(detached);
            assertThat(ofMember.sequencers()).containsExactly(detached);
            serves(client);
        }
    }

    @Test
    void withLiteMembersOnlyItPassesWhenADataMemberComesAlsoOnAClient() throws Exception {
        try (MockCluster cluster = MockCluster.of(0)) {
            HazelcastInstance lite = cluster.addMember(config -> config.setLiteMember(true));
            HazelcastInstance client = cluster.addClient();
            for (HazelcastInstance instance : List.of(lite, client)) {
                refusesForNow(instance);
                assertThatThrownBy(() -> SnowcastSystem.snowcast(instance).createSequencer(sequencer))
                        .hasMessage("sequencer " + sequencer.name()
                                + ": the cluster has lite members only, and needs a data member");
            }
            cluster.addMember();
            cluster.awaitSafe();
            for (HazelcastInstance instance : List.of(lite, client)) {
                serves(instance);
            }
        }
    }

    /** Fails unless creating a sequencer is refused. An integer sequence works, because it needs only its store. */
    private void refusesForNow(HazelcastInstance instance) throws InterruptedException {
        Snowcast snowcast = SnowcastSystem.snowcast(instance);
        assertThatThrownBy(() -> snowcast.createSequencer(sequencer))
                .isExactlyInstanceOf(SnowcastUnavailableException.class);
        snowcast.createIntegerSequence(integers).next();
    }

    private void serves(HazelcastInstance instance) throws InterruptedException {
        Snowcast snowcast = SnowcastSystem.snowcast(instance);
        snowcast.createSequencer(sequencer).next();
    }
}
