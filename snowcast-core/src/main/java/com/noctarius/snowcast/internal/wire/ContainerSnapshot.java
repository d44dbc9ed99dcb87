// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import static com.noctarius.snowcast.internal.wire.RecordForm.field;

import com.noctarius.snowcast.internal.owner.PoolTable;
import com.noctarius.snowcast.internal.owner.TableSnapshot;
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

    /** Returns whether it has no name. */
    public boolean isEmpty() {
        return tables.isEmpty() && pools.pools().isEmpty();
    }

    /** Returns one of its names: all of them belong to its partition. */
    String anyName() {
        return tables.isEmpty() ? pools.pools().get(0).name() : tables.get(0).name();
    }

    /** Returns what a replica is to have of it. */
    public ContainerSnapshot forReplica(int replicaIndex) {
        var ofReplica = tables.stream().map(table -> table.forReplica(replicaIndex));
        return new ContainerSnapshot(state, ofReplica.toList(), pools.forReplica(replicaIndex));
    }
}
