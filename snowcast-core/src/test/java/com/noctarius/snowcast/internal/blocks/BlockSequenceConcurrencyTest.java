// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.blocks.BlockSupply.Background;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockSequenceConcurrencyTest {
    private static final int THREADS = 6;
    private static final int BATCH = 50;

    @AutoClose("shutdownNow")
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    /**
     * A store that fails about one reservation in eight, records returned blocks, and detects concurrent reservations.
     */
    private static final class ShakyStore implements BlockStore {
        private final MemoryBlockStore memory = new MemoryBlockStore();
        private final Random random = new Random(42);
        private final AtomicInteger underWay = new AtomicInteger();
        final ConcurrentLinkedQueue<Block> givenBack = new ConcurrentLinkedQueue<>();
        volatile boolean overlapped;

        @Override
        public Block reserve(String sequence, long size) {
            if (underWay.incrementAndGet() > 1) {
                overlapped = true;
            }
            try {
                boolean fails;
                synchronized (random) {
                    fails = random.nextInt(8) == 0;
                }
                if (fails) {
                    throw new BlockStoreException("at times");
                }
                return memory.reserve(sequence, size);
            } finally {
                underWay.decrementAndGet();
            }
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            givenBack.add(rest);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 1_000})
    void everyIntegerComesOnceAndWhatIsGivenBackNever(long blockSize) throws Exception {
        ShakyStore store = new ShakyStore();
        BlockSequence sequence = new BlockSequence(
                IntegerSequenceConfig.builder("numbers")
                        .lastValue(Long.MAX_VALUE)
                        .blockSize(blockSize)
                        .build(),
                store,
                SystemClock.INSTANCE,
                Background.THREADS);
        int perThread = blockSize < 10 ? 60 : 100_000;
        CountDownLatch enough = new CountDownLatch(1);
        List<Future<long[]>> callers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int way = i % 3;
            callers.add(executor.submit(() -> takeUntilClosed(sequence, way, perThread, enough)));
        }
        enough.await();
        IntegerSequence.Stats before = sequence.stats();
        sequence.close();

        List<long[]> taken = new ArrayList<>();
        for (Future<long[]> caller : callers) {
            taken.add(caller.get());
        }
        for (long[] ofThread : taken) {
            assertThat(isIncreasing(ofThread)).isTrue();
        }
        BitSet seen = new BitSet();
        taken.forEach(ofThread -> LongStream.of(ofThread).forEach(integer -> addOnce(seen, integer)));
        int issued = seen.cardinality();
        for (Block rest : store.givenBack) {
            LongStream.range(0, rest.count()).forEach(position -> addOnce(seen, rest.at(position)));
        }
        assertThat(store.overlapped).as("two reservations at a time").isFalse();
        assertThat(sequence.stats().issuedCount()).isEqualTo(issued);
        assertThat(before.issuedCount()).isLessThanOrEqualTo(sequence.stats().issuedCount());
        assertThat(seen.length() - 1 - seen.cardinality()).as("gaps").isZero();
    }

    /** Calls may use up a new block before the reservation that has appended the block ends. */
    @Test
    void callsThatWaitForEachBlockDisturbNoReservation() throws Exception {
        BlockSequence sequence = new BlockSequence(
                IntegerSequenceConfig.builder("numbers").blockSize(1).build(),
                new MemoryBlockStore(),
                SystemClock.INSTANCE,
                Background.THREADS);
        List<Future<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            callers.add(executor.submit(() -> {
                int taken = 0;
                while (taken < 50_000) {
                    if (sequence.tryNextOr(-1) == -1) {
                        LockSupport.parkNanos(1_000); // Leaves the processor to the reservation.
                    } else {
                        taken++;
                    }
                }
                return taken;
            }));
        }
        for (Future<Integer> caller : callers) {
            assertThat(caller.get()).isEqualTo(50_000);
        }
        assertThat(sequence.stats().failureCount()).isZero();
        sequence.close();
    }

    private static boolean isIncreasing(long[] integers) {
        for (int i = 1; i < integers.length; i++) {
            if (integers[i] <= integers[i - 1]) {
                return false;
            }
        }
        return true;
    }

    private static void addOnce(BitSet seen, long integer) {
        if (seen.get((int) integer)) {
            throw new AssertionError("again: " + integer);
        }
        seen.set((int) integer);
    }

    /**
     * Takes integers by {@code next()}, by {@code tryNext()} or in batches, until the sequence is closed. If the
     * sequence closes during a batch, the integers that the batch already has count.
     */
    private static long[] takeUntilClosed(BlockSequence sequence, int way, int enough, CountDownLatch reached)
            throws InterruptedException {
        LongStream.Builder taken = LongStream.builder();
        long[] batch = new long[BATCH];
        int count = 0;
        try {
            while (true) {
                Arrays.fill(batch, -1);
                if (way == 0) {
                    batch[0] = sequence.next();
                } else if (way == 1) {
                    batch[0] = sequence.tryNext().orElse(-1);
                } else {
                    sequence.next(batch, 0, BATCH);
                }
                count += add(batch, taken);
                if (count >= enough) {
                    reached.countDown();
                }
            }
        } catch (SnowcastStateException closed) {
            add(batch, taken);
            return taken.build().toArray();
        }
    }

    /** Adds the integers at the beginning of a batch, up to the first negative one, and returns their number. */
    private static int add(long[] batch, LongStream.Builder taken) {
        int count = 0;
        while (count < batch.length && batch[count] >= 0) {
            taken.add(batch[count++]);
        }
        if (count == 0) {
            Thread.onSpinWait(); // No integer is available until the store has answered.
        }
        return count;
    }
}
