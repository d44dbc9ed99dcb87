// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.ContainerSnapshot;
import java.util.ArrayList;
import java.util.List;

/** The container of a partition while a request is handled, and what the request changed in it. */
final class Changes {
    final PartitionContainer container;
    private final List<TableSnapshot> tables = new ArrayList<>();
    private final List<PoolSnapshot> pools = new ArrayList<>();
    private boolean isForAllReplicas;

    Changes(PartitionContainer container) {
        this.container = container;
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
