// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.internal.integers.PoolTable;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.List;

/**
 * An immutable copy of what a member has of a partition, or of some of it.
 *
 * @param recoveringUntilMillis until when names without a table wait
 */
public record ContainerSnapshot(long recoveringUntilMillis, List<TableSnapshot> tables, PoolTable.Snapshot pools) {
    public static final Form<ContainerSnapshot> FORM =
            RecordForm.of(ContainerSnapshot.class, Form.NUMBER, SequencerForms.TABLES, IntegerForms.POOLS);

    public ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    /** Returns what a replica is to have of it. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var ofReplica = tables.stream().map(table -> table.forReplica(replicaIndex));
        return new ContainerSnapshot(recoveringUntilMillis, ofReplica.toList(), pools.forReplica(replicaIndex));
    }
}
