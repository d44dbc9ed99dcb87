// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.benchmarks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import me.ahoo.cosid.segment.SegmentId;
import org.HdrHistogram.Histogram;

/**
 * Measures how long a call takes if the store takes 2 ms to reserve a block, and one thread uses up a block in 5 ms.
 * The thread calls at a constant pace, and does not catch up after a slow call.
 *
 * <p>In the percentiles, the calls that a slow call has prevented count as slow, too. If they were left out
 * (coordinated omission), a slow generator would seem faster than it is. Also measures calls that do nothing, which
 * show the delays of the machine.
 */
final class SlowStore {
    static final String GROUP = "slow store";

    private static final String SNOWCAST = "snowcast";
    private static final String SEGMENT = "CosId SegmentId";
    private static final String SEGMENT_CHAIN = "CosId SegmentChainId";
    private static final String TIMER = "nothing";
    static final List<String> SUBJECTS = List.of(TIMER, SNOWCAST, SEGMENT_CHAIN, SEGMENT);

    private static final String SETTING = "1 thread";
    private static final Duration STORE_TAKES = Duration.ofMillis(2);
    private static final long BLOCK = 1_000;
    /** The time between two calls. A block then lasts 5 ms. */
    private static final long NANOS_PER_CALL = TimeUnit.MILLISECONDS.toNanos(5) / BLOCK;

    /** Long enough for code that runs once per block: the JVM compiles such code after 5,000 runs. */
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private static final Duration MEASURED = Duration.ofSeconds(10);
    /** Only a call that waits for the store or for a processor takes this long. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Effort effort;

    /** Written so that the compiler cannot remove the calls. */
    @SuppressWarnings("unused")
    private volatile long used;

    SlowStore(Effort effort) {
        this.effort = effort;
    }

    List<Result> run(String subject) throws InterruptedException {
        if (subject.equals(SNOWCAST)) {
            return snowcast(subject);
        }
        IdSource source = source(subject);
        paced(source, effort.of(WARM_UP));
        return results(subject, paced(source, effort.of(MEASURED)));
    }

    private static IdSource source(String subject) {
        if (subject.equals(TIMER)) {
            return () -> 0;
        }
        SegmentId segments = subject.equals(SEGMENT)
                ? Peers.segmentId(Peers.slow(BLOCK, STORE_TAKES))
                : Peers.segmentChainId(Peers.slow(BLOCK, STORE_TAKES));
        return segments::generate;
    }

    /** Measures snowcast, and adds the number of waits from the sequence's own statistics. */
    private List<Result> snowcast(String subject) throws InterruptedException {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("benchmark")
                .lastValue(Long.MAX_VALUE)
                .blockSize(BLOCK)
                .store(slow(new MemoryBlockStore()))
                .build();
        try (IntegerSequence sequence = SnowcastSystem.standaloneIntegerSequence(config)) {
            paced(sequence::next, effort.of(WARM_UP));
            long before = sequence.stats().waitCount();
            List<Result> results = new ArrayList<>(results(subject, paced(sequence::next, effort.of(MEASURED))));
            long waits = sequence.stats().waitCount() - before;
            results.add(new Result(GROUP, subject, SETTING, "waits, by its stats", waits, 0, ""));
            return results;
        }
    }

    private static BlockStore slow(BlockStore store) {
        return (sequence, size) -> {
            long begin = System.nanoTime();
            long left = STORE_TAKES.toNanos();
            while (left > 0) {
                LockSupport.parkNanos(left);
                left = STORE_TAKES.toNanos() - (System.nanoTime() - begin);
            }
            return store.reserve(sequence, size);
        };
    }

    private static List<Result> results(String subject, Paced paced) {
        List<Result> results =
                new ArrayList<>(Saturation.percentiles(GROUP, subject, SETTING, paced.nanos(), "µs", 1e3));
        results.add(new Result(GROUP, subject, SETTING, "calls of 1 ms and more", paced.longCalls(), 0, ""));
        return results;
    }

    /**
     * The durations of the calls.
     *
     * @param nanos the durations, including those of the calls that a slow call has prevented, as if they had waited
     * @param longCalls how many calls took {@link #LONG_NANOS} or more
     */
    private record Paced(Histogram nanos, long longCalls) {}

    private Paced paced(IdSource ids, Duration duration) throws InterruptedException {
        Histogram nanos = Load.histogram();
        long longCalls = 0;
        long sum = 0;
        long now = System.nanoTime();
        long end = now + duration.toNanos();
        while (now < end) {
            long before = now;
            sum ^= ids.next();
            now = System.nanoTime();
            nanos.recordValueWithExpectedInterval(now - before, NANOS_PER_CALL);
            if (now - before >= LONG_NANOS) {
                longCalls++;
            }
            while (now - before < NANOS_PER_CALL) {
                now = System.nanoTime();
            }
        }
        used = sum;
        return new Paced(nanos, longCalls);
    }
}
