// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.integers.PoolTable;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.IntegerForms;
import com.noctarius.snowcast.internal.wire.SequencerForms;
import java.util.List;

/**
 * An immutable copy of a {@link PartitionContainer}, or of some of it.
 *
 * @param recoveringUntilMillis until when names without a table wait
 */
record ContainerSnapshot(long recoveringUntilMillis, List<TableSnapshot> tables, PoolTable.Snapshot pools) {
    static final Form<ContainerSnapshot> FORM = new Form<>(
            (out, snapshot) -> {
                out.writeLong(snapshot.recoveringUntilMillis);
                SequencerForms.TABLES.write(out, snapshot.tables);
                IntegerForms.POOLS.write(out, snapshot.pools);
            },
            in -> new ContainerSnapshot(in.number(), in.value(SequencerForms.TABLES), in.value(IntegerForms.POOLS)));

    ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    ContainerSnapshot forReplica(int replicaIndex) {
        return new ContainerSnapshot(
                recoveringUntilMillis,
                tables.stream().map(table -> table.forReplica(replicaIndex)).toList(),
                pools.forReplica(replicaIndex));
    }
}
