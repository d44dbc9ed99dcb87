// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.ClockSteps;
import com.noctarius.snowcast.internal.metrics.GrowingTotals;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.metrics.MetricSink.Subject;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the sequencers of a {@code HazelcastInstance} show of themselves as metrics: each for itself, as long as they are
 * few enough for that, and all together.
 *
 * <p>Thread-safe; does not block calls that create, destroy or use sequencers.
 */
final class SequencerMetrics {
    private final Sequencers sequencers;
    private final GrowingTotals<Totals> totals;

    SequencerMetrics(Sequencers sequencers, Clock clock) {
        this.sequencers = sequencers;
        this.totals = new GrowingTotals<>(Totals.NOTHING, clock);
    }

    /** Shows what there is of sequencers. */
    void show(MetricSink sink) {
        int size = sequencers.size();
        Totals done = showEach(size, sink);
        ClockSteps.Seen steps = sequencers.leaseKeeper().clockSteps();
        sink.count(null, "sequencers", size);
        show(null, done, sink);
        sink.count(null, "clockStepsForward", steps.forward());
        sink.count(null, "clockStepsBackward", steps.backward());
        sink.millis(null, "largestClockStepForward", steps.maxForwardMillis());
        sink.millis(null, "largestClockStepBackward", steps.maxBackwardMillis());
    }

    private static void show(@Nullable Subject sequencer, Totals totals, MetricSink sink) {
        sink.count(sequencer, "issued", totals.issued());
        sink.count(sequencer, "waits", totals.waits());
        sink.millis(sequencer, "waitTime", TimeUnit.NANOSECONDS.toMillis(totals.waitNanos()));
        sink.count(sequencer, "extensions", totals.extensions());
        sink.count(sequencer, "extensionFailures", totals.extensionFailures());
        sink.count(sequencer, "refusals", totals.refusals());
    }

    /** Shows each, unless they are too many, and returns the totals. */
    private Totals showEach(int size, MetricSink sink) {
        return totals.sample(size, sequencers::all, Sequencer::totals, (sequencer, done) -> {
            if (sequencer.wasCreated()) {
                SequencerStats stats = sequencer.stats();
                Subject subject = Subject.sequencer(sequencer.getSequencerName());
                show(subject, done, sink);
                sink.millis(subject, "leaseRemaining", stats.leaseRemaining().toMillis());
                sink.count(subject, "logicalNodeId", stats.logicalNodeId().orElse(-1));
            }
        });
    }

    /** Keeps what a sequencer has done that is not among the others any more. */
    void forgotten(Sequencer removed) {
        totals.forgotten(removed.totals());
    }
}
