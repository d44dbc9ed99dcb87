// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class NodeIdRangeClusterTest {
    private static Map<String, String> range(String range) {
        return Map.of("snowcast.node.id.range", range);
    }

    /** Attaches {@code count} holders. Fails unless a further one is refused because all node IDs are in use. */
    private static List<SnowcastSequencer> createAll(HazelcastInstance member, SequencerConfig config, int count) {
        List<SnowcastSequencer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(ManyHolders.snowcast(member).createSequencer(config));
        }
        assertThatThrownBy(() -> ManyHolders.snowcast(member).createSequencer(config))
                .isExactlyInstanceOf(SnowcastNodeIdsExceededException.class)
                .hasMessageContaining("all " + count + " node IDs are in use: " + count + " attached, 0 expiring");
        return all;
    }

    private static Set<Integer> nodesOf(List<SnowcastSequencer> sequencers) throws InterruptedException {
        Set<Integer> nodes = new TreeSet<>();
        for (SnowcastSequencer sequencer : sequencers) {
            nodes.add(sequencer.logicalNodeId(sequencer.next()));
        }
        return nodes;
    }

    @Test
    void clustersWithDisjointRangesShareANameAndNeverAnId() throws Exception {
        SequencerConfig config = SequencerConfig.builder("orders").epoch(EPOCH).build();
        try (MockCluster lower = MockCluster.of(2, range("0-1"));
                MockCluster upper = MockCluster.of(2, range("2 - 3"))) {
            List<SnowcastSequencer> ofLower = createAll(lower.member(0), config, 2);
            List<SnowcastSequencer> ofUpper = createAll(upper.member(1), config, 2);
            assertThat(nodesOf(ofLower)).containsExactly(0, 1);
            assertThat(nodesOf(ofUpper)).containsExactly(2, 3);

            Load.of(EPOCH).on(ofLower, 1).on(ofUpper, 1).awaitMore(2_000).stopAndCheck();
        }
    }
}
