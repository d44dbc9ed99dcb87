// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.hazelcast;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.base.MetricSink;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds the metrics of a member or client to Hazelcast's metrics, with the prefix {@code snowcast}. A client sends its
 * metrics to a member.
 *
 * @param maxNamed see {@link MetricSink#maxNamed}; each named object costs an MBean of about ten attributes
 */
public record HazelcastMetrics(Consumer<MetricSink> source, int maxNamed) implements DynamicMetricsProvider {
    /** Reads {@link SnowcastProperty#MAX_NAMED_METRICS}, which is null if unset. Throws if the text is invalid. */
    public static int maxNamed(@Nullable String text) {
        return (int) SnowcastProperty.MAX_NAMED_METRICS.number(text, 0, MetricSink.MAX_NAMED);
    }

    @Override
    public void provideDynamicMetrics(MetricDescriptor descriptor, MetricsCollectionContext context) {
        source.accept(new Collected(descriptor, context, maxNamed));
    }

    private record Collected(MetricDescriptor descriptor, MetricsCollectionContext context, int maxNamed)
            implements MetricSink {
        @Override
        public void take(@Nullable Subject of, String metric, Unit unit, long value) {
            MetricDescriptor ours = descriptor.copy().withPrefix("snowcast");
            context.collect(
                    of == null ? ours : ours.withDiscriminator(of.tag(), of.name()),
                    metric,
                    ProbeLevel.INFO,
                    unit == Unit.MILLIS ? ProbeUnit.MS : ProbeUnit.COUNT,
                    value);
        }
    }
}
