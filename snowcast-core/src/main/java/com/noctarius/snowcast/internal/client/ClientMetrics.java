// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.sequencer.SequencerMetrics;
import com.noctarius.snowcast.internal.sequencer.Sequencers;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client shows of itself in its own metrics, under the prefix {@code snowcast}; Hazelcast sends them to a member for
 * Management Center.
 */
final class ClientMetrics implements DynamicMetricsProvider {
    private final Sequencers sequencers;
    private final LongSupplier possibleDuplicates;

    ClientMetrics(Sequencers sequencers, LongSupplier possibleDuplicates) {
        this.sequencers = sequencers;
        this.possibleDuplicates = possibleDuplicates;
    }

    @Override
    public void provideDynamicMetrics(MetricDescriptor descriptor, MetricsCollectionContext context) {
        Sink sink = new Sink(descriptor, context);
        SequencerMetrics.show(sequencers, sink);
        sink.count(null, "possibleDuplicates", possibleDuplicates.getAsLong());
    }

    private record Sink(MetricDescriptor descriptor, MetricsCollectionContext context)
            implements SequencerMetrics.Sink {
        @Override
        public void count(@Nullable String sequencer, String metric, long value) {
            context.collect(of(sequencer), metric, ProbeLevel.INFO, ProbeUnit.COUNT, value);
        }

        @Override
        public void millis(@Nullable String sequencer, String metric, long value) {
            context.collect(of(sequencer), metric, ProbeLevel.INFO, ProbeUnit.MS, value);
        }

        private MetricDescriptor of(@Nullable String sequencer) {
            MetricDescriptor ours = descriptor.copy().withPrefix("snowcast");
            return sequencer == null ? ours : ours.withDiscriminator("name", sequencer);
        }
    }
}
