// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.noctarius.snowcast.internal.integers.PoolTable;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.List;

/** What the owner of a partition knows: as much as a migration moves. */
public record PartitionStatus(List<TableSnapshot> tables, PoolTable.Snapshot pools) {
    static final Form<PartitionStatus> FORM =
            RecordForm.of(PartitionStatus.class, SequencerForms.TABLES, IntegerForms.POOLS);
}
