// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClientClusterTest {
    private MockCluster cluster;
    private HazelcastInstance client;

    @BeforeEach
    void start() {
        cluster = MockCluster.of(2);
        client = cluster.addClient();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void membersAndClientsNeverShareAnId() throws Exception {
        String name = TestCluster.newName();
        IdLog ids = new IdLog();
        for (HazelcastInstance instance : List.of(cluster.member(0), client, cluster.member(1), cluster.addClient())) {
            SnowcastSequencer sequencer = TestCluster.create(instance, name);
            ids.add(sequencer.next(100));
            ids.add(sequencer.detachLogicalNode().attachLogicalNode().next(100));
        }

        IdCheck.requireUnique(TestCluster.create(client, name).getLayout(), List.of(ids.toArray()));
    }

    @Test
    void whatAClientDestroysIsDestroyedEverywhere() {
        String name = TestCluster.newName();
        SnowcastSequencer own = TestCluster.create(client, name);
        SnowcastSequencer ofMember = TestCluster.create(cluster.member(0), name);
        SnowcastSequencer ofOther = TestCluster.create(cluster.addClient(), name);

        SnowcastSystem.snowcast(client).destroySequencer(own);

        assertThat(own.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        assertThat(ofMember.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
        Await.until("destroyed", () -> ofOther.getSequencerState() == SnowcastSequenceState.Destroyed);
    }
}
