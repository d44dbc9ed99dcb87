// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the thread that watches the sequences in use, so that no call has to wake a thread for a reservation. */
class WatchTest {
    private static final int BLOCK = 1_000;
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(5);
    private static final long STORE_TAKES_NANOS = TimeUnit.MICROSECONDS.toNanos(2_100);
    private static final int MAX_LATE_NANOS = (int) TimeUnit.MICROSECONDS.toNanos(150);

    private final long seed = Long.getLong("snowcast.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ManualClock clock = ManualClock.blocking(1_000_000);
    private final Timetable background = new Timetable();
    private final BlockSequence sequence = new BlockSequence(
            IntegerSequenceConfig.builder("numbers").blockSize(BLOCK).build(), new SlowStore(), clock, background);

    /** The additional delay of about one task in a hundred. */
    private long rarelyLateNanos;

    private int ticksPerCall;
    private long ticks;
    private int reservations;
    private int wakes;
    private int empty;

    /** Runs background work at its planned time plus a small random delay, like the wake-up of a thread. */
    private final class Timetable implements Background {
        private record Entry(long dueNanos, Runnable task) {}

        private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparingLong(Entry::dueNanos));

        @Override
        public void run(Runnable task, Duration delay) {
            long lateNanos = random.nextInt(MAX_LATE_NANOS) + (random.nextInt(100) == 0 ? rarelyLateNanos : 0);
            entries.add(new Entry(clock.nanos() + delay.toNanos() + lateNanos, task));
        }

        void runDue() {
            for (Entry next = entries.peek(); next != null && next.dueNanos <= clock.nanos(); next = entries.peek()) {
                entries.remove().task.run();
            }
        }
    }

    /** A store whose requests take time. Calls of the sequence continue during that time. */
    private final class SlowStore implements BlockStore {
        private final BlockStore memory = new MemoryBlockStore();

        @Override
        public Block reserve(String name, long size) {
            reservations++;
            pass(STORE_TAKES_NANOS);
            return memory.reserve(name, size);
        }
    }

    private void pass(long nanos) {
        for (long passed = 0; passed < nanos; passed += TICK_NANOS) {
            if (ticksPerCall > 0 && ticks++ % ticksPerCall == 0) {
                int before = background.entries.size();
                empty += sequence.tryNextOr(-1) == -1 ? 1 : 0;
                wakes += background.entries.size() - before;
            }
            clock.advanceNanos(TICK_NANOS);
            background.runDue();
        }
    }

    /**
     * Uses up the given number of blocks, with one call every {@code nowTicksPerCall} ticks. With 0, makes no calls
     * until the next {@code use}.
     */
    private void use(int blocks, int nowTicksPerCall) {
        ticksPerCall = nowTicksPerCall;
        reservations = 0;
        wakes = 0;
        empty = 0;
        pass(TICK_NANOS * BLOCK * blocks * Math.max(nowTicksPerCall, 1));
    }

    @Test
    void noCallWakesAThreadOrFindsNothing() {
        use(10, 1);
        use(200, 1);
        assertThat(empty).as("seed %d", seed).isZero();
        assertThat(wakes).as("seed %d", seed).isZero();
        assertThat(reservations).isGreaterThanOrEqualTo(200);
    }

    /** On a busy machine, a thread may have to wait for a processor before it checks or reserves. */
    @Test
    void noCallFindsNothingWhenAThreadIsLateNowAndThen() {
        use(10, 1);
        rarelyLateNanos = TimeUnit.MILLISECONDS.toNanos(8);
        use(300, 1);
        assertThat(empty).as("seed %d", seed).isZero();
    }

    /**
     * After a pause, the measured rate may be lower than the rate of the calls, so the next block might be reserved too
     * late.
     */
    @ParameterizedTest
    @ValueSource(ints = {100_000_000, 2_000_000})
    void afterAPauseNoCallFindsNothing(int maxNanos) {
        use(10, 1);
        for (int i = 0; i < 60; i++) {
            use(0, 0);
            pass(random.nextInt(maxNanos));
            use(10, 1);
            assertThat(empty).as("seed %d", seed).isZero();
        }
    }

    @Test
    void aRateThatDoublesIsFollowed() {
        use(10, 4);
        for (int ticks : new int[] {2, 1, 2, 1, 4, 2, 1}) {
            use(2 + random.nextInt(8), ticks);
            pass(random.nextInt(BLOCK * ticks) * TICK_NANOS);
            assertThat(empty).as("seed %d, %d ticks", seed, ticks).isZero();
        }
    }

    @Test
    void theThreadSleepsWhenNothingIsUsed() {
        use(10, 1);
        use(0, 0);
        pass(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(background.entries).isEmpty();
        use(5, 1);
        assertThat(wakes)
                .as("calls that leave too little in hand begin the watch again")
                .isBetween(1, 3);
        use(20, 1);
        assertThat(wakes).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10})
    void afterABurstOneBlockAtMostIsReserved(int ticksPerCall) {
        for (int i = 0; i < 20; i++) {
            use(5, ticksPerCall);
            pass(random.nextInt(BLOCK * ticksPerCall) * TICK_NANOS);
            use(0, 0);
            pass(TimeUnit.SECONDS.toNanos(1));
            assertThat(reservations).as("seed %d", seed).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aClosedSequenceIsNotWatched() {
        use(10, 1);
        ticksPerCall = 0;
        assertThat(background.entries).isNotEmpty();
        reservations = 0;
        sequence.close();
        pass(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(background.entries).isEmpty();
        assertThat(reservations).isZero();
    }
}
