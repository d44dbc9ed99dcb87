// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.integers.PoolSnapshot;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.ArrayList;
import java.util.List;

/** The container of a partition while a request is handled, and what the request changed in it. */
record Changes(PartitionContainer container, List<TableSnapshot> tables, List<PoolSnapshot> pools) {
    Changes(PartitionContainer container) {
        this(container, new ArrayList<>(), new ArrayList<>());
    }

    void add(TableSnapshot change) {
        tables.add(change);
    }

    void add(PoolSnapshot change) {
        pools.add(change);
    }

    boolean isEmpty() {
        return tables.isEmpty() && pools.isEmpty();
    }

    ContainerSnapshot snapshot() {
        return container.snapshot(tables, pools);
    }
}
