// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.List;

/** Tells a backup what an operation changed. */
final class TableBackupOperation extends SnapshotOperation implements BackupOperation {
    TableBackupOperation() {}

    TableBackupOperation(long recoveringUntilMillis, List<TableSnapshot> changes) {
        super(recoveringUntilMillis, changes);
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
