// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps what it is shown: by metric, with the tag's value before if there is one, in the unit that it has. */
public final class ShownMetrics implements MetricSink {
    private final Map<String, String> shown = new HashMap<>();
    private final int maxNamed;

    /** Wants as many one by one as there can be. */
    public ShownMetrics() {
        this(SampleInterval.MAX_NAMED);
    }

    /** Wants up to so many one by one. */
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

    /** Returns all of it. */
    public Map<String, String> all() {
        return shown;
    }
}
