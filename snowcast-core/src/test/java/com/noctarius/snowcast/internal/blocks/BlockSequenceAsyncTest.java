// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static com.noctarius.snowcast.internal.base.Waiting.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockSequenceAsyncTest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final ManualClock clock = ManualClock.blocking(1_700_000_000_000L);
    private final HandDriven background = new HandDriven();
    private final BlockStore memory = new MemoryBlockStore();
    private BlockStore store = memory;

    /** Returns a sequence without prefetch: it reserves a block only when the previous block is used up. */
    private BlockSequence sequence(long blockSize, long lastValue) {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("numbers")
                .blockSize(blockSize)
                .lastValue(lastValue)
                .prefetchThreshold(1)
                .maxWait(MAX_WAIT)
                .build();
        return new BlockSequence(config, (name, size) -> store.reserve(name, size), clock, background);
    }

    private static List<CompletableFuture<Long>> ask(BlockSequence sequence, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> sequence.nextAsync().toCompletableFuture())
                .toList();
    }

    @Test
    void callsThatWaitAreServedInTheirOrderBlockByBlock() throws Exception {
        List<CompletableFuture<Long>> stages = ask(sequence(2, 100), 6);
        for (int i = 0; i < 6; i++) {
            if (i % 2 == 0) {
                clock.awaitParked(1);
                assertThat(stages.get(i)).isNotDone();
                background.runNext();
            }
            assertThat(get(stages.get(i))).isEqualTo(i + 1);
        }
    }

    @Test
    void cancelledCallsTakeNoInteger() throws Exception {
        BlockSequence sequence = sequence(10, 100);
        List<CompletableFuture<Long>> stages = ask(sequence, 3);
        clock.awaitParked(1);
        stages.forEach(stage -> stage.cancel(false));
        background.runNext();

        // This call takes the first integer, directly from the block or after waiting in the queue.
        assertThat(sequence.next()).isEqualTo(1);
        assertThat(get(ask(sequence, 1).get(0))).isEqualTo(2);
    }

    @Test
    void closeEndsTheWaits() throws Exception {
        BlockSequence sequence = sequence(10, 100);
        List<CompletableFuture<Long>> stages = ask(sequence, 3);
        clock.awaitParked(1);
        sequence.close();

        for (CompletableFuture<Long> stage : stages) {
            assertThatThrownBy(() -> get(stage))
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("it was closed");
        }
        assertThatThrownBy(() -> get(ask(sequence, 1).get(0))).isInstanceOf(SnowcastStateException.class);
    }

    @Test
    void exhaustionEndsTheWaits() throws Exception {
        BlockSequence sequence = sequence(10, 2);
        List<CompletableFuture<Long>> stages = ask(sequence, 4);
        clock.awaitParked(1);
        background.runNext();
        assertThat(get(stages.get(1))).isEqualTo(2);
        clock.awaitParked(1);
        background.runNext();

        for (CompletableFuture<Long> stage : stages.subList(2, 4)) {
            assertThatThrownBy(() -> get(stage)).isInstanceOf(IntegerSequenceExhaustedException.class);
        }
    }

    @Test
    void callFailsAsOneThatBlocksWhenTheStoreGivesNoBlockInTime() throws Exception {
        store = (name, size) -> {
            throw new BlockStoreException("the disk is full");
        };
        BlockSequence sequence = sequence(10, 100);
        CompletableFuture<Long> stage = ask(sequence, 1).get(0);
        clock.awaitParked(1);
        background.runNext();
        clock.advanceMillis(MAX_WAIT.toMillis());

        assertThatThrownBy(() -> get(stage))
                .isInstanceOf(SnowcastException.class)
                .hasMessageStartingWith("integer sequence numbers got no block within PT10S")
                .hasMessageEndingWith("the disk is full");
        store = memory;
        background.runNext();
        assertThat(get(ask(sequence, 1).get(0))).isEqualTo(1);
        assertThat(sequence.stats().waitCount()).isEqualTo(1);
    }
}
