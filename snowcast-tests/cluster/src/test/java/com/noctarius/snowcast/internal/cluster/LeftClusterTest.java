// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a member on the losing side of a split ends its leases when Hazelcast discards its data. */
@Tag("integration")
class LeftClusterTest {
    private final TestHazelcastFactory factory = new TestHazelcastFactory();

    @AfterEach
    void stop() {
        factory.terminateAll();
    }

    /** If the member did not end the leases, the holders would lose them only at their next renewal. */
    @Test
    void aMembersHoldersSealWhenTheMemberLeavesItsCluster() throws InterruptedException {
        HazelcastInstance member = factory.newHazelcastInstance(Members.config());
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        SnowcastSequencer sequencer = snowcast.createSequencer("orders", SnowcastEpoch.byTimestamp(0));
        SnowcastService service = Accessors.getNodeEngineImpl(member).getService(SnowcastService.NAME);

        service.reset();

        assertThat(sequencer.stats().leaseLossCount()).isEqualTo(1);
    }
}
