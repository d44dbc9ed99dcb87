// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import static com.noctarius.snowcast.internal.sequencer.FakeCluster.START;
import static com.noctarius.snowcast.internal.sequencer.FakeCluster.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.ManualClock;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A sequencer without a cluster. */
class FixedNodeTest {
    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final SnowcastSequencer sequencer =
            FixedNode.sequencer(config("orders").build(), 5, clock);

    @Test
    void idsCarryTheGivenNode() throws InterruptedException {
        assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Attached);
        long[] ids = sequencer.next(9);
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(Arrays.stream(ids).mapToInt(sequencer::logicalNodeId)).containsOnly(5);
    }

    @Test
    void grantHasNoEndBeforeThatOfTheLayout() throws InterruptedException {
        clock.advanceMillis(TimeUnit.DAYS.toMillis(40));
        assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(TimeUnit.DAYS.toMillis(40) + 1_000);

        clock.advanceMillis(TimeUnit.DAYS.toMillis(20));
        assertThatThrownBy(sequencer::next)
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("the time of layout 32/3/2 is used up; it lasted to 2024-01-03T15:16:06.295Z");
    }

    @Test
    void idsStayInOrderThroughDetachAndAttachWhileTheClockStepsBack() throws InterruptedException {
        long before = sequencer.next();
        sequencer.detachLogicalNode();
        assertThatThrownBy(sequencer::next).isInstanceOf(SnowcastStateException.class);
        clock.stepWall(-900);

        sequencer.attachLogicalNode();

        assertThat(sequencer.next()).isGreaterThan(before);
    }

    @Test
    void idsAreAboveStartAboveAlsoThroughDetachAndAttach() throws InterruptedException {
        SnowcastLayout layout = config("orders").build().layout();
        long highest = layout.compose(sequencer.timestampValue(sequencer.next()) + 900, 7, 3);
        SequencerConfig above = config("orders").startAbove(highest).build();
        SnowcastSequencer next = FixedNode.sequencer(above, 5, clock);
        assertThat(next.next()).isGreaterThan(highest);
        next.detachLogicalNode();
        clock.stepWall(-500);
        assertThat(next.attachLogicalNode().next()).isGreaterThan(highest);
    }

    @Test
    void startAboveThatLiesAheadIsRefused() {
        SnowcastLayout layout = config("orders").build().layout();
        long ahead = layout.compose(10_000, 0, 0);
        assertThatThrownBy(() ->
                        FixedNode.sequencer(config("orders").startAbove(ahead).build(), 5, clock))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageStartingWith("sequencer orders: startAbove is " + ahead + ". With layout 32/3/2 and epoch ")
                .hasMessageContaining(". Take an epoch up to ");
    }

    @Test
    void nodeMustBeOneOfTheLayout() {
        for (int node : new int[] {-1, 8}) {
            assertThatThrownBy(() -> FixedNode.sequencer(config("orders").build(), node, clock))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("sequencer orders: logicalNodeId must be 0 to 7: " + node);
        }
    }

    /** More machines than a cluster can have attached. */
    @Test
    void mayBeOneOfManyNodes() throws InterruptedException {
        for (SnowcastLayout layout : List.of(new SnowcastLayout(41, 16, 7), new SnowcastLayout(42, 16, 6))) {
            SequencerConfig many = config("orders").layout(layout).build();
            long perMillisecond = layout.idsPerMillisecond();
            Set<Long> issued = new HashSet<>();
            for (int node : new int[] {0, 8_192, 65_534, 65_535}) {
                SnowcastSequencer one = FixedNode.sequencer(many, node, clock);
                long[] ids = one.next((int) (3 * perMillisecond));
                for (long id : ids) {
                    assertThat(issued.add(id)).isTrue();
                    assertThat(one.logicalNodeId(id)).isEqualTo(node);
                }
                assertThat(one.timestampValue(ids[ids.length - 1]) - one.timestampValue(ids[0]))
                        .isBetween(2L, 3L);
            }
            assertThatThrownBy(() -> FixedNode.sequencer(many, 65_536, clock))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("sequencer orders: logicalNodeId must be 0 to 65535: 65536");
        }
    }

    @Test
    void epochMustNotLieInTheFuture() {
        assertThatThrownBy(() -> FixedNode.sequencer(
                        config("orders")
                                .epoch(SnowcastEpoch.byTimestamp(START + 1))
                                .build(),
                        0,
                        clock))
                .isInstanceOf(SnowcastException.class)
                .hasMessageStartingWith("sequencer orders: epoch must not lie in the future");
    }

    @Test
    void timeOfTheLayoutMustNotBeUsedUpAtTheStart() {
        assertThatThrownBy(() -> FixedNode.sequencer(
                                config("orders")
                                        .layout(new SnowcastLayout(9, 3, 2))
                                        .build(),
                                0,
                                clock)
                        .next())
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("the time of layout 9/3/2 is used up; from epoch ");
    }

    @Test
    void noClusterDestroysIt() {
        FakeMember member = new FakeCluster(clock).join(clock);

        assertThatThrownBy(() -> member.sequencers.destroy(sequencer)).isInstanceOf(IllegalArgumentException.class);
    }
}
