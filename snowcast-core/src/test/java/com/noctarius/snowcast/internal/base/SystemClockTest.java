// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemClockTest {
    private static final long HOUR_MILLIS = 3_600_000;

    private final SystemClock clock = SystemClock.INSTANCE;

    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
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

        // Each round usually needs one park. Some parks may end early, which the contract of Clock allows.
        assertThat(parks).isBetween(1, 40);
    }

    @Test
    void timeThatHasPassedNeedsNoPark() throws InterruptedException {
        clock.parkUntil(clock.millis() - 1);
        clock.parkUntil(0);
        clock.parkNanos(0);
        clock.parkNanos(-1);
    }

    /**
     * If the wall clock is set back by years after a caller has computed its wait, the wait must not last for years.
     */
    @Test
    void waitForAFarMillisecondEndsEarly() throws InterruptedException {
        long millis = clock.millis() + HOUR_MILLIS;
        clock.parkUntil(millis);

        assertThat(clock.millis()).isLessThan(millis);
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

    @ParameterizedTest
    @CsvSource({"true,true", "false,false"})
    void aPropertySaysWhetherTheClockIsCached(String property, boolean ticks) {
        System.setProperty(SystemClock.CACHED_CLOCK, property);
        try {
            assertThat(clock.cachedClock().startIfWorth(65_536)).isEqualTo(ticks);
            assertThat(clock.cachedClock().startIfWorth(1_024)).isFalse();
        } finally {
            System.clearProperty(SystemClock.CACHED_CLOCK);
        }
    }

    @Test
    void aPropertyOfAnotherValueIsRefused() {
        System.setProperty(SystemClock.CACHED_CLOCK, "no");
        try {
            assertThatThrownBy(clock::cachedClock)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("snowcast.cached.clock must be true or false: no");
        } finally {
            System.clearProperty(SystemClock.CACHED_CLOCK);
        }
    }

    /**
     * The thread that updates the cached time ends after a while without a high rate of IDs, even if calls read the
     * cached time.
     */
    @Test
    void ticksWithTheClockAndStops() {
        CachedClock cached = clock.cachedClock();
        while (cached.millis() == CachedClock.STOPPED) {
            cached.startIfWorth(65_536); // The ticking thread may end before this thread checks, so start it again.
        }
        while (cached.millis() != CachedClock.STOPPED) {
            assertThat(cached.millis()).isLessThanOrEqualTo(System.currentTimeMillis());
        }
    }
}
