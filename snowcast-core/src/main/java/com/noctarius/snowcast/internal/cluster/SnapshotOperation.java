// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;

/** Carries immutable snapshots of tables and pools from the owner of a partition to a replica, which joins them. */
abstract class SnapshotOperation extends SnowcastOperation implements PartitionAwareOperation {
    private ContainerSnapshot snapshot = ContainerSnapshot.empty();

    SnapshotOperation() {}

    SnapshotOperation(int wireVersion, ContainerSnapshot snapshot) {
        super(wireVersion);
        this.snapshot = snapshot;
    }

    /** Joins what this replica is to have of the snapshots; a backup is sent to all replicas alike. */
    final PartitionContainer join() {
        PartitionContainer container = owner().backupContainer(getPartitionId());
        container.join(snapshot.forReplica(getReplicaIndex()));
        return container;
    }

    @Override
    final void write(ObjectDataOutput out) throws IOException {
        ContainerSnapshot.FORM.write(out, snapshot);
    }

    @Override
    final void read(WireInput in) throws IOException {
        snapshot = in.value(ContainerSnapshot.FORM);
    }
}
