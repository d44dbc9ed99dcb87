// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import java.util.function.Consumer;

/** What a member or a client shows in Hazelcast's metrics, as {@code snowcast}; a client's are sent to a member. */
public record HazelcastMetrics(Consumer<MetricSink> source) implements DynamicMetricsProvider {
    @Override
    public void provideDynamicMetrics(MetricDescriptor descriptor, MetricsCollectionContext context) {
        source.accept((of, metric, unit, value) -> {
            MetricDescriptor ours = descriptor.copy().withPrefix("snowcast");
            context.collect(
                    of == null ? ours : ours.withDiscriminator(of.tag(), of.name()),
                    metric,
                    ProbeLevel.INFO,
                    unit == MetricSink.Unit.MILLIS ? ProbeUnit.MS : ProbeUnit.COUNT,
                    value);
        });
    }
}
