// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.Snowcast;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Caches the metrics of a {@code Snowcast} for a second, so that many meters share one read. Thread-safe. */
public final class RecentMetrics {
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String OF_SEQUENCER = "name";

    private final Snowcast snowcast;
    /** The last result. Several threads may replace it at the same time, which does no harm. */
    private volatile @Nullable Read last;

    private record Key(String metric, String tag, String of) {}

    private record Read(Map<Key, Long> values, long nanos) {}

    public RecentMetrics(Snowcast snowcast) {
        this.snowcast = snowcast;
    }

    /** Returns a total; empty if that metric is not shown. */
    public OptionalLong total(String metric) {
        return find(new Key(metric, "", ""));
    }

    /** Returns a metric of a sequencer; empty if that metric is not shown. */
    public OptionalLong ofSequencer(String metric, String sequencer) {
        return find(new Key(metric, OF_SEQUENCER, sequencer));
    }

    /** Returns the names of the sequencers for which a metric is shown. */
    public Set<String> sequencersWith(String metric) {
        return read().keySet().stream()
                .filter(key -> key.metric.equals(metric) && key.tag.equals(OF_SEQUENCER))
                .map(Key::of)
                .collect(Collectors.toUnmodifiableSet());
    }

    private OptionalLong find(Key key) {
        Long value = read().get(key);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private Map<Key, Long> read() {
        long now = System.nanoTime();
        Read present = last;
        if (present == null || now - present.nanos > MAX_AGE_NANOS) {
            present = new Read(
                    snowcast.metrics().stream()
                            .collect(Collectors.toUnmodifiableMap(
                                    one -> new Key(one.name(), one.tag(), one.of()), Snowcast.Metric::value)),
                    now);
            last = present;
        }
        return present.values;
    }
}
