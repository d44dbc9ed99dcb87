// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.LEASE_MILLIS;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.CounterStart;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.ShownMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LeaseHistoryTest {
    private static final SnowcastLayout SHORT = new SnowcastLayout(30, 3, 2);
    private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);

    /** Returns the configuration of a sequencer whose layout's time ends {@code millis} after the start. */
    private static SequencerConfig endingIn(String name, SnowcastLayout layout, long millis) {
        return SequencerConfig.builder(name)
                .epoch(SnowcastEpoch.byTimestamp(START + millis - layout.maxTimestamp() - 1))
                .layout(layout)
                .counterStart(CounterStart.ZERO)
                .build();
    }

    /** Returns the configuration of a sequencer whose IDs are negative from {@code millis} after the start on. */
    private static SequencerConfig turningIn(String name, long millis) {
        return SequencerConfig.builder(name)
                .epoch(SnowcastEpoch.byInstant(Instant.ofEpochMilli(START + millis - (1L << 40))))
                .build();
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(START + millis);
    }

    private Map<String, String> shown() {
        ShownMetrics shown = new ShownMetrics();
        member.sequencers.show(shown);
        return shown.all();
    }

    private void keep() {
        member.keep();
        while (member.coordinator.renewalCount() > 0) {
            member.coordinator.answerRenewal();
        }
    }

    @Test
    void statsSayHowLongIdsArePositive() {
        Sequencer orders = member.create(turningIn("orders0", 5_000));
        assertThat(orders.stats().positiveRemaining()).hasValue(Duration.ofSeconds(5));
        assertThat(orders.tryNextOr(0)).isPositive();

        clock.advanceMillis(5_000);
        assertThat(orders.stats().positiveRemaining()).isEmpty();
        assertThat(orders.tryNextOr(0)).isNegative();
    }

    @Test
    void metricsShowEachAndTheFirstEndOfAll() {
        assertThat(shown()).doesNotContainKeys("timeRemaining", "positiveRemaining");

        member.create(endingIn("orders0", SHORT, 120_000));
        member.create(turningIn("bills0", 7_000));
        member.create(turningIn("parcels0", 9_000));

        assertThat(shown())
                .containsEntry("orders0.timeRemaining", "120000 ms")
                .doesNotContainKey("orders0.positiveRemaining")
                .containsEntry("bills0.positiveRemaining", "7000 ms")
                .containsEntry("timeRemaining", "120000 ms")
                .containsEntry("positiveRemaining", "7000 ms");
    }

    @Test
    void firstAttachWarnsWithinAYearOfTheEndAndNoLaterAttachDoes() {
        member.create(endingIn("bills0", new SnowcastLayout(41, 3, 2), 365 * DAY_MILLIS + 1_000));
        assertThat(member.warnings()).isEmpty();

        Sequencer orders = member.create(endingIn("orders0", new SnowcastLayout(41, 3, 2), 365 * DAY_MILLIS - 1_000));
        assertThat(member.warnings())
                .containsExactly("WARNING Sequencer orders0: the time of layout 41/3/2 ends at "
                        + at(365 * DAY_MILLIS - 1_000)
                        + ", and then it issues no IDs; take another name, with a later epoch or more bits of time");

        orders.detachLogicalNode().attachLogicalNode();
        assertThat(member.warnings()).hasSize(1);
    }

    @Test
    void firstAttachWarnsWithinAYearBeforeIdsTurnNegativeAndNotAfterwards() {
        member.create(turningIn("parcels0", 365 * DAY_MILLIS + 1_000));
        member.create(turningIn("bills0", -1_000));
        assertThat(member.warnings()).isEmpty();

        member.create(turningIn("orders0", 365 * DAY_MILLIS - 1_000));
        assertThat(member.warnings())
                .containsExactly("WARNING Sequencer orders0: its IDs turn negative at " + at(365 * DAY_MILLIS - 1_000)
                        + ", so that signed numbers and columns sort new IDs before old ones; compare them unsigned,"
                        + " or take another name, with a later epoch or a layout of 63 bits");
    }

    @Test
    void sequencerThatIsMadeDetachedWarnsWhenItIsAttached() {
        Sequencer orders = (Sequencer) member.sequencers.create(endingIn("orders0", SHORT, DAY_MILLIS), false);
        assertThat(member.warnings()).isEmpty();

        orders.attachLogicalNode();
        assertThat(member.warnings()).hasSize(1);
    }

    @Test
    void aLeaseThatReachesToTheEndIsNotAskedToBeRenewed() {
        Sequencer orders = member.create(endingIn("orders0", SHORT, LEASE_MILLIS * 5 / 4));
        clock.advanceMillis(LEASE_MILLIS / 2);
        keep();
        assertThat(orders.stats().renewalCount()).isOne();

        for (int i = 0; i < 100; i++) {
            clock.advanceMillis(LEASE_MILLIS / 40);
            member.keep();
            assertThat(member.coordinator.renewalCount()).isZero();
        }
        assertThat(orders.stats().timeRemaining()).isZero();
        assertThat(orders.stats().renewalFailureCount()).isZero();
    }

    @Test
    void afterTheEndThatIsTheProblemAndEveryCallSaysSo() throws InterruptedException {
        Sequencer orders = member.create(endingIn("orders0", SHORT, 10_000));
        orders.next();
        clock.advanceMillis(9_999);
        assertThat(orders.stats().problem()).isEmpty();
        orders.next();

        clock.advanceMillis(1);
        assertUsedUp(orders);
    }

    @Test
    void whoLosesItsLogicalNodeAfterTheEndFailsWithThatReasonAndAsksForNoOther() {
        Sequencer orders = member.create(endingIn("orders0", SHORT, 10_000));
        clock.advanceMillis(10_000);
        orders.clusterChanged("the cluster is another");
        for (int i = 0; i < 100; i++) {
            clock.advanceMillis(250);
            member.keep();
        }

        assertUsedUp(orders);
        assertThat(member.coordinator.attaches).hasSize(1);
    }

    private void assertUsedUp(Sequencer sequencer) {
        String usedUp = "the time of layout 30/3/2 is used up; ";
        SnowcastSequencer.Stats stats = sequencer.stats();
        assertThat(stats.problem())
                .startsWith(usedUp)
                .contains(at(9_999).toString())
                .contains("take another name");
        assertThat(stats.leaseRemaining()).isZero();
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                sequencer::next, sequencer::tryNext, () -> sequencer.next(10), () -> sequencer.tryNextOr(0))) {
            long before = clock.millis();
            assertThatThrownBy(call)
                    .isInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("sequencer orders0: " + usedUp);
            assertThat(clock.millis()).as("waited").isEqualTo(before);
        }
    }

    @Test
    void aClockThatIsSetBackLetsIdsGoOnAfterTheEnd() {
        Sequencer orders = member.create(endingIn("orders0", SHORT, 10_000));
        clock.stepWall(DAY_MILLIS);
        orders.clusterChanged("the cluster is another");
        member.keep();
        assertUsedUp(orders);

        clock.stepWall(-DAY_MILLIS);
        member.keep();
        assertThat(orders.tryNext()).isPresent();
    }
}
