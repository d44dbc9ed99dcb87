// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.metrics.LookInterval;
import com.noctarius.snowcast.internal.metrics.MetricSink;
import com.noctarius.snowcast.internal.metrics.MetricSink.Subject;
import com.noctarius.snowcast.internal.table.NodeIdCounts;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many node IDs are in use of the sequencers whose partitions this member owns, as metrics.
 *
 * <p>Tables are looked at on their partitions' threads, and nobody waits for those: each time is shown what was counted
 * after the last time. Thread-safe.
 */
final class NodeIdMetrics {
    private final SnowcastService service;
    private final NodeEngine nodeEngine;
    private final LookInterval lookInterval;

    NodeIdMetrics(SnowcastService service, NodeEngine nodeEngine, Clock clock) {
        this.service = service;
        this.nodeEngine = nodeEngine;
        this.lookInterval = new LookInterval(clock);
    }

    /** Shows what is known, and lets count anew. */
    synchronized void show(MetricSink sink) {
        Map<Integer, PartitionContainer> owned = owned();
        long tables = owned.values().stream()
                .mapToLong(PartitionContainer::tableCount)
                .sum();
        NodeIdCounts total = NodeIdCounts.NONE;
        for (PartitionContainer container : owned.values()) {
            PartitionContainer.NodeIdsInUse inUse = container.nodeIdsInUse();
            total = total.plus(inUse.total());
            inUse.bySequencer().forEach((name, counts) -> show(Subject.sequencer(name), counts, sink));
        }
        show(null, total, sink);
        if (lookInterval.isDue(tables)) {
            owned.forEach((partitionId, container) -> count(partitionId, container, tables <= LookInterval.MAX_NAMED));
        }
    }

    private static void show(@Nullable Subject sequencer, NodeIdCounts counts, MetricSink sink) {
        sink.count(sequencer, "attachedNodeIds", counts.attached());
        sink.count(sequencer, "coolingNodeIds", counts.cooling());
    }

    /** Returns the containers that have tables, of partitions that this member owns. */
    private Map<Integer, PartitionContainer> owned() {
        InternalPartitionService partitions = (InternalPartitionService) nodeEngine.getPartitionService();
        Map<Integer, PartitionContainer> owned = new HashMap<>();
        for (int partitionId = 0; partitionId < partitions.getPartitionCount(); partitionId++) {
            PartitionContainer container = service.container(partitionId);
            if (container != null
                    && container.tableCount() > 0
                    && partitions.getPartition(partitionId, false).isLocal()) {
                owned.put(partitionId, container);
            }
        }
        return owned;
    }

    private void count(int partitionId, PartitionContainer container, boolean named) {
        if (!container.requestCount()) {
            return;
        }
        OperationServiceImpl operations = (OperationServiceImpl) nodeEngine.getOperationService();
        operations.execute(new PartitionSpecificRunnable() {
            @Override
            public int getPartitionId() {
                return partitionId;
            }

            @Override
            public void run() {
                container.count(named, service.clusterMillis(), service.rules());
            }
        });
    }
}
