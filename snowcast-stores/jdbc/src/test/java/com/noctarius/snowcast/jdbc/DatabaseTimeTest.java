// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.tests.Warnings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests which time a process uses for leases if one of three clocks is wrong: the clock of the database, the wall clock
 * of the process, or its monotonic clock.
 */
class DatabaseTimeTest {
    private static final long START = 1_700_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final HandClock clock = new HandClock();
    private final DatabaseTime time = new DatabaseTime(clock, 60_000, System.getLogger(DatabaseTime.class.getName()));

    private static final class HandClock implements Clock {
        private long passed;
        private long wallOffset;

        @Override
        public long millis() {
            return START + passed + wallOffset;
        }

        @Override
        public long nanos() {
            return passed * 1_000_000;
        }

        @Override
        public void parkUntil(long millis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void parkNanos(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    private long after(long millis, long databaseOffset) {
        clock.passed += millis;
        return time.at(START + clock.passed + databaseOffset) - START - clock.passed;
    }

    @Test
    void theFirstDecisionIsByTheDatabase() {
        assertThat(after(0, 20)).isEqualTo(20);
    }

    @Test
    void oneWrongClockHasNoEffectForHoweverLong() {
        after(0, 20);
        for (int i = 0; i < 100; i++) {
            assertThat(after(150_000, HOUR)).as("the database is ahead").isBetween(0L, 20L);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(after(150_000, -HOUR)).as("the database is behind").isBetween(0L, 20L);
        }
        clock.wallOffset = HOUR;
        assertThat(after(150_000, 10)).as("this process is ahead").isBetween(0L, 20L);
    }

    @Test
    void aWrongClockOfTheDatabaseIsLoggedOncePerStep() {
        try (Warnings warnings = Warnings.of(DatabaseTime.class)) {
            after(0, 0);
            after(1_000, HOUR);
            after(1_000, HOUR);
            after(1_000, 0);
            after(1_000, -HOUR);
            assertThat(warnings.all())
                    .hasSize(2)
                    .allMatch(warning -> warning.startsWith("The clocks of the database and of this process differ: "))
                    .satisfiesExactly(
                            first -> assertThat(first).contains("PT1H"),
                            second -> assertThat(second).contains("PT-1H"));
        }
    }

    /**
     * If the clock of the database and the wall clock of the process agree, the process uses their time. The monotonic
     * clock may differ, because it may have stopped while the machine was suspended.
     */
    @Test
    void twoClocksThatAgreeAreFollowed() {
        after(0, 0);
        clock.wallOffset = HOUR;
        assertThat(after(1_000, HOUR)).isEqualTo(HOUR);
        clock.wallOffset = 0;
        assertThat(after(1_000, 0)).isZero();
    }
}
