// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.counter.CounterTable;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.CounterWire;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;

/**
 * An immutable copy of a {@link PartitionContainer}, or of some of it.
 *
 * @param recoveringUntilMillis until when names without a table wait
 * @param tables those of sequencers
 * @param counters those of integer sequences
 */
record ContainerSnapshot(long recoveringUntilMillis, List<TableSnapshot> tables, CounterTable.Snapshot counters) {
    ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    static ContainerSnapshot empty() {
        return new ContainerSnapshot(0, List.of(), new CounterTable.Snapshot(0, 0, List.of()));
    }

    /** Returns what a replica is to have of it. */
    ContainerSnapshot forReplica(int replicaIndex) {
        return new ContainerSnapshot(
                recoveringUntilMillis,
                tables.stream().map(table -> table.forReplica(replicaIndex)).toList(),
                counters.forReplica(replicaIndex));
    }

    void write(ObjectDataOutput out) throws IOException {
        out.writeLong(recoveringUntilMillis);
        Wire.writeList(out, tables, Wire::writeSnapshot);
        CounterWire.writeTable(out, counters);
    }

    static ContainerSnapshot read(ObjectDataInput in) throws IOException {
        return new ContainerSnapshot(in.readLong(), Wire.readList(in, Wire::readSnapshot), CounterWire.readTable(in));
    }
}
