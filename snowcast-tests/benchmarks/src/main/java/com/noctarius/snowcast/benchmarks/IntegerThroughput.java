// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.SegmentId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * JMH benchmarks of integers per microsecond, with stores in memory. All threads share one sequence.
 * {@link ThroughputRun} runs the benchmarks.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class IntegerThroughput {
    static final String GROUP = "integers";

    /**
     * The benchmarks in the order of a round. Benchmarks that are compared with each other are close to each other in
     * this list.
     */
    static final List<Subject> SUBJECTS = List.of(
            new Subject("atomicLong", "AtomicLong"),
            new Subject("snowcast", "snowcast"),
            new Subject("segmentChainId", "CosId SegmentChainId"),
            new Subject("snowcastBatch", "snowcast, batch of 100"),
            new Subject("segmentId", "CosId SegmentId"),
            new Subject("snowcastThousand", "snowcast, blocks of 1,000"),
            new Subject("segmentIdThousand", "CosId SegmentId, blocks of 1,000"));

    private static final int BATCH = 100;
    private static final long THOUSAND = 1_000;

    @Benchmark
    public long atomicLong(Counter source) {
        return source.counter.incrementAndGet();
    }

    @Benchmark
    public long snowcast(Adaptive source) throws InterruptedException {
        return source.sequence.next();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] snowcastBatch(Adaptive source) throws InterruptedException {
        return source.sequence.next(BATCH);
    }

    @Benchmark
    public long snowcastThousand(BlocksOfThousand source) throws InterruptedException {
        return source.sequence.next();
    }

    @Benchmark
    public long segmentId(Segments source) {
        return source.segments.generate();
    }

    @Benchmark
    public long segmentIdThousand(SegmentsOfThousand source) {
        return source.segments.generate();
    }

    @Benchmark
    public long segmentChainId(SegmentChain source) {
        return source.segments.generate();
    }

    @State(Scope.Benchmark)
    public static class Counter {
        final AtomicLong counter = new AtomicLong();
    }

    @State(Scope.Benchmark)
    public abstract static class Sequence {
        final IntegerSequence sequence;

        Sequence(IntegerSequenceConfig.Builder config) {
            this.sequence = SnowcastSystem.standaloneIntegerSequence(config.lastValue(Long.MAX_VALUE)
                    .store(new MemoryBlockStore())
                    .build());
        }

        /** Returns a configuration with blocks that grow with the rate, as the segments of {@link SegmentChain} do. */
        static IntegerSequenceConfig.Builder adaptive() {
            return IntegerSequenceConfig.builder("benchmark")
                    .adaptiveBlockSize(THOUSAND, IntegerSequenceConfig.MAX_BLOCK_SIZE, Duration.ofSeconds(1));
        }

        @TearDown
        public void close() {
            sequence.close();
        }
    }

    public static class Adaptive extends Sequence {
        public Adaptive() {
            super(adaptive());
        }
    }

    public static class BlocksOfThousand extends Sequence {
        public BlocksOfThousand() {
            super(IntegerSequenceConfig.builder("benchmark").blockSize(THOUSAND));
        }
    }

    /** CosId's {@link SegmentId} with its default settings. */
    @State(Scope.Benchmark)
    public static class Segments {
        final SegmentId segments = Peers.segmentId(Peers.inMemory());
    }

    /** CosId's {@link SegmentId} with blocks of snowcast's default size. */
    @State(Scope.Benchmark)
    public static class SegmentsOfThousand {
        final SegmentId segments = Peers.segmentId(Peers.inMemory(THOUSAND));
    }

    /** CosId's segment chain with its default settings. */
    @State(Scope.Benchmark)
    public static class SegmentChain {
        final SegmentId segments = Peers.segmentChainId(Peers.inMemory());
    }
}
