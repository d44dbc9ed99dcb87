// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Interval;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.leases.CountedNodeIds;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import java.util.HashMap;
import java.util.Map;

/**
 * Metrics of the node IDs in use, for the sequencers whose partitions this member owns, and of the high-water mark.
 *
 * <p>The partitions' threads count the node IDs, and a collection of metrics does not wait for them: it shows the
 * results of the counts that earlier collections have requested. Thread-safe.
 */
final class NodeIdMetrics {
    private final Containers containers;
    private final GrantBounds bounds;
    private final Interval interval;

    NodeIdMetrics(Containers containers, GrantBounds bounds, Clock clock) {
        this.containers = containers;
        this.bounds = bounds;
        this.interval = new Interval(clock, MetricSink.MANY_OBJECTS_INTERVAL);
    }

    synchronized void show(MetricSink sink) {
        Map<Integer, PartitionContainer> owned = ownedWithTables();
        long tables = owned.values().stream()
                .mapToLong(PartitionContainer::tableCount)
                .sum();
        NodeIdCounts total = NodeIdCounts.NONE;
        for (PartitionContainer container : owned.values()) {
            PartitionContainer.NodeIdsInUse inUse = container.nodeIdsInUse();
            total = total.plus(inUse.total());
            if (tables <= sink.maxNamed()) {
                inUse.bySequencer()
                        .forEach((name, counts) -> CountedNodeIds.show(Subject.sequencer(name), counts, sink));
            }
        }
        CountedNodeIds.show(null, total, sink);
        bounds.show(sink);
        boolean named = tables <= MetricSink.MAX_NAMED;
        if (interval.beginIfOver() || named) {
            owned.forEach((partitionId, container) -> {
                if (container.requestCount()) {
                    containers.onPartitionThread(
                            partitionId, () -> container.count(named, bounds.clusterMillis(), bounds.rules()));
                }
            });
        }
    }

    private Map<Integer, PartitionContainer> ownedWithTables() {
        Map<Integer, PartitionContainer> owned = new HashMap<>();
        for (int partitionId = 0; partitionId < containers.partitionCount(); partitionId++) {
            PartitionContainer container = containers.get(partitionId);
            if (container != null && container.tableCount() > 0 && containers.isLocal(partitionId)) {
                owned.put(partitionId, container);
            }
        }
        return owned;
    }
}
