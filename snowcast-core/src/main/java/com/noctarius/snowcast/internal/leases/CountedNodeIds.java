// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Clock.Interval;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metrics that show how many node IDs are in use: for the names that this process uses and, on a member, for the
 * names in the partitions that it owns. A reading shows the last count, unless it failed, and requests a new one at
 * most every 10 seconds, without blocking. Thread-safe.
 */
final class CountedNodeIds {
    private final Coordinator coordinator;
    /** The names in the partitions that this member owns; none on a client or with a database. */
    private final Supplier<Stream<String>> owned;

    private final Interval interval;
    private volatile Map<String, NodeIdCounts> counts = Map.of();

    CountedNodeIds(Coordinator coordinator, Supplier<Stream<String>> owned, Clock clock) {
        this.coordinator = coordinator;
        this.owned = owned;
        this.interval = new Interval(clock, Duration.ofSeconds(10));
    }

    /** Shows the counts for the names of the given holders and the owned names; nothing if there are too many names. */
    void show(Stream<GrantHolder> holders, MetricSink sink) {
        Map<String, Definition> definitions = new HashMap<>();
        holders.forEach(holder -> definitions.put(holder.requests.name, holder.requests.definition));
        Set<String> names = Stream.concat(definitions.keySet().stream(), owned.get())
                .distinct()
                .limit(sink.maxNamed() + 1L)
                .collect(Collectors.toSet());
        if (names.isEmpty() || names.size() > sink.maxNamed()) {
            return;
        }
        counts.forEach((name, ofName) -> {
            if (names.contains(name)) {
                Subject of = Subject.sequencer(name);
                sink.count(of, "attachedNodeIds", ofName.attached());
                sink.count(of, "expiringNodeIds", ofName.expiring());
                sink.count(of, "nodeIds", ofName.total());
            }
        });
        if (interval.beginIfOver()) {
            CompletionStage<?> unused = coordinator
                    .count(names, definitions)
                    .whenComplete((counted, failure) -> counts = failure == null ? Map.copyOf(counted) : Map.of());
        }
    }
}
