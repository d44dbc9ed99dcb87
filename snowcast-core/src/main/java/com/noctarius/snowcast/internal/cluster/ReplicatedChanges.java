// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.owner.Decision;
import com.noctarius.snowcast.internal.owner.IntegerPool;
import com.noctarius.snowcast.internal.owner.NodeTable;
import com.noctarius.snowcast.internal.owner.OwnerContext;
import com.noctarius.snowcast.internal.owner.PoolSnapshot;
import com.noctarius.snowcast.internal.owner.TableSnapshot;
import com.noctarius.snowcast.internal.wire.ContainerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The container of a partition while a request is handled, and what the request changed in it. */
final class ReplicatedChanges {
    final PartitionContainer container;
    private final List<TableSnapshot> tables = new ArrayList<>();
    private final List<PoolSnapshot> pools = new ArrayList<>();
    private boolean isForAllReplicas;

    private final OwnerContext owner;

    /** A decision of a table as its owner. */
    interface TableDecision<A> {
        Decision<A, TableSnapshot> decide(NodeTable table, OwnerContext owner);
    }

    /** A decision of a pool as its owner. */
    interface PoolDecision<A> {
        Decision<A, PoolSnapshot> decide(IntegerPool pool, OwnerContext owner);
    }

    ReplicatedChanges(PartitionContainer container, OwnerContext owner) {
        this.container = container;
        this.owner = owner;
    }

    OwnerContext owner() {
        return owner;
    }

    /** Lets the table of a name decide, and returns its answer; keeps a new table only if it has changed. */
    <A> A ofTable(String name, TableDecision<A> decision) {
        NodeTable table = container.table(name);
        return noted(decision.decide(table, owner), change -> {
            container.put(name, table);
            tables.add(change);
        });
    }

    /** As {@link #ofTable}, for a pool. */
    <A> A ofPool(String name, PoolDecision<A> decision) {
        IntegerPool pool = container.pools().pool(name);
        return noted(decision.decide(pool, owner), change -> {
            container.pools().put(name, pool);
            pools.add(change);
        });
    }

    private <A, S> A noted(Decision<A, S> decided, Consumer<S> keep) {
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
