// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;

/** Carries immutable snapshots of tables from the owner of a partition to a replica, which joins them. */
abstract class SnapshotOperation extends SnowcastOperation implements PartitionAwareOperation {
    private long recoveringUntilMillis;
    private List<TableSnapshot> snapshots = List.of();

    SnapshotOperation() {}

    SnapshotOperation(long recoveringUntilMillis, List<TableSnapshot> snapshots) {
        this.recoveringUntilMillis = recoveringUntilMillis;
        this.snapshots = List.copyOf(snapshots);
    }

    /** Joins what this replica is to have of the snapshots; a backup is sent to all replicas alike. */
    final PartitionContainer join() {
        SnowcastService service = getService();
        PartitionContainer container = service.backupContainer(getPartitionId());
        container.join(
                recoveringUntilMillis,
                snapshots.stream()
                        .map(snapshot -> snapshot.forReplica(getReplicaIndex()))
                        .toList());
        return container;
    }

    @Override
    final void write(ObjectDataOutput out) throws IOException {
        out.writeLong(recoveringUntilMillis);
        Wire.writeList(out, snapshots, Wire::writeSnapshot);
    }

    @Override
    final void read(ObjectDataInput in) throws IOException {
        recoveringUntilMillis = in.readLong();
        snapshots = Wire.readList(in, Wire::readSnapshot);
    }
}
