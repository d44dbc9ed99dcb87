// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.ClockSteps;
import com.noctarius.snowcast.internal.metrics.GrowingTotals;
import com.noctarius.snowcast.internal.metrics.GrowingTotals.Total;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.metrics.MetricSink.Subject;
import java.util.List;

/**
 * What the sequencers of a {@code HazelcastInstance} show of themselves as metrics: each for itself, as long as they are
 * few enough for that, and all together.
 *
 * <p>Thread-safe; does not block calls that create, destroy or use sequencers.
 */
final class SequencerMetrics {
    private static final List<Total<SequencerStats>> TOTALS = List.of(
            Total.count("issued", SequencerStats::issuedCount),
            Total.count("waits", SequencerStats::waitCount),
            Total.time("waitTime", SequencerStats::waitTime),
            Total.count("extensions", SequencerStats::extensionCount),
            Total.count("extensionFailures", SequencerStats::extensionFailureCount),
            Total.count("refusals", SequencerStats::refusalCount));

    private final Sequencers sequencers;
    private final GrowingTotals<SequencerStats> totals;

    SequencerMetrics(Sequencers sequencers, Clock clock) {
        this.sequencers = sequencers;
        this.totals = new GrowingTotals<>(TOTALS, clock);
    }

    void show(MetricSink sink) {
        int size = sequencers.size();
        sink.count(null, "sequencers", size);
        totals.showAll(size, sequencers::all, Sequencer::stats, (each, stats) -> show(each, stats, sink), sink);
        ClockSteps.Seen steps = sequencers.leaseKeeper().clockSteps();
        sink.count(null, "clockStepsForward", steps.forward());
        sink.count(null, "clockStepsBackward", steps.backward());
        sink.millis(null, "largestClockStepForward", steps.maxForwardMillis());
        sink.millis(null, "largestClockStepBackward", steps.maxBackwardMillis());
    }

    private void show(Sequencer sequencer, SequencerStats stats, MetricSink sink) {
        if (sequencer.wasCreated()) {
            Subject subject = Subject.sequencer(sequencer.getSequencerName());
            totals.show(subject, stats, sink);
            sink.millis(subject, "leaseRemaining", stats.leaseRemaining().toMillis());
            sink.count(subject, "logicalNodeId", stats.logicalNodeId().orElse(-1));
        }
    }

    void forgotten(Sequencer removed) {
        totals.forgotten(removed.stats());
    }
}
