// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.internal.integers.PoolTable;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.List;

/**
 * An immutable copy of what a member has of a partition, or of some of it.
 *
 * @param state what is known of the names that are not in it
 */
public record ContainerSnapshot(ContainerState state, List<TableSnapshot> tables, PoolTable.Snapshot pools) {
    public static final Form<ContainerSnapshot> FORM = RecordForm.of(
            ContainerSnapshot.class,
            field("state", ContainerState.FORM),
            field("tables", SequencerForms.TABLES),
            field("pools", IntegerForms.POOLS));

    public ContainerSnapshot {
        tables = List.copyOf(tables);
    }

    /** Returns what a replica is to have of it. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var ofReplica = tables.stream().map(table -> table.forReplica(replicaIndex));
        return new ContainerSnapshot(state, ofReplica.toList(), pools.forReplica(replicaIndex));
    }
}
