// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class NodeIdsClusterTest {
    private static final SnowcastLayout FOUR_NODES = new SnowcastLayout(41, 2, 10);

    private static SequencerConfig withFourNodes(String name) {
        return SequencerConfig.builder(name).epoch(EPOCH).layout(FOUR_NODES).build();
    }

    private static SnowcastSequencer createWithFourNodes(HazelcastInstance member) {
        return SnowcastSystem.snowcast(member).createSequencer(withFourNodes("orders"));
    }

    @Test
    void aMemberThatLeavesInOrderFreesItsNodeIdsAtOnce() throws Exception {
        try (MockCluster cluster = MockCluster.of(2)) {
            IdLog ids = new IdLog();
            for (int i = 0; i < 2; i++) {
                ids.add(createWithFourNodes(cluster.member(i)).next());
            }
            for (int i = 0; i < 4; i++) {
                HazelcastInstance guest = cluster.addMember();
                ids.add(createWithFourNodes(guest).next(10));
                cluster.leave(guest);
            }
            IdCheck.requireUnique(FOUR_NODES, List.of(ids.toArray()));
        }
    }

    @Test
    void theNodeIdsOfCrashedMembersComeBackAfterTheirLease() throws Exception {
        OffsetClock clock = new OffsetClock(0);
        Consumer<Config> settings = config -> config.getUserContext().put(SystemClock.REPLACEMENT_KEY, clock);
        try (MockCluster cluster = MockCluster.of(0, TimeStep.PROPERTIES)) {
            IdLog ids = new IdLog();
            List<SnowcastSequencer> holders = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                holders.add(createWithFourNodes(cluster.addMember(settings)));
            }
            HazelcastInstance crashing = cluster.addMember(settings);
            cluster.awaitSafe();
            ids.add(createWithFourNodes(crashing).next(10));
            cluster.crash(crashing);
            HazelcastInstance late = cluster.addMember(settings);

            assertThatThrownBy(() -> createWithFourNodes(late)).isInstanceOf(SnowcastNodeIdsExceededException.class);
            for (int step = 1; step <= 2; step++) {
                TimeStep.to(step * TimeStep.MILLIS, clock, cluster.members(), holders);
            }
            ids.add(TestCluster.whenANodeIdIsFree(
                    () -> createWithFourNodes(late).next(10)));
            for (SnowcastSequencer holder : holders) {
                ids.add(holder.next(10));
            }
            IdCheck.requireUnique(FOUR_NODES, List.of(ids.toArray()));
        }
    }

    @Test
    void racingTransitionsLeakNothing() throws Exception {
        try (MockCluster cluster = MockCluster.of(2)) {
            SnowcastSequencer sequencer = createWithFourNodes(cluster.member(0));
            Load load = Load.tolerating(SnowcastStateException.class, EPOCH).on(sequencer, 2);
            AtomicInteger transitions = new AtomicInteger();
            Threads.run(8, index -> {
                while (transitions.get() < 500) {
                    try {
                        SnowcastSequencer ignored =
                                index % 2 == 0 ? sequencer.attachLogicalNode() : sequencer.detachLogicalNode();
                        transitions.incrementAndGet();
                    } catch (SnowcastStateException e) {
                        // Another thread was first.
                    }
                }
            });
            load.stopAndCheck();

            Set<Integer> nodes = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                SnowcastSequencer other =
                        ManyHolders.snowcast(cluster.member(1)).createSequencer(withFourNodes("orders"));
                nodes.add(other.logicalNodeId(other.next()));
            }
            assertThat(nodes).hasSize(3);
        }
    }
}
