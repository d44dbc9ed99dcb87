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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
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

    @Test
    void aMemberWithAnotherRangeLeavesAndHasGrantedNothing() throws Exception {
        // The sequencers have no backups. If the other member did not shut down gracefully, the tables of its
        // partitions would be lost.
        try (MockCluster cluster = MockCluster.of(2, range("0-7"))) {
            Load load = Load.of(EPOCH);
            List<SnowcastSequencer> present = new ArrayList<>();
            Map<String, SequencerConfig> configs = new HashMap<>();
            for (int partition = 0; partition < TestCluster.PARTITIONS; partition++) {
                String name = cluster.nameIn(partition);
                configs.put(
                        name,
                        SequencerConfig.builder(name)
                                .epoch(EPOCH)
                                .backupCount(0)
                                .build());
                present.add(cluster.snowcast(0).createSequencer(configs.get(name)));
            }
            load.on(present.get(0), 1);

            AtomicBoolean hasLeft = new AtomicBoolean();
            List<HazelcastInstance> started = new CopyOnWriteArrayList<>();
            Threads joining = Threads.start(1, index -> {
                try {
                    started.add(cluster.newMember(TestCluster.config(range("8-15"))));
                } catch (IllegalStateException e) {
                    hasLeft.set(true); // The member has left before its start returned.
                }
            });
            Await.until("the departure of the other member", () -> {
                for (SequencerConfig config : configs.values()) {
                    SnowcastSequencer holder =
                            ManyHolders.snowcast(cluster.member(1)).createSequencer(config);
                    assertThat(holder.tryNext().stream().mapToInt(holder::logicalNodeId))
                            .allMatch(node -> node < 8);
                    holder.detachLogicalNode();
                }
                return hasLeft.get()
                        || started.stream()
                                .anyMatch(other -> !other.getLifecycleService().isRunning());
            });
            joining.join();
            cluster.awaitSize();
            load.awaitMore(500).stopAndCheck();
            for (SnowcastSequencer sequencer : present) {
                sequencer.detachLogicalNode().attachLogicalNode().next();
            }
        }
    }
}
