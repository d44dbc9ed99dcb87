// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static com.noctarius.snowcast.internal.leases.FakeCluster.config;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.ManualClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a sequencer with a fixed node ID, which needs no cluster. */
class FixedNodeTest {
    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final SnowcastSequencer sequencer =
            FixedNode.sequencer(config("orders").build(), 5, clock, FixedNode.LOG);

    @Test
    void allCallersInAProcessShareTheSequencerOfANode() throws Exception {
        SequencerConfig shared = config("shared").build();
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        List<Callable<Void>> requests = Collections.nCopies(4, () -> {
            for (int i = 0; i < 1_000; i++) {
                ids.add(SnowcastSystem.standaloneSequencer(shared, 5).next());
            }
            return null;
        });
        ExecutorService threads = Executors.newFixedThreadPool(requests.size());
        try {
            for (Future<Void> request : threads.invokeAll(requests)) {
                request.get();
            }
        } finally {
            threads.shutdown();
        }

        assertThat(ids).hasSize(4_000);
        assertThat(SnowcastSystem.standaloneSequencer(shared, 5))
                .isNotSameAs(SnowcastSystem.standaloneSequencer(shared, 6))
                .isNotSameAs(SnowcastSystem.standaloneSequencer(config("other").build(), 5));
        SequencerConfig above = config("shared").startAbove(1).build();
        assertThatThrownBy(() -> SnowcastSystem.standaloneSequencer(above, 5))
                .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage("sequencer shared: node 5 of this process was created with startAbove=null, so it cannot be"
                        + " created with startAbove=1: use the same, or another name");
    }

    @Test
    void grantHasNoEndBeforeThatOfTheLayout() throws InterruptedException {
        SnowcastSequencer sequencer = FixedNode.sequencer(
                config("orders").layout(new SnowcastLayout(32, 3, 2)).build(), 5, clock, FixedNode.LOG);
        clock.advanceMillis(TimeUnit.DAYS.toMillis(40));
        assertThat(sequencer.stats().problem()).isEmpty();
        assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(TimeUnit.DAYS.toMillis(40) + 1_000);

        clock.advanceMillis(TimeUnit.DAYS.toMillis(20));
        assertThatThrownBy(sequencer::next)
                .isInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("the time of layout 32/3/2 is used up; it lasted to 2024-01-03T15:16:06.295Z");
        assertThat(sequencer.stats().problem())
                .startsWith("the time of layout 32/3/2 is used up; from epoch ")
                .contains(" it lasts to 2024-01-03T15:16:06.295Z: ");
    }

    /** The monotonic clock does not count the time in which a machine is suspended. */
    @Test
    void idTimeGoesOnAfterEachSuspension() throws InterruptedException {
        for (int suspensions = 0; suspensions < 3; suspensions++) {
            long before = sequencer.timestampValue(sequencer.next());
            clock.stepWall(3_600_000);
            for (int second = 1; second <= 55; second++) {
                clock.advanceMillis(1_000);
                assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(before + second * 1_000);
            }
            clock.advanceMillis(10_000);
            assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(before + 3_600_000 + 65_000);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {240_000, 4_294_967_296L, 1L << 45, -240_000, -4_294_967_296L})
    void oneWrongReadMovesNoIdAhead(long by) throws InterruptedException {
        for (int readsBefore = 0; readsBefore < 20; readsBefore++) {
            ManualClock own = ManualClock.autoAdvancing(START);
            own.lieOnce(readsBefore, by);
            SnowcastSequencer alone = FixedNode.sequencer(config("orders").build(), 5, own, FixedNode.LOG);
            for (int i = 0; i < 6; i++) {
                own.advanceMillis(7_000);
                long wall = 1_000 + (i + 1) * 7_000L;
                assertThat(alone.timestampValue(alone.next()))
                        .as("after " + readsBefore)
                        .isLessThanOrEqualTo(wall);
                assertThat(alone.timestampValue(alone.next())).isEqualTo(wall);
                assertThat(alone.tryNext()).isPresent();
            }
            assertThat(alone.stats().waitCount()).isZero();
        }
    }

    @Test
    void idsAreAtMostTenSecondsAheadWhateverTheClockShowsForLessThanAMinute() throws InterruptedException {
        for (int i = 1; i < 200; i++) {
            clock.advanceMillis(1_500);
            sequencer.tryNext();
            long wall = clock.millis();
            clock.stepWall(i * 333L);
            OptionalLong id = sequencer.tryNext();
            clock.stepWall(i * -333L);
            assertThat(id.isPresent() ? sequencer.timestampValue(id.getAsLong()) + START - 1_000 : 0)
                    .isLessThanOrEqualTo(wall + 10_000);
        }
        clock.advanceMillis(20_000);
        assertThat(sequencer.timestampValue(sequencer.next()) + START - 1_000).isEqualTo(clock.millis());
    }

    /** A machine that was suspended resumes: its monotonic clock did not advance during the suspension. */
    @Test
    void stepThatLastsIsFollowedAfterAMinute() throws InterruptedException {
        long eightHours = 8 * 3_600_000;
        clock.advanceMillis(60_000);
        clock.stepWall(eightHours);

        for (int second = 0; second < 60; second++) {
            long before = clock.millis() - eightHours - START + 1_000;
            assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(before);
            assertThat(sequencer.tryNext()).isPresent();
            clock.advanceMillis(1_000);
        }
        assertThat(sequencer.timestampValue(sequencer.next())).isEqualTo(clock.millis() - START + 1_000);
        assertThat(sequencer.stats().waitCount()).isZero();
    }

    @Test
    void idsGoOnWhileAClockThatWasSetBackCatchesUp() throws InterruptedException {
        sequencer.next();
        clock.stepWall(-3_600_000);
        for (int i = 0; i < 2 * 3_600; i++) {
            sequencer.next(8);
            clock.advanceMillis(1_000);
        }
        assertThat(sequencer.timestampValue(sequencer.next()) + START - 1_000).isEqualTo(clock.millis());
        assertThat(sequencer.stats().problem()).isEmpty();
    }

    @Test
    void stepsAndWrongReadsAreLogged() throws InterruptedException {
        List<String> logged = new ArrayList<>();
        SnowcastSequencer alone = FixedNode.sequencer(
                config("orders").build(), 5, clock, (level, message, cause) -> logged.add(level + " " + message));
        alone.next();
        clock.advanceMillis(1_000);
        clock.lieOnce(0, 240_000);
        alone.next();
        clock.stepWall(5_000);
        alone.next();

        assertThat(logged)
                .containsExactly(
                        "WARNING Sequencer orders: A read of the wall clock showed 2023-11-14T22:17:21Z, and the next"
                                + " one 2023-11-14T22:13:21Z; IDs go by the second",
                        "WARNING Sequencer orders: The wall clock stepped by 5000 ms; IDs stay in order, and follow by"
                                + " more than 10000 ms when it has shown that for 60 seconds");
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
        SnowcastSequencer next = FixedNode.sequencer(above, 5, clock, FixedNode.LOG);
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
                        FixedNode.sequencer(config("orders").startAbove(ahead).build(), 5, clock, FixedNode.LOG))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageStartingWith("sequencer orders: startAbove is " + ahead + ". With layout 41/3/2 and epoch ")
                .hasMessageContaining(". Take an epoch up to ");
    }

