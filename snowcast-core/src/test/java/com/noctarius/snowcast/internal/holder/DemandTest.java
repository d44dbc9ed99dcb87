// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.internal.holder.Demand.PlannedLook;
import com.noctarius.snowcast.store.Block;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** At a rate of 100 in a millisecond. */
class DemandTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final BlockCursor BLOCK = BlockCursor.of(Block.of(1, 1_000), 0.5);

    private final Demand demand =
            new Demand(IntegerSequenceConfig.builder("numbers").blockSize(1_000).build());

    DemandTest() {
        demand.measure(500, 500, 5 * MILLI, 0);
        demand.measure(1_500, 500, 5 * MILLI, 10 * MILLI);
    }

    @Test
    void isEnoughForTwoReservationsInARowAtTwiceTheRate() {
        demand.reserved(2 * MILLI);
        assertThat(demand.isEnough(800)).isTrue();
        assertThat(demand.isEnough(799)).isFalse();
    }

    @Test
    void aSlowReservationCountsForHalfAfterFiveOthers() {
        demand.reserved(8 * MILLI);
        for (int i = 0; i < 5; i++) {
            demand.reserved(1);
        }
        assertThat(demand.isEnough(1_650)).isTrue();
        assertThat(demand.isEnough(1_600)).isFalse();
    }

    @Test
    void theRateOfTheBlockInUseCountsBeforeTheOneMeasured() {
        assertThat(demand.timeToEmpty(1_000, 0, 0)).isEqualTo(Duration.ofMillis(10));
        assertThat(demand.timeToEmpty(1_000, 200, MILLI)).isEqualTo(Duration.ofMillis(5));
    }

    private @Nullable PlannedLook lookAt(long behindMark) {
        return demand.lookAt(BLOCK, 100, behindMark, 0);
    }

    /** At twice the rate 200 for each millisecond until the look, and for the reservation and the wake-ups. */
    @Test
    void aLookComesNoLaterThanWhatIsInHandLastsAtTwiceTheRate() {
        demand.reserved(MILLI);
        PlannedLook latest = Objects.requireNonNull(lookAt(10_000));
        assertThat(latest.dueNanos()).as("the mark, and an eighth of the block").isBetween(2_250_000L, 2_260_000L);
        assertThat(latest.notBeforeNanos()).isBetween(-260_000L, -250_000L);

        long forReservation = 260;
        PlannedLook earlier = Objects.requireNonNull(lookAt(forReservation + 100));
        assertThat(earlier.dueNanos()).isBetween(1_249_999L, 1_250_001L);
        assertThat(earlier.notBeforeNanos()).isBetween(749_999L, 750_001L);
        assertThat(lookAt(forReservation)).isNull();
    }

    @Test
    void aCallIsEarlyBeforeThatTimeAndAtAnotherBlock() {
        PlannedLook look = new PlannedLook(BLOCK, 10, 20);
        assertThat(look.isSoon(BLOCK, 9)).isFalse();
        assertThat(look.isSoon(BLOCK, 10)).isTrue();
        assertThat(look.isSoon(BlockCursor.of(Block.of(1, 1_000), 0.5), 10)).isFalse();
    }

    @Test
    void noLookIsTimedForBlocksThatLastLessThanAMillisecondOrMoreThanASecond() {
        assertThat(demand.lookAt(BlockCursor.of(Block.of(1, 99), 0.5), 10, 10_000, 0))
                .isNull();
        assertThat(demand.lookAt(BlockCursor.of(Block.of(1, 100), 0.5), 10, 10_000, 0))
                .isNotNull();
        assertThat(demand.lookAt(BlockCursor.of(Block.of(1, 100_000), 0.5), 10, 100_000, 0))
                .isNotNull();
        assertThat(demand.lookAt(BlockCursor.of(Block.of(1, 100_001), 0.5), 10, 100_000, 0))
                .isNull();
    }

    @Test
    void noLookIsTimedBeforeTheRateIsKnown() {
        Demand unknown = new Demand(IntegerSequenceConfig.builder("numbers").build());
        assertThat(unknown.lookAt(BLOCK, 100, 10_000, 0)).isNull();
        assertThat(unknown.timeToEmpty(0, 0, 0)).isZero();
    }
}
