// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.metrics.MetricDescriptor;
import com.hazelcast.internal.metrics.MetricsRegistry;
import com.hazelcast.internal.metrics.collectors.MetricsCollector;
import com.hazelcast.test.Accessors;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads snowcast's metrics of a member or client from Hazelcast's metrics registry. */
public final class Metrics {
    private Metrics() {}

    /**
     * Returns the metrics of an instance. The key of a total is {@code metric}; the key of a metric of one sequencer or
     * integer sequence is {@code name.metric}.
     */
    public static Map<String, Long> of(HazelcastInstance hazelcast) {
        return of(registry(hazelcast));
    }

    /** Returns the metrics registry, which stays readable after the shutdown of the instance. */
    public static MetricsRegistry registry(HazelcastInstance hazelcast) {
        return hazelcast instanceof HazelcastClientProxy proxy
                ? proxy.client.getMetricsRegistry()
                : Accessors.getNodeEngineImpl(hazelcast).getMetricsRegistry();
    }

    public static Map<String, Long> of(MetricsRegistry registry) {
        return collect(registry, null);
    }

    /** Returns the metrics that a client has sent to a member for Hazelcast's Management Center. */
    public static Map<String, Long> sentBy(HazelcastInstance client, HazelcastInstance member) {
        return collect(registry(member), client.getName());
    }

    private static Map<String, Long> collect(MetricsRegistry registry, @Nullable String ofClient) {
        Map<String, Long> values = new HashMap<>();
        registry.collect(new MetricsCollector() {
            @Override
            public void collectLong(MetricDescriptor descriptor, long value) {
                String client = tag(descriptor, "clientname");
                if (!"snowcast".equals(descriptor.prefix()) || !Objects.equals(client, ofClient)) {
                    return;
                }
                String of = descriptor.discriminatorValue();
                String name = of == null ? descriptor.metric() : of + "." + descriptor.metric();
                if (values.put(name, value) != null) {
                    throw new AssertionError("shown twice: " + descriptor);
                }
            }

            @Override
            public void collectDouble(MetricDescriptor descriptor, double value) {
                // Not a metric of snowcast.
            }

            @Override
            public void collectException(MetricDescriptor descriptor, Exception e) {
                throw new AssertionError(descriptor.toString(), e);
            }

            @Override
            public void collectNoValue(MetricDescriptor descriptor) {
                // Not a metric of snowcast.
            }
        });
        return values;
    }

    private static @Nullable String tag(MetricDescriptor descriptor, String tag) {
        for (int i = 0; i < descriptor.tagCount(); i++) {
            if (tag.equals(descriptor.tag(i))) {
                return descriptor.tagValue(i);
            }
        }
        return null;
    }
}
