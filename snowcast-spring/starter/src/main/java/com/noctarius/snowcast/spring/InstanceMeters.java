// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.base.RecentMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Registers the meters of a {@code Snowcast} as a whole, and of the node IDs of its sequencers. */
final class InstanceMeters {
    /**
     * The metric for how many node IDs a sequencer has in all, granted or not. A sequencer that has this metric gets
     * the meters of {@link #ofNodes}.
     */
    static final String OF_OWNED = "nodeIds";

    private static final String PREFIX = "snowcast.";

    private InstanceMeters() {}

    static List<Meter> register(MeterRegistry registry, String name, RecentMetrics recent) {
        Tags tags = Tags.of("snowcast", name);
        SubjectMeters<RecentMetrics> meters = new SubjectMeters<>(registry, PREFIX, tags, recent);
        meters.counter(
                "possible.duplicate.nodes",
                "Node IDs that both sides of a network split had granted, as reported by a merge",
                null,
                one -> one.total("possibleDuplicates").orElse(0));
        meters.gauge(
                "high.water.mark.writable",
                "1 if the high-water mark of this member can be written, else 0; NaN if there is none",
                null,
                orNaN(one -> one.total("highWaterMarkWritable")));
        meters.timeGauge(
                "high.water.mark.remaining",
                "How far the high-water mark lies ahead of the clock; NaN if there is none",
                TimeUnit.MILLISECONDS,
                orNaN(one -> one.total("highWaterMarkRemaining")));
        return Stream.of(
                        meters.registered(),
                        steps(registry, tags.and("direction", "forward"), recent, "clockStepsForward"),
                        steps(registry, tags.and("direction", "backward"), recent, "clockStepsBackward"))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Meter> steps(MeterRegistry registry, Tags tags, RecentMetrics recent, String metric) {
        SubjectMeters<RecentMetrics> meters = new SubjectMeters<>(registry, PREFIX, tags, recent);
        meters.counter(
                "clock.steps",
                "Steps of the wall clock, seen while there are sequencers",
                null,
                one -> one.total(metric).orElse(0));
        return meters.registered();
    }

    /** Registers the meters of the node IDs of one sequencer. */
    static List<Meter> ofNodes(MeterRegistry registry, String shownName, String name, RecentMetrics recent) {
        SubjectMeters<RecentMetrics> meters =
                new SubjectMeters<>(registry, "snowcast.sequencer.nodes.", Tags.of("sequencer", shownName), recent);
        meters.gauge(
                "attached",
                "Node IDs with a lease that has not ended",
                null,
                orNaN(one -> one.ofSequencer("attachedNodeIds", name)));
        meters.gauge(
                "expiring",
                "Node IDs that were released, and are not free yet",
                null,
                orNaN(one -> one.ofSequencer("expiringNodeIds", name)));
        meters.gauge("capacity", "Node IDs that can be granted", null, orNaN(one -> one.ofSequencer(OF_OWNED, name)));
        return meters.registered();
    }

    private static ToDoubleFunction<RecentMetrics> orNaN(Function<RecentMetrics, OptionalLong> value) {
        return recent -> {
            OptionalLong shown = value.apply(recent);
            return shown.isPresent() ? shown.getAsLong() : Double.NaN;
        };
    }
}
