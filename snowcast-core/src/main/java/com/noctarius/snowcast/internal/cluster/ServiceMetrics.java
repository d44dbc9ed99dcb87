// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.metrics.DynamicMetricsProvider;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsCollectionContext;
import com.hazelcast.internal.metrics.ProbeLevel;
import com.hazelcast.internal.metrics.ProbeUnit;
import com.noctarius.snowcast.internal.clock.ClockSteps;

/** What a member shows of itself in Hazelcast's metrics, under the prefix {@code snowcast}. */
final class ServiceMetrics implements DynamicMetricsProvider {
    private final SnowcastService service;

    ServiceMetrics(SnowcastService service) {
        this.service = service;
    }

    @Override
    public void provideDynamicMetrics(MetricDescriptor descriptor, MetricsCollectionContext context) {
        MetricDescriptor ours = descriptor.withPrefix("snowcast");
        ClockSteps.Seen steps = service.clockSteps();
        count(context, ours, "clockStepsForward", steps.forward());
        count(context, ours, "clockStepsBackward", steps.backward());
        millis(context, ours, "largestClockStepForward", steps.maxForwardMillis());
        millis(context, ours, "largestClockStepBackward", steps.maxBackwardMillis());
        count(context, ours, "possibleDuplicates", service.possibleDuplicates());
    }

    private static void count(MetricsCollectionContext context, MetricDescriptor ours, String name, long value) {
        context.collect(ours.copy(), name, ProbeLevel.INFO, ProbeUnit.COUNT, value);
    }

    private static void millis(MetricsCollectionContext context, MetricDescriptor ours, String name, long value) {
        context.collect(ours.copy(), name, ProbeLevel.INFO, ProbeUnit.MS, value);
    }
}
