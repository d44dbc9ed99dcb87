// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyClockTest {
    private static final long START = 1_700_000_000_000L;
    private static final long DAY = 86_400_000;
    private static final long CONFIRMATION_MILLIS = SteadyClock.CONFIRMATION_SECONDS * 1_000;

    private final ManualClock clock = ManualClock.autoAdvancing(START);
    private final SteadyClock steady = new SteadyClock(clock);

    /** Lets {@code millis} pass and reads the clock four times a second, like its users. Returns the last read. */
    private long readFor(long millis) {
        long end = clock.nanos() + millis * 1_000_000;
        long before = steady.millis();
        while (clock.nanos() < end) {
            clock.advanceMillis(250);
            long now = steady.millis();
            assertThat(now).as("it never runs back").isGreaterThanOrEqualTo(before);
            before = now;
        }
        return before;
    }

    @Test
    void runsWithTheWallClock() {
        assertThat(readFor(10 * CONFIRMATION_MILLIS)).isEqualTo(START + 10 * CONFIRMATION_MILLIS);
    }

    @ParameterizedTest
    @ValueSource(longs = {-49, 49})
    void followsTheWallClockWhileATimeServerSlewsIt(long slewMillis) {
        for (int i = 0; i < 20; i++) {
            clock.stepWall(slewMillis);
            readFor(1_000);
        }
        assertThat(steady.millis()).isEqualTo(clock.millis());
    }

    @ParameterizedTest
    @ValueSource(longs = {-56 * 365 * DAY, -3_600_000, -1_000, 1_000, 240_000, 49 * DAY, 2 * DAY})
    void noSingleWrongReadMovesIt(long errorMillis) {
        for (int i = 0; i < 300; i++) {
            clock.stepWall(errorMillis);
            assertThat(steady.millis()).isEqualTo(START + i * 250L);
            clock.stepWall(-errorMillis);
            assertThat(steady.millis()).isEqualTo(START + i * 250L);
            clock.advanceMillis(250);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-3_600_000, 2 * DAY})
    void stepThatIsTakenBackDoesNotMoveIt(long stepMillis) {
        clock.stepWall(stepMillis);
        assertThat(readFor(CONFIRMATION_MILLIS - 1_000)).isEqualTo(START + CONFIRMATION_MILLIS - 1_000);
        clock.stepWall(-stepMillis);
        assertThat(readFor(1_000)).isEqualTo(START + CONFIRMATION_MILLIS);
    }

    @Test
    void followsAStepForwardThatLasts() {
        clock.stepWall(2 * DAY);
        readFor(CONFIRMATION_MILLIS + 250);
        assertThat(steady.millis()).isEqualTo(clock.millis());
    }

    @Test
    void runsAtHalfRateHoweverOftenItIsRead() {
        clock.stepWall(-10_000);
        readFor(CONFIRMATION_MILLIS);
        long before = steady.millis();
        for (int i = 0; i < 10_000; i++) {
            clock.advanceMillis(1);
            long last = steady.millis();
            assertThat(steady.millis()).isEqualTo(last);
        }
        assertThat(steady.millis()).isBetween(before + 4_900, before + 5_100);
    }

    @Test
    void runsAtHalfRateAfterAStepBackThatLasts() {
        clock.stepWall(-10_000);
        assertThat(readFor(CONFIRMATION_MILLIS)).isBetween(clock.millis() + 9_800, clock.millis() + 10_000);
        long before = steady.millis();
        assertThat(readFor(10_000)).isBetween(before + 4_900, before + 5_100);
        readFor(20_000);
        assertThat(steady.millis()).isEqualTo(clock.millis());
        readFor(1_000);
        assertThat(steady.millis()).isEqualTo(clock.millis());
    }

    @Test
    void takesTheLeastOfWhatAllReadsOfAPeriodShow() {
        clock.stepWall(DAY);
        readFor(CONFIRMATION_MILLIS / 2);
        clock.stepWall(DAY);
        readFor(CONFIRMATION_MILLIS / 2 + 250);
        assertThat(steady.millis()).isEqualTo(clock.millis() - DAY);
    }

    @Test
    void followsAClockAtOnceThatWasNotSetWhenTheMachineBooted() {
        ManualClock unset = ManualClock.autoAdvancing(5_000);
        SteadyClock booted = new SteadyClock(unset);
        unset.advanceMillis(1_000);
        assertThat(booted.millis()).isEqualTo(6_000);
        unset.stepWall(START);
        assertThat(booted.millis()).isEqualTo(START + 6_000);
    }

    @Test
    void neverRunsBackWhateverTheWallClockShows() {
        long seed = Long.getLong("snowcast.seed", System.nanoTime());
        Random random = new Random(seed);
        long before = steady.millis();
        for (int i = 0; i < 20_000; i++) {
            clock.advanceMillis(random.nextInt(1_000));
            if (random.nextInt(20) == 0) {
                clock.stepWall(random.nextLong(-DAY, DAY) / (1L << random.nextInt(20)));
            }
            long now = steady.millis();
            assertThat(now).as("repeat with -Dsnowcast.seed=" + seed).isGreaterThanOrEqualTo(before);
            before = now;
        }
    }
}
