// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemClockTest {
    private static final long HOUR_MILLIS = 3_600_000;

    private final SystemClock clock = SystemClock.INSTANCE;

    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @Test
    void showsTheClocksOfTheSystem() {
        long millis = System.currentTimeMillis();
        long nanos = System.nanoTime();

        assertThat(clock.millis()).isBetween(millis, millis + HOUR_MILLIS);
        assertThat(clock.nanos() - nanos).isNotNegative();
    }

    @Test
    void parksUntilTheMillisecondBegins() throws InterruptedException {
        int parks = 0;
        for (int round = 0; round < 20; round++) {
            long millis = clock.millis() + 2;
            while (clock.millis() < millis) {
                clock.parkUntil(millis);
                parks++;
            }
        }

        // One park each; a few may end early, which the contract allows.
        assertThat(parks).isBetween(1, 40);
    }

    @Test
    void timeThatHasPassedNeedsNoPark() throws InterruptedException {
        clock.parkUntil(clock.millis() - 1);
        clock.parkUntil(0);
        clock.parkNanos(0);
        clock.parkNanos(-1);
    }

    @Test
    void unparkEndsTheWait() throws InterruptedException {
        LockSupport.unpark(Thread.currentThread());
        clock.parkUntil(clock.millis() + HOUR_MILLIS);

        LockSupport.unpark(Thread.currentThread());
        clock.parkNanos(HOUR_MILLIS * 1_000_000);
    }

    @Test
    void interruptEndsTheWaitAndClearsTheFlag() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> clock.parkUntil(clock.millis() + HOUR_MILLIS))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> clock.parkNanos(HOUR_MILLIS * 1_000_000)).isInstanceOf(InterruptedException.class);
    }
}
