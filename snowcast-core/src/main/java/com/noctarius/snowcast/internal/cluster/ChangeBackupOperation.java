// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.wire.ReplicaForms;
import org.jspecify.annotations.Nullable;

/** Sends the changes of a request to a backup. */
final class ChangeBackupOperation extends SnowcastOperation<ContainerSnapshot> implements BackupOperation {
    ChangeBackupOperation(@Nullable ContainerSnapshot changes) {
        super(ClassIds.BACKUP, ReplicaForms.CONTAINER, changes);
    }

    /** Joins only the changes that this replica needs, because all replicas receive the same operation. */
    @Override
    public void run() {
        Member sender = getNodeEngine().getClusterService().getMember(getCallerAddress());
        if (sender == null) {
            throw new RetryableHazelcastException("sent by no member of this cluster: " + getCallerAddress());
        }
        services()
                .containers()
                .join(getPartitionId(), sender.getUuid(), content().forReplica(getReplicaIndex()));
    }
}