    @Test
    void nodeMustBeOneOfTheLayout() {
        for (int node : new int[] {-1, 8}) {
            assertThatThrownBy(() -> FixedNode.sequencer(config("orders").build(), node, clock, FixedNode.LOG))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("sequencer orders: logicalNodeId must be 0 to 7: " + node);
        }
    }

    /** In a cluster, a name has at most 8,192 node IDs. With fixed node IDs, it may have up to 65,536. */
    @Test
    void mayBeOneOfManyNodes() throws InterruptedException {
        for (SnowcastLayout layout : List.of(new SnowcastLayout(41, 16, 7), new SnowcastLayout(42, 16, 6))) {
            SequencerConfig many = config("orders").layout(layout).build();
            long perMillisecond = layout.idsPerMillisecond();
            Set<Long> issued = new HashSet<>();
            for (int node : new int[] {0, 8_192, 65_534, 65_535}) {
                SnowcastSequencer one = FixedNode.sequencer(many, node, clock, FixedNode.LOG);
                long[] ids = one.next((int) (3 * perMillisecond));
                for (long id : ids) {
                    assertThat(issued.add(id)).isTrue();
                    assertThat(one.logicalNodeId(id)).isEqualTo(node);
                }
                assertThat(one.timestampValue(ids[ids.length - 1]) - one.timestampValue(ids[0]))
                        .isBetween(2L, 3L);
            }
            assertThatThrownBy(() -> FixedNode.sequencer(many, 65_536, clock, FixedNode.LOG))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("sequencer orders: logicalNodeId must be 0 to 65535: 65536");
        }
    }

    @Test
    void clockThatShowsATimeBeforeTheEpochMayBeSetYet() {
        assertThatThrownBy(() -> FixedNode.sequencer(
                        config("orders")
                                .epoch(SnowcastEpoch.byTimestamp(START + 1))
                                .build(),
                        0,
                        clock,
                        FixedNode.LOG))
                .isInstanceOf(SnowcastUnavailableException.class)
                .hasMessage("sequencer orders: no ID can be made before its epoch, 2023-11-14T22:13:20.001Z (this clock"
                        + " 2023-11-14T22:13:20Z): if a clock is wrong, set it; else take an epoch that is not in the"
                        + " future");
    }

    @Test
    void tryNextOrReturnsWhatItIsGivenWhenTheCountersOfTheMillisecondAreUsedUp() {
        long before = 0;
        for (long id = sequencer.tryNextOr(-7); id != -7; id = sequencer.tryNextOr(-7)) {
            assertThat(id).isGreaterThan(before);
            before = id;
        }
        assertThat(sequencer.counterValue(before)).isEqualTo(sequencer.layout().idsPerMillisecond() - 1);
        assertThat(sequencer.tryNext()).isEmpty();
        clock.advanceMillis(1);
        assertThat(sequencer.tryNextOr(-7)).isEqualTo(sequencer.tryNext().orElseThrow() - 1);
    }

    /** At the epoch, the ID with node ID 0 and counter 0 would be 0, which is not an ID. */
    @Test
    void zeroIsNoIdWhateverTheClockSays() {
        SequencerConfig atEpoch =
                config("orders").epoch(SnowcastEpoch.byTimestamp(START)).build();
        assertThat(FixedNode.sequencer(atEpoch, 0, clock, FixedNode.LOG).tryNextOr(0))
                .isEqualTo(1);
        assertThat(FixedNode.sequencer(atEpoch, 0, clock, FixedNode.LOG).tryNext())
                .hasValue(1);
    }
}
