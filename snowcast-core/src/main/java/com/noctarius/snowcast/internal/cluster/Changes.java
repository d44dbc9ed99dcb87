// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.integers.IntegerPool;
import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.ContainerSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The container of a partition while a request is handled, and what the request changed in it. */
final class Changes {
    final PartitionContainer container;
    private final List<TableSnapshot> tables = new ArrayList<>();
    private final List<PoolSnapshot> pools = new ArrayList<>();
    private boolean isForAllReplicas;

    /** The member that answers. */
    private final UUID member;

    /** The members that have to acknowledge the changes before the request is answered. */
    private final List<UUID> backups;

    Changes(PartitionContainer container, UUID member, List<UUID> backups) {
        this.container = container;
        this.member = member;
        this.backups = List.copyOf(backups);
    }

    List<UUID> backups() {
        return backups;
    }

    /** Returns the table of a name, for a request that may give something to a holder. */
    NodeTable givingTable(String name) {
        NodeTable table = container.table(name);
        table.answeredBy(member, backups);
        return table;
    }

    /** Returns the pool of a name, for a request that may give something to a holder. */
    IntegerPool givingPool(String name) {
        IntegerPool pool = container.pools().pool(name);
        pool.answeredBy(member, backups);
        return pool;
    }

    void add(TableSnapshot change) {
        tables.add(change);
    }

    void add(PoolSnapshot change) {
        pools.add(change);
    }

    /** Replicas beyond the backups hear of it, too, even if nothing changed: so every replica knows every definition. */
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
