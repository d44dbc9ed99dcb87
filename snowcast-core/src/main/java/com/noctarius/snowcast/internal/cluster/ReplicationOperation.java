// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.wire.ReplicaForms;
import org.jspecify.annotations.Nullable;

/** Sends a replica all data that it needs of a partition, when the partition migrates or the replica is out of date. */
final class ReplicationOperation extends SnowcastOperation<ContainerSnapshot> implements PartitionAwareOperation {
    ReplicationOperation(@Nullable ContainerSnapshot snapshot) {
        super(ClassIds.REPLICATION, ReplicaForms.CONTAINER, snapshot);
    }

    @Override
    public void run() {
        Containers containers = services().containers();
        containers.join(getPartitionId(), getCallerUuid(), content().forReplica(getReplicaIndex()));
        PartitionContainer copy = containers.backupOrMade(getPartitionId());
        copy.setCopied(true);
    }
}
