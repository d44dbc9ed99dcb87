// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class TcpClusterTest {
    private static final int CYCLES = 250;

    /** D3: threads that were inside of next() while a sequencer was detached repeated the IDs of the next holder. */
    @Test
    void busyMembersThatKeepDetachingAndReattachingNeverShareAnId() {
        try (TcpCluster cluster = TcpCluster.of(3, Map.of())) {
            String name = cluster.nameOwnedBy(cluster.member(2));
            List<SnowcastSequencer> busy =
                    List.of(TestCluster.create(cluster.member(0), name), TestCluster.create(cluster.member(1), name));
            Load load = Load.tolerating(SnowcastStateException.class, EPOCH).on(busy, 2);

            Threads.run(2, index -> {
                for (int cycle = 0; cycle < CYCLES; cycle++) {
                    SnowcastSequencer sequencer = busy.get(index);
                    sequencer.detachLogicalNode().attachLogicalNode();
                    sequencer.next();
                }
            });

            load.awaitMore(1_000).stopAndCheck();
        }
    }

    @Test
    void idsStayUniqueWhenTheOwnerCrashes() {
        try (TcpCluster cluster = TcpCluster.of(3, Map.of())) {
            String name = TestCluster.newName();
            Load load = Load.toleratingTheEnd(EPOCH).on(cluster.createOnAll(name), 1);
            for (int round = 0; round < 2; round++) {
                load.awaitMore(50_000);
                HazelcastInstance owner = cluster.owner(name);
                cluster.crash(owner);
                load.on(TestCluster.create(cluster.addMember(), name), 1);
                cluster.awaitSafe();
            }
            load.awaitMore(50_000).stopAndCheck();
        }
    }
}
