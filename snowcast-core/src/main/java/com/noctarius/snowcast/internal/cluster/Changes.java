// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.counter.CounterSnapshot;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.ArrayList;
import java.util.List;

/** The container of a partition while a request is handled, and what the request changed in it. */
final class Changes {
    private final PartitionContainer container;
    private final List<TableSnapshot> tables = new ArrayList<>();
    private final List<CounterSnapshot> counters = new ArrayList<>();

    Changes(PartitionContainer container) {
        this.container = container;
    }

    PartitionContainer container() {
        return container;
    }

    /** Notes a change of a table. */
    void add(TableSnapshot change) {
        tables.add(change);
    }

    /** Notes a change of a counter. */
    void add(CounterSnapshot change) {
        counters.add(change);
    }

    boolean isEmpty() {
        return tables.isEmpty() && counters.isEmpty();
    }

    /** Returns what backups are to hear. */
    ContainerSnapshot snapshot() {
        return container.snapshot(tables, counters);
    }
}
