// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that IDs continue without duplicates when a wall clock is set wrong by up to 50 days, and then right. */
@Tag("integration")
class ClockStepsClusterTest {
    private static final long LEASE = 2_000;
    private static final long SKEW = 500;
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 6, 10);
    private static final Map<String, String> PROPERTIES = Map.of(
            "snowcast.lease.millis", Long.toString(LEASE), "snowcast.max.clock.skew.millis", Long.toString(SKEW));

    /** The number of renewals after a step. They take longer than the lease that the sequencer has at the step. */
    private static final int RENEWALS = 3;

    private final List<OffsetClock> clocks = new ArrayList<>();
    private final List<IdLog> logs = new ArrayList<>();

    private SnowcastSequencer create(MockCluster cluster) {
        OffsetClock clock = new OffsetClock(0);
        clocks.add(clock);
        logs.add(new IdLog());
        return TestCluster.create(cluster.addMember(clock::install), "orders", LAYOUT);
    }

    /** Generates IDs during {@link #RENEWALS} renewals. Fails if a call fails or the lease is lost. */
    private void generate(SnowcastSequencer sequencer, int index) throws InterruptedException {
        long before = sequencer.stats().renewalCount();
        while (sequencer.stats().renewalCount() < before + RENEWALS) {
            logs.get(index).add(sequencer.next());
            clocks.get(index).parkNanos(1_000_000);
        }
        assertThat(sequencer.stats().leaseLossCount()).isZero();
    }

    private void check(SnowcastSequencer sequencer) {
        SnowcastLayout layout = sequencer.layout();
        logs.forEach(log -> IdCheck.requireOrdered(layout, log.toArray()));
        IdCheck.requireUnique(layout, logs.stream().map(IdLog::toArray).toList());
    }

    private static void requireNear(SnowcastSequencer sequencer, long id, long aheadMillis) {
        long ahead = (EPOCH.getEpochOffset() + sequencer.timestampValue(id)) - System.currentTimeMillis();
        assertThat(ahead).as("how far the ID is ahead").isLessThanOrEqualTo(aheadMillis);
    }

    @ParameterizedTest
    @Tag("faults")
    @ValueSource(longs = {-60_000, -3_600_000, -172_800_000, 172_800_000, 4_294_967_296L})
    void idsGoOnInAClusterOfOne(long stepMillis) throws Exception {
        try (MockCluster cluster = MockCluster.of(0, PROPERTIES)) {
            SnowcastSequencer sequencer = create(cluster);
            generate(sequencer, 0);
            clocks.get(0).setOffset(stepMillis);
            generate(sequencer, 0);
            sequencer.detachLogicalNode();
            sequencer.attachLogicalNode();
            generate(sequencer, 0);
            SnowcastSequencer other = TestCluster.create(cluster.member(0), "items", LAYOUT);
            requireNear(other, other.next(), LEASE + SKEW);
            requireNear(sequencer, sequencer.next(), LEASE + SKEW);
            clocks.get(0).setOffset(0);
            generate(sequencer, 0);
            requireNear(sequencer, sequencer.next(), LEASE + SKEW);
            check(sequencer);
        }
    }

    @ParameterizedTest
    @Tag("faults")
    @CsvSource({"0, -3600000", "0, 172800000", "1, -172800000", "2, 4294967296"})
    void idsGoOnOfAllMembersWhicheverClockSteps(int stepping, long stepMillis) throws Exception {
        try (MockCluster cluster = MockCluster.of(0, PROPERTIES)) {
            List<SnowcastSequencer> sequencers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sequencers.add(create(cluster));
            }
            clocks.get(stepping).setOffset(stepMillis);
            for (int i = 0; i < 3; i++) {
                generate(sequencers.get(i), i);
                requireNear(sequencers.get(i), sequencers.get(i).next(), LEASE + SKEW);
            }
            clocks.get(stepping).setOffset(0);
            for (int i = 0; i < 3; i++) {
                generate(sequencers.get(i), i);
            }
            check(sequencers.get(0));
        }
    }
}
