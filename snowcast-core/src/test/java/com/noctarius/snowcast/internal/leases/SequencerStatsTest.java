// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.owner.RenewReply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequencerStatsTest {
    private static final long HALF_LEASE_MILLIS = LEASE_MILLIS / 2;

    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);
    private final FakeCoordinator coordinator = member.coordinator;
    private final Sequencer sequencer = member.create("orders0");

    private SnowcastSequencer.Stats stats() {
        return sequencer.stats();
    }

    private void askForRenewal() {
        clock.advanceMillis(HALF_LEASE_MILLIS);
        member.keep();
    }

    private void assertCounts(long issued, long renewals, long failures, long refusals) {
        SnowcastSequencer.Stats stats = stats();
        assertThat(stats.issuedCount()).as("issued").isEqualTo(issued);
        assertThat(stats.renewalCount()).as("renewals").isEqualTo(renewals);
        assertThat(stats.renewalFailureCount()).as("failures").isEqualTo(failures);
        assertThat(stats.leaseLossCount()).as("leaseLosses").isEqualTo(refusals);
    }

    @Test
    void waitsAreCounted() throws InterruptedException {
        sequencer.next(5);
        assertThat(stats().waitCount()).isOne();
        assertThat(stats().waitTime()).isEqualTo(Duration.ofMillis(1));

        member.refuseRenewal(sequencer);
        coordinator.fail(new IllegalStateException("no owner"));
        assertThatThrownBy(sequencer::next).isInstanceOf(SnowcastStateException.class);
        assertThat(stats().waitCount()).isEqualTo(2);
        assertThat(stats().waitTime()).isEqualTo(Duration.ofMillis(10_001));
    }

    @Test
    void leaseRunsOutAndIsRenewed() {
        askForRenewal();
        assertThat(stats().leaseRemaining()).isEqualTo(Duration.ofMillis(HALF_LEASE_MILLIS));
        coordinator.answerRenewal();
        assertThat(stats().leaseRemaining()).isEqualTo(Duration.ofMillis(LEASE_MILLIS));
        assertCounts(0, 1, 0, 0);

        clock.advanceMillis(2 * LEASE_MILLIS);
        assertThat(stats().leaseRemaining()).isZero();
        assertThat(stats().problem()).as("nobody has asked").isEmpty();
    }

    @Test
    void failingRenewalsAreAProblemUntilOneSucceeds() {
        askForRenewal();
        coordinator.failRenewal(new IllegalStateException("no owner"));
        assertThat(stats().problem())
                .isEqualTo("renewals fail since 2023-11-14T22:13:50Z: java.lang.IllegalStateException: no owner");
        clock.advanceMillis(1_000);
        member.keep();
        coordinator.failRenewal(new IllegalStateException("no backup"));
        assertThat(stats().problem())
                .as("since the first failure, for the latest reason")
                .isEqualTo("renewals fail since 2023-11-14T22:13:50Z: java.lang.IllegalStateException: no backup");
        assertCounts(0, 0, 2, 0);

        member.keep();
        coordinator.answerRenewal();
        assertThat(stats().problem()).isEmpty();
        assertCounts(0, 1, 2, 0);
    }

    @Test
    void answersForAFormerAttachmentAreNotCounted() {
        askForRenewal();
        FakeCoordinator.Renewal renewed = coordinator.takeRenewal();
        List<RenewReply> reply = coordinator.decide(renewed);
        sequencer.detachLogicalNode().attachLogicalNode();
        renewed.reply().complete(reply);
        askForRenewal();
        FakeCoordinator.Renewal failed = coordinator.takeRenewal();
        sequencer.detachLogicalNode();
        failed.reply().completeExceptionally(new IllegalStateException("lost"));

        assertCounts(0, 0, 0, 0);
        assertThat(stats().problem()).isEqualTo("it was detached");
    }

    @Test
    void lostNodeIsARefusalAndAProblemUntilThereIsAnother() {
        int lost = coordinator.grantOf("orders0").logicalNodeId();
        member.refuseRenewal(sequencer);
        assertThat(stats().state()).isEqualTo(SnowcastSequenceState.Attached);
        assertThat(stats().logicalNodeId()).isEmpty();
        assertThat(stats().lease()).isZero();
        assertThat(stats().leaseRemaining()).isZero();
        assertThat(stats().problem()).isEqualTo("it lost the lease of node ID " + lost + " and attaches to another");

        coordinator.fail(new IllegalStateException("no owner"));
        member.runTasks();
        assertThat(stats().problem())
                .isEqualTo("attaching fails since 2023-11-14T22:13:50Z: java.lang.IllegalStateException: no owner");

        clock.advanceMillis(1_000);
        coordinator.fail(new IllegalStateException("no backup"));
        member.keep();
        assertThat(stats().problem())
                .as("since the first failure, for the latest reason")
                .isEqualTo("attaching fails since 2023-11-14T22:13:50Z: java.lang.IllegalStateException: no backup");

        coordinator.fail(null);
        member.keep();
        assertThat(stats().problem()).isEmpty();
        assertThat(stats().logicalNodeId()).isPresent();
        assertCounts(0, 0, 0, 1);
    }

    @Test
    void oneNodeIsLostOnce() {
        sequencer.clusterChanged("the cluster is another");
        sequencer.clusterChanged("the cluster is another");
        assertCounts(0, 0, 0, 1);
        member.keep();
        sequencer.clusterChanged("the cluster is another");

        assertCounts(0, 0, 0, 2);
    }

    @Test
    void failedReattachmentIsNoReasonAfterADetach() {
        member.refuseRenewal(sequencer);
        coordinator.fail(new IllegalStateException("no owner"));
        member.runTasks();
        coordinator.fail(null);
        sequencer.detachLogicalNode();

        assertThat(stats().problem()).isEqualTo("it was detached");
        assertThat(stats().logicalNodeId()).isEmpty();
    }
}
