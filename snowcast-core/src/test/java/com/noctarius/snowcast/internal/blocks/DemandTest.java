// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DemandTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double RATE = 100.0 / MILLI;

    private final Demand adaptive = new Demand(IntegerSequenceConfig.builder("sizes")
            .adaptiveBlockSize(10, 1_000, Duration.ofSeconds(10))
            .build());
    private final Demand demand = new Demand(IntegerSequenceConfig.builder("numbers")
            .adaptiveBlockSize(10, 10_000, Duration.ofMillis(5))
            .build());

    @Test
    void isEnoughForTwoReservationsInARowAndALateThreadAtTwiceTheRate() {
        assertThat(demand.enough(RATE)).isEqualTo(2_000);
        demand.reserved(0, false, 2 * MILLI, 0);
        assertThat(demand.enough(RATE)).isEqualTo(2_800);
    }

    @Test
    void aSlowReservationCountsForHalfAfterFiveOthers() {
        demand.reserved(0, false, 8 * MILLI, 0);
        for (int i = 0; i < 5; i++) {
            demand.reserved(0, false, 1, 0);
        }
        assertThat(demand.enough(RATE)).isBetween(3_600L, 3_650L);
    }

    @Test
    void theRateIsThatSinceTheMeasurementBeforeTheLast() {
        assertThat(demand.ratePerNano(5, 5)).as("not known yet").isZero();
        demand.measure(0, false, 0);
        assertThat(demand.ratePerNano(100, MILLI)).isEqualTo(RATE);
        demand.measure(100, false, MILLI);
        demand.measure(200, false, 2 * MILLI);
        assertThat(demand.ratePerNano(200, 2 * MILLI)).isEqualTo(RATE);
        assertThat(demand.ratePerNano(200, 5 * MILLI)).isEqualTo(RATE / 4);
    }

    /**
     * While the sequence is out of integers, no integers are used. If that time counted, the rate would be too low, and
     * blocks that last for less than a reservation would shrink to the minimum size.
     */
    @Test
    void aWaitForABlockDoesNotMakeBlocksSmaller() {
        demand.measure(0, false, 0);
        for (int i = 1; i <= 10; i++) {
            long at = 100 * MILLI * i;
            demand.measure(100L * i, true, at - 99 * MILLI);
            demand.reserved(100L * i, true, 100 * MILLI, at);
        }
        assertThat(demand.blockSize()).isEqualTo(500);
    }

    /** A batch that takes several blocks at once must not make the rate and the blocks grow. */
    @Test
    void lessThanAMillisecondIsNotMeasured() {
        demand.measure(0, false, 0);
        demand.measure(100, false, MILLI);
        demand.measure(10_000, false, MILLI + 1);
        demand.measure(10_000, false, 2 * MILLI);
        assertThat(demand.ratePerNano(10_000, 100 * MILLI)).isEqualTo(RATE);
    }

    @Test
    void timeToEmptyFollowsTheRate() {
        assertThat(Demand.timeToEmpty(1_000, RATE)).isEqualTo(Duration.ofMillis(10));
        assertThat(Demand.timeToEmpty(0, 0)).isZero();
        assertThat(Demand.timeToEmpty(1, 0)).isEqualTo(IntegerSequence.Stats.ENDLESS);
    }

    // --- sizes of blocks

    @Test
    void aFixedSizeStaysWhateverTheRate() {
        Demand fixed =
                new Demand(IntegerSequenceConfig.builder("sizes").blockSize(50).build());
        fixed.adaptSize(50, 1);
        assertThat(fixed.blockSize()).isEqualTo(50);
    }

    @Test
    void growsTwofoldAtMostUntilABlockLastsAsLongAsItShall() {
        // 5 integers per second for 10 seconds need a block of 50.
        assertThat(sizeAfter(5, SECOND)).isEqualTo(20);
        assertThat(sizeAfter(10, 2 * SECOND)).isEqualTo(40);
        assertThat(sizeAfter(20, 4 * SECOND)).isEqualTo(50);
        assertThat(sizeAfter(25, 5 * SECOND)).isEqualTo(50);
    }

    @Test
    void shrinksByHalfAtMost() {
        for (int i = 0; i < 4; i++) {
            adaptive.adaptSize(100, 1);
        }
        assertThat(adaptive.blockSize()).isEqualTo(160);
        assertThat(sizeAfter(1, 100 * SECOND)).isEqualTo(80);
        assertThat(sizeAfter(1, 100 * SECOND)).isEqualTo(40);
    }

    @Test
    void staysWithinItsBounds() {
        for (int i = 0; i < 20; i++) {
            adaptive.adaptSize(1_000, 0);
        }
        assertThat(adaptive.blockSize()).isEqualTo(1_000);
        for (int i = 0; i < 20; i++) {
            adaptive.adaptSize(1, Long.MAX_VALUE);
        }
        assertThat(adaptive.blockSize()).isEqualTo(10);
    }

    @Test
    void nothingUsedSaysNothing() {
        adaptive.adaptSize(0, SECOND);
        assertThat(adaptive.blockSize()).isEqualTo(10);
    }

    private long sizeAfter(long taken, long nanos) {
        adaptive.adaptSize(taken, nanos);
        return adaptive.blockSize();
    }
}
