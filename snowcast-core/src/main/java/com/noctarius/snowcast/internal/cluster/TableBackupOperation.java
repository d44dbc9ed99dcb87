// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.operationservice.BackupOperation;

/** Tells a backup what an operation changed. */
final class TableBackupOperation extends SnapshotOperation implements BackupOperation {
    TableBackupOperation() {}

    TableBackupOperation(ContainerSnapshot snapshot) {
        super(snapshot);
    }

    @Override
    public void run() {
        join();
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.BACKUP;
    }
}
