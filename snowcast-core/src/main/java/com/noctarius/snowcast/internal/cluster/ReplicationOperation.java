// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import org.jspecify.annotations.Nullable;

/** Gives a replica all that is known of a partition, when it migrates or was found out of date. */
final class ReplicationOperation extends SnowcastOperation<ContainerSnapshot> implements PartitionAwareOperation {
    ReplicationOperation(int wireVersion, @Nullable ContainerSnapshot snapshot) {
        super(ClassIds.REPLICATION, ContainerSnapshot.FORM, wireVersion, snapshot);
    }

    @Override
    public void run() {
        PartitionContainer container = owner().containers().backup(getPartitionId());
        container.join(content().forReplica(getReplicaIndex()));
        container.isCopied = true;
    }
}
