// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.block.IntegerSequenceMetrics;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.sequencer.SequencerMetrics;
import com.noctarius.snowcast.internal.sequencer.Sequencers;

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
        MetricSink sink = (of, metric, unit, value) -> {
            MetricDescriptor ours = descriptor.copy().withPrefix("snowcast");
            context.collect(
                    of == null ? ours : ours.withDiscriminator(of.tag(), of.name()),
                    metric,
                    ProbeLevel.INFO,
                    unit == MetricSink.Unit.MILLIS ? ProbeUnit.MS : ProbeUnit.COUNT,
                    value);
        };
        Sequencers present = service.sequencers();
        SequencerMetrics.show(present, sink);
        IntegerSequenceMetrics.show(present == null ? null : present.blockSequences(), sink);
        nodeIds.show(sink);
        service.possibleDuplicates().show(sink);
    }
}
