// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockStepsTest {
    private final ManualClock clock = ManualClock.blocking(1_700_000_000_000L);
    private final ClockSteps steps = new ClockSteps(clock);

    @ParameterizedTest
    @ValueSource(longs = {19, -19})
    void slewingIsNoStep(long millis) {
        for (int i = 0; i < 10; i++) {
            clock.stepWall(millis);
            assertThat(steps.readClocks()).isZero();
        }
        assertThat(steps.seen()).isEqualTo(new ClockSteps.Seen(0, 0, 0, 0));
    }

    @Test
    void stepsAreCountedAndTheLargestIsKept() {
        for (long step : new long[] {20, 500, 300, -20, -70, -50}) {
            clock.advanceMillis(1_000);
            clock.stepWall(step);
            assertThat(steps.readClocks()).isEqualTo(step);
        }

        assertThat(steps.seen()).isEqualTo(new ClockSteps.Seen(3, 3, 500, 70));
    }

    @Test
    void stepIsReportedOnce() {
        clock.stepWall(1_000);

        assertThat(steps.readClocks()).isEqualTo(1_000);
        assertThat(steps.readClocks()).isZero();
    }
}
