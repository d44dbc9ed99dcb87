// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.ShownMetrics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SequencerMetricsTest {
    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);

    private Map<String, String> shown() {
        ShownMetrics shown = new ShownMetrics();
        member.sequencers.show(shown);
        return shown.all();
    }

    @Test
    void nothingWasDoneBeforeThereIsASequencer() {
        assertThat(shown()).hasSize(12).containsEntry("sequencers", "0").containsEntry("nodeLeases", "0");
        assertThat(shown().values()).containsOnly("0", "0 ms");
    }

    @Test
    void eachSequencerIsShownAndAllTogether() throws InterruptedException {
        Sequencer orders = member.create("orders0");
        Sequencer bills = member.create("bills1");
        orders.next(5);
        bills.next();
        bills.detachLogicalNode();
        clock.advanceMillis(LEASE_MILLIS / 2);
        member.keep();
        member.coordinator.answerRenewal();
        clock.advanceMillis(LEASE_MILLIS / 2);
        member.keep();
        member.coordinator.failRenewal(new IllegalStateException("lost"));
        orders.clusterChanged("the cluster is another");
        member.keep();

        int node = member.coordinator.grantOf("orders0").logicalNodeId();
        assertThat(shown())
                .containsEntry("orders0.issued", "5")
                .containsEntry("orders0.waits", "1")
                .containsEntry("orders0.waitTime", "1 ms")
                .containsEntry("orders0.leaseRemaining", LEASE_MILLIS + " ms")
                .containsEntry("orders0.logicalNodeId", Integer.toString(node))
                .containsEntry("orders0.renewals", "1")
                .containsEntry("orders0.renewalFailures", "1")
                .containsEntry("orders0.leaseLosses", "1")
                .containsEntry("bills1.issued", "1")
                .containsEntry("bills1.leaseRemaining", "0 ms")
                .containsEntry("bills1.logicalNodeId", "-1")
                .containsEntry("sequencers", "2")
                .containsEntry("issued", "6")
                .containsEntry("waits", "1")
                .containsEntry("waitTime", "1 ms")
                .containsEntry("renewals", "1")
                .containsEntry("renewalFailures", "1")
                .containsEntry("leaseLosses", "1")
                .containsKeys("timeRemaining", "orders0.timeRemaining", "bills1.timeRemaining")
                .hasSize(12 + 1 + 2 * 9);
    }

    @Test
    void nodeLeaseIsShownWithAllThatItSharesWithASequencer() {
        NodeLease lease = member.sequencers.lease(
                NodeLeaseConfig.builder("tsid0").maxNodeCount(4).build());
        clock.advanceMillis(LEASE_MILLIS / 2);
        member.keep();
        member.coordinator.answerRenewal();

        assertThat(shown())
                .containsEntry("sequencers", "0")
                .containsEntry("nodeLeases", "1")
                .containsEntry("tsid0.logicalNodeId", Integer.toString(lease.nodeId()))
                .containsEntry("tsid0.leaseRemaining", LEASE_MILLIS + " ms")
                .containsEntry("tsid0.renewals", "1")
                .containsEntry("renewals", "1")
                .doesNotContainKeys("tsid0.issued", "timeRemaining", "tsid0.timeRemaining")
                .hasSize(12 + 7);
        lease.close();
        assertThat(shown())
                .containsEntry("nodeLeases", "0")
                .containsEntry("renewals", "1")
                .hasSize(12);
    }

    @Test
    void stepsOfTheClockAreShown() {
        clock.stepWall(100);
        member.keep();
        clock.stepWall(-50);
        member.keep();

        assertThat(shown())
                .containsEntry("clockStepsForward", "1")
                .containsEntry("clockStepsBackward", "1")
                .containsEntry("largestClockStepForward", "100 ms")
                .containsEntry("largestClockStepBackward", "50 ms");
    }

    @Test
    void whatADestroyedSequencerDidStaysInTheTotals() throws InterruptedException {
        for (int life = 1; life <= 3; life++) {
            Sequencer orders = member.create("orders0");
            orders.next(10);
            member.sequencers.destroy("sequencer", orders);

            assertThat(shown()).containsEntry("sequencers", "0").containsEntry("issued", Integer.toString(10 * life));
            assertThat(shown().keySet()).noneMatch(metric -> metric.contains("."));
        }
    }

    @Test
    void whatWasDoneBeforeARecreationStaysInTheTotals() throws InterruptedException {
        Sequencer orders = member.create("orders0");
        orders.next(10);
        // After this call, the sequencer is destroyed but still registered. This can happen while another call uses its
        // name.
        orders.destroy();
        member.create("orders0").next();

        assertThat(shown()).containsEntry("issued", "11");
    }

    @Test
    void moreThanTheSinkWantsAreShownTogetherOnly() throws InterruptedException {
        member.create("orders0").next();
        member.create("bills0").next();
        for (int maxNamed : new int[] {2, 1}) {
            ShownMetrics shown = new ShownMetrics(maxNamed);
            member.sequencers.show(shown);
            assertThat(shown.all().containsKey("bills0.issued")).isEqualTo(maxNamed == 2);
            assertThat(shown.all()).containsEntry("issued", "2");
        }
    }
}
