// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MetricSink} that records the values of metrics by name. The name of a single instance's metric begins with
 * the name of the instance. A value in milliseconds ends with {@code ms}.
 */
public final class ShownMetrics implements MetricSink {
    private final Map<String, String> shown = new HashMap<>();
    private final int maxNamed;

    public ShownMetrics() {
        this(MetricSink.MAX_NAMED);
    }

    public ShownMetrics(int maxNamed) {
        this.maxNamed = maxNamed;
    }

    @Override
    public int maxNamed() {
        return maxNamed;
    }

    @Override
    public void take(@Nullable Subject of, String metric, Unit unit, long value) {
        String before =
                shown.put(of == null ? metric : of.name() + "." + metric, value + (unit == Unit.MILLIS ? " ms" : ""));
        assertThat(before).as("shown twice: %s", metric).isNull();
    }

    public Map<String, String> all() {
        return shown;
    }
}
