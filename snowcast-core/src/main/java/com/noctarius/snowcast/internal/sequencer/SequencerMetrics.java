// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.sequencer;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.ClockSteps;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the sequencers of a {@code HazelcastInstance} show of themselves as metrics: each for itself, as long as they are
 * few enough for that, and all together.
 *
 * <p>The totals never fall: what destroyed sequencers did stays in them. A look at very many sequencers takes a while, so
 * it is taken once a minute only. Thread-safe; does not block calls that create, destroy or use sequencers.
 */
public final class SequencerMetrics {
    private final Sequencers sequencers;

    private final Object forgottenLock = new Object();
    /** What sequencers have done that were destroyed. Guarded by {@link #forgottenLock}. */
    private Totals forgotten = Totals.NOTHING;

    /** What was shown last. Guarded by the monitor, which is held through a look at all sequencers. */
    private Totals shown = Totals.NOTHING;
    /** Guarded by the monitor. */
    private final LookInterval lookInterval;

    /** Takes metrics. */
    public interface Sink {
        /**
         * Takes a number.
         *
         * @param sequencer of which sequencer; null if of all
         */
        void count(@Nullable String sequencer, String metric, long value);

        /** As {@link #count}, in milliseconds. */
        void millis(@Nullable String sequencer, String metric, long value);
    }

    SequencerMetrics(Sequencers sequencers, Clock clock) {
        this.sequencers = sequencers;
        this.lookInterval = new LookInterval(clock);
    }

    /** Shows what there is of sequencers; of none if there has not been one yet. */
    public static void show(@Nullable Sequencers present, Sink sink) {
        int size = 0;
        Totals totals = Totals.NOTHING;
        ClockSteps.Seen steps = ClockSteps.Seen.NOTHING;
        if (present != null) {
            size = present.size();
            totals = present.metrics().showEach(size, sink);
            steps = present.leaseKeeper().clockSteps();
        }
        sink.count(null, "sequencers", size);
        show(null, totals, sink);
        sink.count(null, "clockStepsForward", steps.forward());
        sink.count(null, "clockStepsBackward", steps.backward());
        sink.millis(null, "largestClockStepForward", steps.maxForwardMillis());
        sink.millis(null, "largestClockStepBackward", steps.maxBackwardMillis());
    }

    private static void show(@Nullable String sequencer, Totals totals, Sink sink) {
        sink.count(sequencer, "issued", totals.issued());
        sink.count(sequencer, "waits", totals.waits());
        sink.millis(sequencer, "waitTime", TimeUnit.NANOSECONDS.toMillis(totals.waitNanos()));
        sink.count(sequencer, "extensions", totals.extensions());
        sink.count(sequencer, "extensionFailures", totals.extensionFailures());
        sink.count(sequencer, "refusals", totals.refusals());
    }

    private static void showPresent(Sequencer sequencer, Sink sink) {
        SequencerStats stats = sequencer.getStats();
        String name = sequencer.getSequencerName();
        sink.millis(name, "leaseRemaining", stats.leaseRemaining().toMillis());
        sink.count(name, "logicalNodeId", stats.logicalNodeId().orElse(-1));
    }

    /** Shows each, unless they are too many, and returns the totals. */
    private synchronized Totals showEach(int size, Sink sink) {
        if (lookInterval.isDue(size)) {
            // First: one that is destroyed meanwhile is then missing for once, which the maximum hides, and never
            // twice.
            Totals sum = forgotten();
            for (Sequencer sequencer : sequencers.all()) {
                Totals totals = sequencer.totals();
                sum = sum.plus(totals);
                if (size <= LookInterval.MAX_NAMED && sequencer.wasCreated()) {
                    show(sequencer.getSequencerName(), totals, sink);
                    showPresent(sequencer, sink);
                }
            }
            shown = shown.max(sum);
        }
        return shown;
    }

    private Totals forgotten() {
        synchronized (forgottenLock) {
            return forgotten;
        }
    }

    /** Keeps what a sequencer has done that is not among the others any more. */
    void forgotten(Sequencer removed) {
        Totals totals = removed.totals();
        synchronized (forgottenLock) {
            forgotten = forgotten.plus(totals);
        }
    }
}
