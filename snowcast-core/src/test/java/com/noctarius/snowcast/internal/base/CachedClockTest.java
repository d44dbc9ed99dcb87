// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CachedClockTest {
    private static final long START = 1_700_000_000_000L;
    private static final int HIGH_RATE = 10;
    private static final int IDLE_TICKS = 25;
    private static final int TICK_MILLIS = 2;

    private final ManualClock wall = ManualClock.blocking(START);
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final InterleavingClock clock = new InterleavingClock();
    private final CachedClock cached = new CachedClock(clock, HIGH_RATE, threads::add);

    /** A clock that runs an action within a read: after the time was taken, and before the reading thread gets it. */
    private final class InterleavingClock extends ForwardingClock {
        private @Nullable Runnable afterRead;

        InterleavingClock() {
            super(wall);
        }

        @Override
        public long millis() {
            long millis = super.millis();
            Runnable action = afterRead;
            afterRead = null;
            if (action != null) {
                action.run();
            }
            return millis;
        }
    }

    @Test
    void standsStillAtALowRate() {
        assertThat(cached.startIfWorth(HIGH_RATE - 1)).isFalse();
        assertThat(threads).isEmpty();
        assertThat(cached.read()).isEqualTo(START);
        assertThat(cached.millis()).isEqualTo(CachedClock.STOPPED);
    }

    @Test
    void oneThreadTicksAtAHighRate() {
        assertThat(cached.startIfWorth(HIGH_RATE)).isTrue();
        assertThat(cached.startIfWorth(HIGH_RATE)).isTrue();
        assertThat(threads).hasSize(1);

        cached.tick();
        assertThat(cached.millis()).isEqualTo(START);
        wall.advanceMillis(3);
        assertThat(cached.millis()).isEqualTo(START);
        cached.tick();
        assertThat(cached.millis()).isEqualTo(START + 3);
    }

    /** A clock whose time passes while the ticking thread waits. */
    private final ManualClock passing = ManualClock.autoAdvancing(START);

    private final CachedClock passed = new CachedClock(passing, HIGH_RATE, threads::add);

    @Test
    void ticksUntilTheRateIsLow() {
        passed.startIfWorth(HIGH_RATE);
        passing.onNextPark(() -> {
            assertThat(passed.millis()).isEqualTo(START);
            passing.advanceMillis(1);
            passed.startIfWorth(HIGH_RATE);
        });
        threads.remove().run();

        assertThat(passing.millis()).isEqualTo(START + 1 + IDLE_TICKS * TICK_MILLIS);
        assertThat(passed.millis()).isEqualTo(CachedClock.STOPPED);
        assertThat(threads).isEmpty();
    }

    @Test
    void anErrorEndsTheTicksAndTheCachedTime() {
        passed.startIfWorth(HIGH_RATE);
        passing.onNextPark(() -> {
            throw new OutOfMemoryError("heap");
        });
        Runnable ticking = threads.remove();

        assertThatThrownBy(ticking::run).hasMessage("heap");
        assertThat(passed.millis()).isEqualTo(CachedClock.STOPPED);
        passed.startIfWorth(HIGH_RATE);
        assertThat(threads).hasSize(1);
    }

    @Test
    void interruptDoesNotEndTheTicks() {
        passed.startIfWorth(HIGH_RATE);
        Thread.currentThread().interrupt();
        threads.remove().run();

        assertThat(Thread.interrupted()).isFalse();
        assertThat(passing.millis()).isEqualTo(START + (IDLE_TICKS - 1) * TICK_MILLIS);
        assertThat(passed.startIfWorth(HIGH_RATE)).isTrue();
        assertThat(threads).hasSize(1);
    }

    @Test
    void followsAClockThatStepsBack() {
        cached.startIfWorth(HIGH_RATE);
        cached.tick();
        wall.stepWall(-5_000);
        cached.tick();

        assertThat(cached.millis()).isEqualTo(START - 5_000);
    }

    @Test
    void readCorrectsATimeThatNobodyTicked() {
        cached.startIfWorth(HIGH_RATE);
        cached.tick();
        wall.advanceMillis(7);

        assertThat(cached.read()).isEqualTo(START + 7);
        assertThat(cached.millis()).isEqualTo(START + 7);
    }

    @Test
    void readThatComesLateDoesNotSetTheTimeBack() {
        cached.startIfWorth(HIGH_RATE);
        cached.tick();
        wall.advanceMillis(1);
        clock.afterRead = () -> {
            wall.advanceMillis(1);
            cached.tick();
        };

        assertThat(cached.read()).isEqualTo(START + 1);
        assertThat(cached.millis()).isEqualTo(START + 2);
    }

    @Test
    void readThatComesAfterTheStopDoesNotStartTheTime() {
        cached.startIfWorth(HIGH_RATE);
        cached.tick();
        wall.advanceMillis(1);
        clock.afterRead = this::tickUntilStopped;

        assertThat(cached.read()).isEqualTo(START + 1);
        assertThat(cached.millis()).isEqualTo(CachedClock.STOPPED);
    }

    @Test
    void startsAgainAfterTheStop() {
        cached.startIfWorth(HIGH_RATE);
        tickUntilStopped();
        assertThat(threads).hasSize(1);
        cached.startIfWorth(HIGH_RATE);

        assertThat(threads).hasSize(2);
        cached.tick();
        assertThat(cached.millis()).isEqualTo(START);
    }

    @Test
    void processWithoutAnotherThreadReadsItsClock() {
        Queue<Runnable> started = new ArrayDeque<>();
        boolean[] isFull = {true};
        CachedClock inFullProcess = new CachedClock(clock, HIGH_RATE, task -> {
            if (isFull[0]) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            started.add(task);
        });
        assertThat(inFullProcess.startIfWorth(HIGH_RATE)).isTrue();
        assertThat(inFullProcess.millis()).isEqualTo(CachedClock.STOPPED);

        isFull[0] = false;
        inFullProcess.startIfWorth(HIGH_RATE);
        assertThat(started).hasSize(1);
    }

    private void tickUntilStopped() {
        while (cached.tick()) {
            assertThat(cached.millis()).isEqualTo(wall.millis());
        }
    }
}
