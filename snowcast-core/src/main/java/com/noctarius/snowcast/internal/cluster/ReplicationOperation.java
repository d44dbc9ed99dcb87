// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

/** Gives a replica all that is known of a partition, when it migrates or was found out of date. */
final class ReplicationOperation extends SnapshotOperation {
    ReplicationOperation() {}

    ReplicationOperation(int wireVersion, ContainerSnapshot snapshot) {
        super(wireVersion, snapshot);
    }

    @Override
    public void run() {
        join().setCopied(true);
    }

    @Override
    public int getClassId() {
        return ClassIds.REPLICATION;
    }
}
