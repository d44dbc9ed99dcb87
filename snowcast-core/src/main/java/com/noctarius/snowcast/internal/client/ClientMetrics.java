// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.block.IntegerSequenceMetrics;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.metrics.PossibleDuplicateCounts;
import com.noctarius.snowcast.internal.sequencer.SequencerMetrics;
import com.noctarius.snowcast.internal.sequencer.Sequencers;

/**
 * What a client shows of itself in its own metrics, under the prefix {@code snowcast}; Hazelcast sends them to a member for
 * Management Center.
 */
final class ClientMetrics implements DynamicMetricsProvider {
    private final Sequencers sequencers;
    private final PossibleDuplicateCounts possibleDuplicates;

    ClientMetrics(Sequencers sequencers, PossibleDuplicateCounts possibleDuplicates) {
        this.sequencers = sequencers;
        this.possibleDuplicates = possibleDuplicates;
    }

    @Override
    public void provideDynamicMetrics(MetricDescriptor descriptor, MetricsCollectionContext context) {
        MetricSink sink = (of, metric, unit, value) -> {
            MetricDescriptor ours = descriptor.copy().withPrefix("snowcast");
            context.collect(
                    of == null ? ours : ours.withDiscriminator(of.tag(), of.name()),
                    metric,
                    ProbeLevel.INFO,
                    unit == MetricSink.Unit.MILLIS ? ProbeUnit.MS : ProbeUnit.COUNT,
                    value);
        };
        SequencerMetrics.show(sequencers, sink);
        IntegerSequenceMetrics.show(sequencers.blockSequences(), sink);
        possibleDuplicates.show(sink);
    }
}
