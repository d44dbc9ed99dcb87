// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.ClusterTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests wall clocks that differ, lag, jump and run backwards. */
@Tag("integration")
class ClocksClusterTest {
    private static final long MINUTE = 60_000;
    private static final Map<String, String> PROPERTIES =
            Map.of("snowcast.lease.millis", "2000", "snowcast.max.clock.skew.millis", Long.toString(MINUTE));

    private static SnowcastSequencer create(HazelcastInstance member) {
        return TestCluster.create(member, "orders", new SnowcastLayout(41, 6, 10));
    }

    private static HazelcastInstance addMember(MockCluster cluster, OffsetClock clock) {
        return cluster.addMember(clock::install);
    }

    /** For example, the clock of a machine without a battery shows 1970 until NTP sets it. */
    @Test
    void clockBeforeTheEpochIsAStateThatPasses() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, PROPERTIES)) {
            OffsetClock clock = new OffsetClock(-System.currentTimeMillis());
            HazelcastInstance late = addMember(cluster, clock);
            Snowcast snowcast = SnowcastSystem.snowcast(late);
            assertThatThrownBy(() -> create(late))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasMessageContaining("no ID can be made before its epoch, 20")
                    .hasMessageContaining("(this clock 1970-01-01T");
            SnowcastSequencer detached = snowcast.createDetachedSequencer(
                    SequencerConfig.builder("detached").epoch(EPOCH).build());
            assertThatThrownBy(detached::attachLogicalNode).isExactlyInstanceOf(SnowcastUnavailableException.class);

            clock.setOffset(0);
            create(late).next();
            detached.attachLogicalNode().next();
        }
    }

    @Test
    void holdersInDifferentTimesAndAnOwnerThatLagsNeverShareAnId() throws Exception {
        try (MockCluster cluster = MockCluster.of(0, PROPERTIES)) {
            List<IdLog> logs = new ArrayList<>();
            List<SnowcastSequencer> sequencers = new ArrayList<>();
            List<OffsetClock> clocks = new ArrayList<>();
            for (long offset : new long[] {0, -MINUTE + 10_000, MINUTE / 2, MINUTE - 5_000}) {
                OffsetClock clock = new OffsetClock(offset);
                clocks.add(clock);
                sequencers.add(create(addMember(cluster, clock)));
                logs.add(new IdLog());
            }
            long[] clusterOffsets = {0, -2_000, 3_000, -1_000};
            for (long step : new long[] {0, -MINUTE, 5_000, -10, 700, -5 * MINUTE, 0}) {
                for (int i = 0; i < clusterOffsets.length; i++) {
                    ClusterTime.setOffset(cluster.member(i), clusterOffsets[i] + step / 100);
                }
                clocks.get(0).setOffset(step);
                clocks.get(2).setOffset(MINUTE / 2 - Math.abs(step) / 2);
                for (int i = 0; i < sequencers.size(); i++) {
                    SnowcastSequencer sequencer = sequencers.get(i);
                    logs.get(i).add(sequencer.next(2_000));
                }
            }
            logs.forEach(log -> IdCheck.requireOrdered(sequencers.get(0).layout(), log.toArray()));
            IdCheck.requireUnique(
                    sequencers.get(0).layout(),
                    logs.stream().map(IdLog::toArray).toList());
        }
    }

    @Test
    void aHolderTooFarAheadIsRefusedWithBothClocks() {
        try (MockCluster cluster = MockCluster.of(1, PROPERTIES)) {
            OffsetClock clock = new OffsetClock(MINUTE + 1_000);
            HazelcastInstance ahead = addMember(cluster, clock);

            assertThatThrownBy(() -> create(ahead))
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("clock must be at most 60000 ms ahead of cluster time")
                    .hasMessageContaining("this clock 20")
                    .hasMessageContaining("cluster time 20");

            clock.setOffset(MINUTE - 1_000);
            create(ahead);
        }
    }
}
