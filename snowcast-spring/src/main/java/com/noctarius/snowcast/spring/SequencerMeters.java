// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The meters of a sequencer, which Micrometer refers to weakly. */
final class SequencerMeters {
    private static final String PREFIX = "snowcast.sequencer.";

    private SequencerMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, SnowcastSequencer sequencer) {
        Tags tags = Tags.of("sequencer", name);
        return List.of(
                counter("issued", sequencer, SequencerStats::issuedCount)
                        .description("IDs that calls returned")
                        .baseUnit("ids")
                        .tags(tags)
                        .register(registry),
                FunctionTimer.builder(
                                PREFIX + "waits",
                                sequencer,
                                one -> one.stats().waitCount(),
                                one -> one.stats().waitTime().toNanos(),
                                TimeUnit.NANOSECONDS)
                        .description("Calls that were parked, and for how long")
                        .tags(tags)
                        .register(registry),
                TimeGauge.builder(
                                PREFIX + "lease.remaining",
                                sequencer,
                                TimeUnit.MILLISECONDS,
                                unlessDestroyed(stats -> stats.leaseRemaining().toMillis()))
                        .description("How long IDs can be generated without the cluster")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(PREFIX + "logical.node", sequencer, unlessDestroyed(SequencerMeters::logicalNode))
                        .description("The logical node ID; NaN if there is none")
                        .tags(tags)
                        .register(registry),
                counter("extensions", sequencer, SequencerStats::extensionCount)
                        .description("Extensions of the lease")
                        .tags(tags)
                        .register(registry),
                counter("extension.failures", sequencer, SequencerStats::extensionFailureCount)
                        .description("Extensions of the lease that failed")
                        .tags(tags)
                        .register(registry),
                counter("refusals", sequencer, SequencerStats::refusalCount)
                        .description("How often the logical node was lost and another one taken")
                        .tags(tags)
                        .register(registry));
    }

    private static FunctionCounter.Builder<SnowcastSequencer> counter(
            String name, SnowcastSequencer sequencer, ToLongFunction<SequencerStats> count) {
        return FunctionCounter.builder(PREFIX + name, sequencer, one -> count.applyAsLong(one.stats()));
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
