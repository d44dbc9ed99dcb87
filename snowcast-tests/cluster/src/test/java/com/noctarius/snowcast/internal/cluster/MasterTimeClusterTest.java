// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.cluster.impl.ClusterClockImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests attaching after Hazelcast's cluster time was set ahead on the oldest member, the master. The other members have
 * not received the new time yet.
 */
@Tag("integration")
class MasterTimeClusterTest {
    private static final long STEP_MILLIS = 3_600_000;
    private static final int NAMES = 40;

    @AutoClose("terminateAll")
    private final TestHazelcastFactory factory = new TestHazelcastFactory(2);

    private static Config config() {
        // The time-out is longer than the step, so that the master does not remove the other member.
        return Members.config(
                "hazelcast.heartbeat.interval.seconds", "2", "hazelcast.max.no.heartbeat.seconds", "36000");
    }

    @Test
    void attachesOfAnotherMemberWaitForTheHeartbeatOfTheOldest() {
        HazelcastInstance master = factory.newHazelcastInstance(config());
        Snowcast snowcast = SnowcastSystem.snowcast(factory.newHazelcastInstance(config()));
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));
        snowcast.createSequencer("before", epoch);
        ClusterClockImpl clock =
                (ClusterClockImpl) Accessors.getClusterService(master).getClusterClock();
        clock.setMasterTime(clock.getClusterTime() + STEP_MILLIS);

        for (int i = 0; i < NAMES; i++) {
            assertThat(snowcast.createSequencer("orders-" + i, epoch).getSequencerState())
                    .isEqualTo(SnowcastSequenceState.Attached);
        }
    }
}
