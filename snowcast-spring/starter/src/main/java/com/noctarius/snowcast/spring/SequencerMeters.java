// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of a sequencer. */
final class SequencerMeters {
    private SequencerMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, SnowcastSequencer sequencer) {
        return new SubjectMeters<>(registry, "snowcast.sequencer.", Tags.of("sequencer", name), sequencer)
                .counter(
                        "issued",
                        "IDs that calls returned",
                        "ids",
                        one -> one.stats().issuedCount())
                .timer(
                        "waits",
                        "Calls that were parked, and for how long",
                        one -> one.stats().waitCount(),
                        one -> one.stats().waitTime().toNanos())
                .timeGauge(
                        "lease.remaining",
                        "How long IDs can be generated without the cluster",
                        TimeUnit.MILLISECONDS,
                        unlessDestroyed(stats -> stats.leaseRemaining().toMillis()))
                .gauge(
                        "logical.node",
                        "The logical node ID; NaN if there is none",
                        null,
                        unlessDestroyed(SequencerMeters::logicalNode))
                .counter(
                        "extensions",
                        "Extensions of the lease",
                        null,
                        one -> one.stats().extensionCount())
                .counter(
                        "extension.failures",
                        "Extensions of the lease that failed",
                        null,
                        one -> one.stats().extensionFailureCount())
                .counter(
                        "refusals",
                        "How often the logical node was lost and another one taken",
                        null,
                        one -> one.stats().refusalCount())
                .registered();
    }

    private static ToDoubleFunction<SnowcastSequencer> unlessDestroyed(ToDoubleFunction<SequencerStats> value) {
        return one -> {
            SequencerStats stats = one.stats();
            return stats.state() == SnowcastSequenceState.Destroyed ? Double.NaN : value.applyAsDouble(stats);
        };
    }

    private static double logicalNode(SequencerStats stats) {
        return stats.logicalNodeId().isPresent() ? stats.logicalNodeId().getAsInt() : Double.NaN;
    }
}
