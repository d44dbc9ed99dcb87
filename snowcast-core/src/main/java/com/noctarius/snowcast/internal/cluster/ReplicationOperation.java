// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.util.List;

/** Gives a replica the tables of a partition, when it migrates or was found out of date. */
final class ReplicationOperation extends SnapshotOperation {
    ReplicationOperation() {}

    ReplicationOperation(long recoveringUntilMillis, List<TableSnapshot> snapshots) {
        super(recoveringUntilMillis, snapshots);
    }

    @Override
    public void run() {
        join().setCopied(true);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.REPLICATION;
    }
}
