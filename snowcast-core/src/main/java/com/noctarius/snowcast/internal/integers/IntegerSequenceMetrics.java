// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.metrics.GrowingTotals;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.metrics.MetricSink.Subject;
import com.noctarius.snowcast.internal.metrics.Summable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the integer sequences of a {@code HazelcastInstance} show of themselves as metrics: each for itself, as long as
 * they are few enough for that, and all together.
 *
 * <p>Thread-safe; does not block calls that create, destroy or use sequences.
 */
final class IntegerSequenceMetrics {
    private final BlockSequences sequences;
    private final GrowingTotals<Totals> totals;

    /** What one or more sequences have done so far. */
    private record Totals(long issued, long blocks, long failures, long waits, long waitNanos)
            implements Summable<Totals> {
        static final Totals NOTHING = new Totals(0, 0, 0, 0, 0);

        static Totals of(IntegerSequenceStats stats) {
            return new Totals(
                    stats.issuedCount(),
                    stats.blockCount(),
                    stats.failureCount(),
                    stats.waitCount(),
                    stats.waitTime().toNanos());
        }

        private Totals with(Totals other, LongBinaryOperator operator) {
            return new Totals(
                    operator.applyAsLong(issued, other.issued),
                    operator.applyAsLong(blocks, other.blocks),
                    operator.applyAsLong(failures, other.failures),
                    operator.applyAsLong(waits, other.waits),
                    operator.applyAsLong(waitNanos, other.waitNanos));
        }

        @Override
        public Totals plus(Totals other) {
            return with(other, Long::sum);
        }

        @Override
        public Totals max(Totals other) {
            return with(other, Math::max);
        }
    }

    private record Sample(BlockSequence sequence, IntegerSequenceStats stats) {}

    IntegerSequenceMetrics(BlockSequences sequences, Clock clock) {
        this.sequences = sequences;
        this.totals = new GrowingTotals<>(Totals.NOTHING, clock);
    }

    void show(MetricSink sink) {
        sequences.forgetClosed(); // They count no more, neither as one of many.
        int size = sequences.all().size();
        Totals done = totals.sample(size, this::samples, sample -> Totals.of(sample.stats), (sample, ofOne) -> {
            if (BlockSequences.isOpen(sample.sequence)) {
                Subject subject = Subject.integerSequence(sample.sequence.name());
                show(subject, ofOne, sink);
                sink.count(subject, "integersRemaining", sample.stats.remaining());
                sink.millis(subject, "timeToEmpty", sample.stats.timeToEmpty().toMillis());
                sink.count(subject, "blockSize", sample.stats.blockSize());
            }
        });
        sink.count(null, "integerSequences", size);
        show(null, done, sink);
    }

    private static void show(@Nullable Subject sequence, Totals totals, MetricSink sink) {
        sink.count(sequence, "integersIssued", totals.issued());
        sink.count(sequence, "blocks", totals.blocks());
        sink.count(sequence, "blockFailures", totals.failures());
        sink.count(sequence, "blockWaits", totals.waits());
        sink.millis(sequence, "blockWaitTime", TimeUnit.NANOSECONDS.toMillis(totals.waitNanos()));
    }

    private List<Sample> samples() {
        return sequences.all().stream()
                .map(sequence -> new Sample(sequence, sequence.stats()))
                .toList();
    }

    /** Keeps what a sequence has done that is not among the others any more. */
    void forgotten(BlockSequence removed) {
        totals.forgotten(Totals.of(removed.stats()));
    }
}
