// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.ReplicatedTable;
import com.noctarius.snowcast.internal.owner.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What a handler needs to execute a request: the partition's container, cluster time and the bounds of grants. Records
 * the changes that the replicas must receive.
 */
final class RequestContext {
    final PartitionContainer container;
    private final List<Snapshot> tables = new ArrayList<>();
    private boolean isForAllReplicas;

    final long nowMillis;
    final GrantBounds bounds;

    RequestContext(PartitionContainer container, long nowMillis, GrantBounds bounds) {
        this.container = container;
        this.nowMillis = nowMillis;
        this.bounds = bounds;
    }

    /**
     * Lets the table of a name decide, and returns its answer; keeps a new table only if it has changed. Throws a
     * retryable exception if there is no answer yet.
     */
    <A> A ofTable(String name, Function<NodeTable, Decision<A>> decision) {
        ReplicatedTable replica = container.table(name);
        Decision<A> decided = decision.apply(replica.table());
        if (decided.answered() == null) {
            throw new RetryableHazelcastException(decided.whyNotYet());
        }
        Set<Integer> changed = decided.changed();
        if (changed != null) {
            container.put(name, replica);
            tables.add(replica.change(changed));
            isForAllReplicas |= decided.isForAll();
        }
        return decided.answer();
    }

    /** Merges a table of the losing side of a split: see {@link ReplicatedTable#merge}. */
    List<PossibleDuplicates> merge(Snapshot losing, long apartSinceMillis) {
        ReplicatedTable replica = container.table(losing.name());
        List<PossibleDuplicates> found = replica.merge(losing, apartSinceMillis, nowMillis);
        container.put(losing.name(), replica);
        tables.add(replica.snapshotFor(0));
        return found;
    }

    /** Makes all replicas receive the container's state, even if no table has changed. */
    void goToAllReplicas() {
        isForAllReplicas = true;
    }

    /** Makes all replicas receive all tables of the container. */
    void sendAll() {
        tables.addAll(container.snapshotFor(0).tables());
        goToAllReplicas();
    }

    boolean isForAllReplicas() {
        return isForAllReplicas;
    }

    boolean isEmpty() {
        return tables.isEmpty() && !isForAllReplicas;
    }

    ContainerSnapshot snapshot() {
        return container.snapshot(tables);
    }
}
