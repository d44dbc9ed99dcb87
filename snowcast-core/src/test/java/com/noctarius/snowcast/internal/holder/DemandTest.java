// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.holder.Demand.NextCheck;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** At a rate of 100 in a millisecond. */
class DemandTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double RATE = 100.0 / MILLI;
    private static final long BLOCK = 1_000;

    private final Demand demand = new Demand(IntegerSequenceConfig.builder("numbers")
            .adaptiveBlockSize(10, 10_000, Duration.ofMillis(5))
            .build());

    @Test
    void isEnoughForTwoReservationsInARowAtTwiceTheRate() {
        demand.reserved(0, 2 * MILLI, 0);
        assertThat(demand.enough(RATE)).isEqualTo(800);
    }

    @Test
    void aSlowReservationCountsForHalfAfterFiveOthers() {
        demand.reserved(0, 8 * MILLI, 0);
        for (int i = 0; i < 5; i++) {
            demand.reserved(0, 1, 0);
        }
        assertThat(demand.enough(RATE)).isBetween(1_600L, 1_650L);
    }

    /** So a pause counts, and so does the use since. */
    @Test
    void theRateIsThatSinceTheReservationBeforeTheLast() {
        assertThat(demand.ratePerNano(5, 5)).as("not known yet").isZero();
        demand.measure(0, 0);
        assertThat(demand.ratePerNano(100, MILLI)).isEqualTo(RATE);
        demand.measure(100, MILLI);
        demand.measure(200, 2 * MILLI);
        assertThat(demand.ratePerNano(200, 2 * MILLI)).isEqualTo(RATE);
        assertThat(demand.ratePerNano(200, 5 * MILLI)).isEqualTo(RATE / 4);
    }

    /** Else blocks that are to last less than a reservation would shrink to the least size. */
    @Test
    void aWaitForABlockDoesNotMakeBlocksSmaller() {
        demand.measure(0, 0);
        for (int i = 1; i <= 10; i++) {
            long at = 100 * MILLI * i;
            demand.ranOut(at - 99 * MILLI);
            demand.reserved(100L * i, 100 * MILLI, at);
        }
        assertThat(demand.blockSize()).isEqualTo(500);
    }

    private @Nullable NextCheck nextCheck(long left, long dueAt) {
        return demand.nextCheck(RATE, left, dueAt, BLOCK);
    }

    @Test
    void aCheckComesHalfwayToTheTimeWhenABlockIsDueAndThenABitLaterThanThatTime() {
        demand.reserved(0, MILLI, 0);
        assertThat(nextCheck(1_500, 600)).isEqualTo(new NextCheck(4_500_000, 0));
        NextCheck last = Objects.requireNonNull(nextCheck(700, 600));
        assertThat(last.callsAhead()).isEqualTo(300);
        assertThat(last.delayNanos()).isBetween(1_749_000L, 1_750_000L);
    }

    /** At twice the rate 200 are used in each millisecond of the reservation and of the wake-ups: 260. */
    @Test
    void callsLeaveEnoughForAReservationAtTwiceTheRate() {
        demand.reserved(0, MILLI, 0);
        assertThat(Objects.requireNonNull(nextCheck(401, 400)).callsAhead()).isEqualTo(140);
        assertThat(nextCheck(301, 260)).isNull();
    }

    @Test
    void noCheckIsPlannedWhereItIsNoUse() {
        assertThat(nextCheck(500, 500)).as("due already").isNull();
        assertThat(demand.nextCheck(0, 1_000, 500, BLOCK)).as("nothing known").isNull();
        assertThat(demand.nextCheck(RATE, 99, 49, 99)).as("too fast").isNull();
        assertThat(demand.nextCheck(RATE / 1e6, 1_000, 500, BLOCK))
                .as("slow")
                .isEqualTo(new NextCheck(TimeUnit.SECONDS.toNanos(1), 0));
    }

    @Test
    void timeToEmptyFollowsTheRate() {
        assertThat(Demand.timeToEmpty(1_000, RATE)).isEqualTo(Duration.ofMillis(10));
        assertThat(Demand.timeToEmpty(0, 0)).isZero();
        assertThat(Demand.timeToEmpty(1, 0)).isEqualTo(IntegerSequenceStats.ENDLESS);
    }
}
