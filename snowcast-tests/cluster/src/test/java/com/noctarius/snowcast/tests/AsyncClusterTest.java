// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests thousands of calls that wait at the same time, and the number of threads that they need. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class AsyncClusterTest {
    private static final int CALLS = 4_000;
    /** A serving thread and former serving threads; on a busy machine some of them have not ended yet. */
    private static final int FEW_THREADS = 100;

    private final Side side;

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;
    private Snowcast snowcast;

    AsyncClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(2);
        instance = side.in(cluster);
        snowcast = SnowcastSystem.snowcast(instance);
    }

    /** Generates two IDs per millisecond: all calls together take seconds. */
    private SnowcastSequencer slow() {
        return snowcast.createSequencer(SequencerConfig.builder("orders")
                .epoch(TestCluster.EPOCH)
                .layout(new SnowcastLayout(41, 7, 1))
                .build());
    }

    private static List<CompletableFuture<Long>> ask(Supplier<CompletionStage<Long>> next) {
        return Stream.generate(() -> next.get().toCompletableFuture())
                .limit(CALLS)
                .toList();
    }

    private static long asyncThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("snowcast.async"))
                .count();
    }

    private static void assertServedInOrderByFewThreads(List<CompletableFuture<Long>> stages) throws Exception {
        long most = 0;
        long before = 0;
        for (int i = 0; i < CALLS; i++) {
            long number = stages.get(i).get(3, TimeUnit.MINUTES);
            assertThat(number).isGreaterThan(before);
            before = number;
            most = i % 100 == 0 ? Math.max(most, asyncThreads()) : most;
        }
        assertThat(most).isBetween(1L, (long) FEW_THREADS);
    }

    @Test
    void callsOfASequencerThatWaitAreServedInOrderByFewThreads() throws Exception {
        SnowcastSequencer slow = slow();
        List<CompletableFuture<Long>> stages = ask(slow::nextAsync);
        assertThat(stages.get(CALLS - 1)).isNotDone();
        assertServedInOrderByFewThreads(stages);
    }

    @Test
    void callsOfASequenceThatWaitAreServedInOrderByFewThreads() throws Exception {
        IntegerSequence numbers = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("numbers")
                .blockSize(20)
                .store(new MemoryBlockStore())
                .build());
        assertServedInOrderByFewThreads(ask(numbers::nextAsync));
    }

    @Test
    void aShutdownEndsAllThatWait() {
        SnowcastSequencer slow = slow();
        // More than it can serve before the shutdown.
        CompletableFuture<Long> last = CompletableFuture.completedFuture(0L);
        for (int i = 0; i < 15 * CALLS; i++) {
            last = slow.nextAsync().toCompletableFuture();
        }
        instance.shutdown();

        CompletableFuture<Long> waiting = last;
        assertThatThrownBy(() -> waiting.get(3, TimeUnit.MINUTES))
                .hasCauseInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("shut down");
        assertThatThrownBy(() -> slow.nextAsync().toCompletableFuture().get())
                .hasCauseInstanceOf(SnowcastStateException.class);
    }
}
