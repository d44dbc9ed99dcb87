// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.IntegerSequenceStats;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.metrics.GrowingTotals;
import com.noctarius.snowcast.internal.metrics.GrowingTotals.Total;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.metrics.MetricSink.Subject;
import java.util.List;

/**
 * What the integer sequences of a {@code HazelcastInstance} show of themselves as metrics: each for itself, as long as
 * they are few enough for that, and all together.
 *
 * <p>Thread-safe; does not block calls that create, destroy or use sequences.
 */
final class IntegerSequenceMetrics {
    private static final List<Total<IntegerSequenceStats>> TOTALS = List.of(
            Total.count("integersIssued", IntegerSequenceStats::issuedCount),
            Total.count("blocks", IntegerSequenceStats::blockCount),
            Total.count("blockFailures", IntegerSequenceStats::failureCount),
            Total.count("blockWaits", IntegerSequenceStats::waitCount),
            Total.time("blockWaitTime", IntegerSequenceStats::waitTime));

    private final BlockSequences sequences;
    private final GrowingTotals<IntegerSequenceStats> totals;

    IntegerSequenceMetrics(BlockSequences sequences, Clock clock) {
        this.sequences = sequences;
        this.totals = new GrowingTotals<>(TOTALS, clock);
    }

    void show(MetricSink sink) {
        sequences.forgetClosed(); // They count no more, neither as one of many.
        int size = sequences.all().size();
        sink.count(null, "integerSequences", size);
        totals.showAll(
                size, sequences::all, BlockSequence::stats, (sequence, stats) -> show(sequence, stats, sink), sink);
    }

    private void show(BlockSequence sequence, IntegerSequenceStats stats, MetricSink sink) {
        if (BlockSequences.isOpen(sequence)) {
            Subject subject = Subject.integerSequence(sequence.name());
            totals.show(subject, stats, sink);
            sink.count(subject, "integersRemaining", stats.remaining());
            sink.millis(subject, "timeToEmpty", stats.timeToEmpty().toMillis());
            sink.count(subject, "blockSize", stats.blockSize());
        }
    }

    /** Keeps what a sequence has done that is not among the others any more. */
    void forgotten(BlockSequence removed) {
        totals.forgotten(removed.stats());
    }
}
