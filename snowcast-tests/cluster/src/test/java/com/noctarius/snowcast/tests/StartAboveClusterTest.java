// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@code startAbove}, with which a sequencer continues above the IDs of another generator. */
@Tag("integration")
class StartAboveClusterTest {
    /** How far the clock of the other generator was ahead. */
    private static final Duration AHEAD = Duration.ofSeconds(2);

    private static SequencerConfig.Builder orders() {
        return SequencerConfig.builder("orders").epoch(EPOCH);
    }

    private static long idAt(Instant instant) {
        long timestamp = instant.toEpochMilli() - EPOCH.getEpochOffset();
        return SnowcastLayout.DEFAULT.compose(timestamp, 8_191, 1_023);
    }

    private static SnowcastSequencer create(HazelcastInstance instance, SequencerConfig config) {
        return SnowcastSystem.snowcast(instance).createSequencer(config);
    }

    @Test
    void everyIdOfMembersAndClientsIsAboveAlsoInAClusterThatIsStartedAnew() throws Exception {
        long highest = idAt(Instant.now().plus(AHEAD));
        SequencerConfig config = orders().startAbove(highest).build();
        List<Long> ids = new ArrayList<>();
        for (int cluster = 0; cluster < 2; cluster++) {
            try (MockCluster members = MockCluster.of(2)) {
                List<HazelcastInstance> instances = new ArrayList<>(members.members());
                instances.add(members.addClient());
                for (HazelcastInstance instance : instances) {
                    SnowcastSequencer sequencer = create(instance, config);
                    ids.add(sequencer.next());
                    ids.add(sequencer.detachLogicalNode().attachLogicalNode().next());
                }
            }
        }
        assertThat(ids).hasSize(12).doesNotHaveDuplicates().allMatch(id -> Long.compareUnsigned(id, highest) > 0);
    }

    @Test
    void anotherOneIsRefusedOnEveryMemberAndClient() throws Exception {
        long highest = idAt(Instant.now().minusSeconds(1));
        try (MockCluster members = MockCluster.of(2)) {
            create(members.member(0), orders().startAbove(highest).build());
            for (HazelcastInstance other : List.of(members.member(0), members.member(1), members.addClient())) {
                assertThatThrownBy(() -> create(other, orders().build()))
                        .isExactlyInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                        .hasMessageContaining("startAbove " + highest + ", not no startAbove");
                assertThatThrownBy(() ->
                                create(other, orders().startAbove(highest + 1).build()))
                        .isExactlyInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                        .hasMessageContaining("startAbove " + highest + ", not startAbove " + (highest + 1));
            }
        }
    }
}
