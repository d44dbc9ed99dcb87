// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.sequencer.SequencerMetrics;
import org.jspecify.annotations.Nullable;

/** What a member shows of itself in Hazelcast's metrics, under the prefix {@code snowcast}. */
final class ServiceMetrics implements DynamicMetricsProvider {
    private final SnowcastService service;
    private final NodeIdMetrics nodeIds;

    ServiceMetrics(SnowcastService service, NodeIdMetrics nodeIds) {
        this.service = service;
        this.nodeIds = nodeIds;
    }

    @Override
    public void provideDynamicMetrics(MetricDescriptor descriptor, MetricsCollectionContext context) {
        Sink sink = new Sink(descriptor, context);
        SequencerMetrics.show(service.sequencers(), sink);
        nodeIds.show(sink);
        sink.count(null, "possibleDuplicates", service.possibleDuplicates());
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
