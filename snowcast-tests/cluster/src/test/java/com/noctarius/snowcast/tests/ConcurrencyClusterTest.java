// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class ConcurrencyClusterTest {
    private static final SnowcastLayout FOUR_NODES = new SnowcastLayout(41, 2, 10);
    private static final int THREADS = 16;
    private static final int NAMES = 3;
    private static final int SECONDS = 1;

    @AutoClose
    private static final MockCluster CLUSTER = MockCluster.of(3);

    @Test
    void creationsDestructionsAttachmentsAndDetachmentsDoNotBlockEachOther() {
        // Each thread has a log for each instance, because only the IDs of one instance are ordered.
        List<Map<SnowcastSequencer, IdLog>> logs = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            logs.add(new IdentityHashMap<>());
        }

        Set<Integer> created = ConcurrentHashMap.newKeySet();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        Threads.run(THREADS, index -> {
            Random random = new Random(index);
            Snowcast snowcast = CLUSTER.snowcast(index % 3);
            while (System.nanoTime() - deadline < 0 || created.size() < NAMES) {
                int name = random.nextInt(NAMES);
                try {
                    SnowcastSequencer sequencer = snowcast.createSequencer("name-" + name, EPOCH);
                    act(
                            random.nextInt(8),
                            snowcast,
                            sequencer,
                            logs.get(index).computeIfAbsent(sequencer, first -> new IdLog()));
                    created.add(name);
                } catch (SnowcastStateException e) {
                    // Another thread has detached, attached or destroyed the sequencer.
                }
            }
        });

        Map<String, List<long[]>> idsByName = new HashMap<>();
        for (Map<SnowcastSequencer, IdLog> ofThread : logs) {
            ofThread.forEach((sequencer, log) -> {
                IdCheck.requireOrdered(SnowcastLayout.DEFAULT, log.toArray());
                idsByName
                        .computeIfAbsent(sequencer.getSequencerName(), name -> new ArrayList<>())
                        .add(log.toArray());
            });
        }
        assertThat(idsByName).hasSize(NAMES);
        idsByName.values().forEach(ids -> IdCheck.requireUnique(SnowcastLayout.DEFAULT, ids));
    }

    @Test
    void aSequencerCanBeCreatedAgainAsSoonAsItIsSeenDestroyed() {
        for (int round = 0; round < 15; round++) {
            List<SnowcastSequencer> old = CLUSTER.createOnAll("orders");
            Threads.run(3, index -> {
                if (index == 0) {
                    CLUSTER.snowcast(0).destroySequencer(old.get(0));
                }
                while (old.get(index).getSequencerState() != SnowcastSequenceState.Destroyed) {
                    Thread.onSpinWait();
                }
                TestCluster.create(CLUSTER.member(index), "orders").next();
            });
        }
    }

    @Test
    void racingTransitionsLeakNothing() throws Exception {
        SequencerConfig config = SequencerConfig.builder(TestCluster.newName())
                .epoch(EPOCH)
                .layout(FOUR_NODES)
                .build();
        SnowcastSequencer sequencer = CLUSTER.snowcast(0).createSequencer(config);
        Load load = Load.tolerating(SnowcastStateException.class, EPOCH).on(sequencer, 2);
        AtomicInteger transitions = new AtomicInteger();
        Threads.run(8, index -> {
            while (transitions.get() < 150) {
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
            SnowcastSequencer other = ManyHolders.snowcast(CLUSTER.member(1)).createSequencer(config);
            nodes.add(other.logicalNodeId(other.next()));
        }
        assertThat(nodes).hasSize(3);
    }

    private static void act(int what, Snowcast snowcast, SnowcastSequencer sequencer, IdLog log) throws Exception {
        switch (what) {
            case 0 -> snowcast.destroySequencer(sequencer);
            case 1, 2 -> sequencer.attachLogicalNode();
            case 3 -> sequencer.detachLogicalNode();
            case 4 -> sequencer.tryNext().ifPresent(log::add);
            case 5 -> log.add(sequencer.next(100));
            default -> log.add(sequencer.next());
        }
    }
}
