// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.operationservice.BackupOperation;

/** Tells a backup what a request changed. */
final class ChangeBackupOperation extends SnapshotOperation implements BackupOperation {
    ChangeBackupOperation() {}

    ChangeBackupOperation(int wireVersion, ContainerSnapshot changes) {
        super(wireVersion, changes);
    }

    @Override
    public void run() {
        join();
    }

    @Override
    public int getClassId() {
        return ClassIds.BACKUP;
    }
}
