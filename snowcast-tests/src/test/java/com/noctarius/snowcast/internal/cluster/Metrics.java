// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.collectors.MetricsCollector;
import com.hazelcast.test.Accessors;
import java.util.HashMap;
import java.util.Map;

/** What a member shows of snowcast in Hazelcast's metrics. */
public final class Metrics {
    private Metrics() {}

    /** Returns the values by name. */
    public static Map<String, Long> of(HazelcastInstance member) {
        Map<String, Long> values = new HashMap<>();
        Accessors.getNodeEngineImpl(member).getMetricsRegistry().collect(new MetricsCollector() {
            @Override
            public void collectLong(MetricDescriptor descriptor, long value) {
                if ("snowcast".equals(descriptor.prefix())) {
                    values.put(descriptor.metric(), value);
                }
            }

            @Override
            public void collectDouble(MetricDescriptor descriptor, double value) {
                // None of ours.
            }

            @Override
            public void collectException(MetricDescriptor descriptor, Exception e) {
                throw new AssertionError(descriptor.toString(), e);
            }

            @Override
            public void collectNoValue(MetricDescriptor descriptor) {
                // None of ours.
            }
        });
        return values;
    }
}
