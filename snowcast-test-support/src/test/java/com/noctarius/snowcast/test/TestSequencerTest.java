// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.test;

import static com.noctarius.snowcast.test.IdAssertions.assertThatId;
import static com.noctarius.snowcast.test.IdAssertions.assertThatIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastStateException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TestSequencerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final TestSequencer orders = TestSequencer.named("orders");

    @Test
    void theFirstIdsAreKnown() {
        assertThat(orders.next()).isEqualTo(265_267_917_619_200_000L);
        assertThat(orders.next()).isEqualTo(265_267_917_619_200_001L);
        assertThatId(orders.next(), orders)
                .hasTime(TestSequencer.START)
                .hasLogicalNodeId(0)
                .hasCounter(2);
    }

    @Test
    void everyIdIsAboveStartAboveAlsoAfterAReset() {
        long highest = orders.setTime(NOON).next();
        TestSequencer above = TestSequencer.of(SequencerConfig.builder("orders")
                .epoch(TestSequencer.EPOCH)
                .startAbove(highest)
                .build());
        long first = above.next();
        assertThatId(first, above).hasTime(NOON.plusMillis(1)).isAfter(highest);
        above.reset();
        assertThat(above.next()).isEqualTo(first);
    }

    @Test
    void asyncCallsCompleteAtOnce() {
        assertThat(orders.nextAsync().toCompletableFuture()).isCompletedWithValue(265_267_917_619_200_000L);
        orders.detachLogicalNode();
        assertThat(orders.nextAsync().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void theClockStandsStillUntilItIsMoved() {
        assertThat(orders.time()).isEqualTo(TestSequencer.START);
        long before = orders.next();
        assertThatId(orders.setTime(NOON).next(), orders)
                .hasTime(NOON)
                .hasCounter(0)
                .isAfter(before);
        assertThatId(orders.advance(Duration.ofSeconds(90)).next(), orders)
                .hasTime(NOON.plusSeconds(90))
                .hasTimeBetween(NOON, NOON.plusSeconds(90));
        assertThatId(orders.setTime(orders.time()).next(), orders).hasCounter(1);
    }

    @Test
    void theClockDoesNotGoBack() {
        orders.setTime(NOON);
        assertThatThrownBy(() -> orders.setTime(NOON.minusMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("time must not be before 2026-03-01T12:00:00Z, which the clock shows:"
                        + " 2026-03-01T11:59:59.999Z; reset() starts over");
        assertThatThrownBy(() -> orders.advance(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("duration must not be negative: PT-0.001S");
    }

    @Test
    void aFullMillisecondIsFollowedByTheNext() throws InterruptedException {
        assertThatIds(orders.next(1_025), orders)
                .hasSize(1_025)
                .areUnique()
                .increase()
                .haveLogicalNodeId(0);
        assertThat(orders.time()).isEqualTo(TestSequencer.START.plusMillis(1));
        assertThatId(orders.tryNext().orElseThrow(), orders).hasCounter(1);
    }

    @Test
    void aResetBeginsAnew() {
        long first = orders.next();
        orders.setTime(NOON).detachLogicalNode();
        orders.reset();
        assertThat(orders.next()).isEqualTo(first);
        assertThat(orders.stats().issuedCount()).isEqualTo(1);
    }

    @Test
    void aDetachedOneGivesNoIds() {
        assertThat(orders.detachLogicalNode().getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
        assertThat(orders.stats().logicalNodeId()).isEmpty();
        assertThatThrownBy(orders::next)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer orders gives no ID, since it is Detached and not Attached");
        assertThatThrownBy(orders::detachLogicalNode).isInstanceOf(SnowcastStateException.class);
        long next = orders.attachLogicalNode().next();
        assertThatId(next, orders).hasCounter(0);
        assertThatThrownBy(orders::attachLogicalNode)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessage("sequencer orders is not attached, since it is Attached and not Detached");
    }

    @Test
    void aConfigurationGivesNameLayoutAndEpoch() {
        SnowcastEpoch epoch = SnowcastEpoch.byInstant(Instant.parse("2026-01-01T00:00:00Z"));
        TestSequencer returns = TestSequencer.of(SequencerConfig.builder("returns")
                .epoch(epoch)
                .layout(SnowcastLayout.JAVASCRIPT)
                .build());
        assertThat(returns.name()).isEqualTo("returns");
        assertThat(returns.layout()).isEqualTo(SnowcastLayout.JAVASCRIPT);
        assertThat(returns.time()).as("not before its epoch").isEqualTo("2026-01-01T00:00:00Z");
        assertThatId(returns.next(), returns).hasTime(returns.time()).hasCounter(1); // No ID is 0.
        assertThat(LongStream.range(0, 70).map(unused -> returns.next()).distinct())
                .hasSize(70);
        assertThat(returns.timestampValue(returns.next())).isEqualTo(1);
        assertThat(returns.logicalNodeId(returns.next())).isZero();
        assertThat(returns.counterValue(returns.next())).isEqualTo(10);
    }

    @Test
    void theTimeOfTheLayoutEnds() {
        orders.setTime(Instant.ofEpochMilli(
                TestSequencer.EPOCH.getEpochOffset() + orders.layout().maxTimestamp() + 1));
        assertThatThrownBy(orders::next).isInstanceOf(SnowcastIllegalStateException.class);
        assertThat(orders.stats().leaseRemaining()).isZero();
        assertThat(orders.stats().timeRemaining()).isZero();
        assertThat(orders.stats().positiveRemaining()).isEmpty();
        orders.reset();
        assertThat(orders.stats().timeRemaining()).isEqualTo(orders.stats().leaseRemaining());
        assertThat(orders.stats().positiveRemaining().orElseThrow())
                .isEqualTo(orders.stats().timeRemaining().minusMillis(1L << 40));
    }
}
