// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.IntegerPool;
import com.noctarius.snowcast.internal.owner.NodeState;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.OwnerContext;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.RememberedReply;
import com.noctarius.snowcast.internal.owner.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The container of a partition while a request is handled, and what the request changed in it. */
final class ReplicatedChanges {
    final PartitionContainer container;
    private final List<Snapshot<Definition, NodeState>> tables = new ArrayList<>();
    private final List<Snapshot<PoolDefinition, RememberedReply>> pools = new ArrayList<>();
    private boolean isForAllReplicas;

    final OwnerContext owner;
    final GrantBounds bounds;

    ReplicatedChanges(PartitionContainer container, OwnerContext owner, GrantBounds bounds) {
        this.container = container;
        this.owner = owner;
        this.bounds = bounds;
    }

    /** Lets the table of a name decide, and returns its answer; keeps a new table only if it has changed. */
    <A> A ofTable(String name, Function<NodeTable, Decision<A, Snapshot<Definition, NodeState>>> decision) {
        NodeTable table = container.table(name);
        return noted(decision.apply(table), change -> {
            container.put(name, table);
            tables.add(change);
        });
    }

    /** As {@link #ofTable}, for a pool. */
    <A> A ofPool(String name, Function<IntegerPool, Decision<A, Snapshot<PoolDefinition, RememberedReply>>> decision) {
        IntegerPool pool = container.pool(name);
        return noted(decision.apply(pool), change -> {
            container.put(name, pool);
            pools.add(change);
        });
    }

    /** Hazelcast tries a request again that has no answer yet. */
    private <A, S> A noted(Decision<A, S> decided, Consumer<S> keep) {
        if (decided.answered() == null) {
            throw new RetryableHazelcastException(decided.whyNotYet());
        }
        S change = decided.change();
        if (change != null) {
            keep.accept(change);
            isForAllReplicas |= decided.isForAll();
        }
        return decided.answer();
    }

    /** For what changes no name, but is to be known to all replicas: when the container begins. */
    void goToAllReplicas() {
        isForAllReplicas = true;
    }

    boolean isForAllReplicas() {
        return isForAllReplicas;
    }

    boolean isEmpty() {
        return tables.isEmpty() && pools.isEmpty();
    }

    ContainerSnapshot snapshot() {
        return container.snapshot(tables, pools);
    }
}
