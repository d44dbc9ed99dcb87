// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Interval;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a client, or of a process with a database, that show how many node IDs are in use. A member instead
 * shows the counts of the partitions that it owns.
 *
 * <p>Reading the metrics does not block. A reading shows the last count, but nothing before the first count or after a
 * failed count. At most once per 30 seconds, a reading requests a new count. Thread-safe.
 */
public final class CountedNodeIds {
    private final Coordinator coordinator;
    private final Interval interval;
    private volatile Map<String, NodeIdCounts> counts = Map.of();

    CountedNodeIds(Coordinator coordinator, Clock clock) {
        this.coordinator = coordinator;
        this.interval = new Interval(clock, Duration.ofSeconds(30));
    }

    /** Shows the counts for the names of the given holders; nothing if there are too many holders. */
    void show(List<GrantHolder> holders, MetricSink sink) {
        if (holders.isEmpty() || holders.size() > sink.maxNamed()) {
            return;
        }
        Map<String, NodeIdCounts> last = counts;
        Map<String, Definition> names = new HashMap<>();
        for (GrantHolder holder : holders) {
            String name = holder.requests.name;
            names.put(name, holder.requests.definition);
            NodeIdCounts ofName = last.get(name);
            if (ofName != null) {
                show(Subject.sequencer(name), ofName, sink);
            }
        }
        if (interval.beginIfOver()) {
            CompletionStage<?> unused = coordinator
                    .count(names)
                    .whenComplete((counted, failure) -> counts = failure == null ? Map.copyOf(counted) : Map.of());
        }
    }

    /** Shows the counts of one sequencer or node lease, or the totals if {@code of} is null. */
    public static void show(@Nullable Subject of, NodeIdCounts counts, MetricSink sink) {
        sink.count(of, "attachedNodeIds", counts.attached());
        sink.count(of, "expiringNodeIds", counts.expiring());
        sink.count(of, "nodeIds", counts.total());
    }
}
