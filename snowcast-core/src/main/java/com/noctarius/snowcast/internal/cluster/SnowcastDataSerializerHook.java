// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;

/** Makes Hazelcast know the operations and their answers. Found by its service file. */
public final class SnowcastDataSerializerHook implements DataSerializerHook {
    @Override
    public int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public DataSerializableFactory createFactory() {
        return classId -> switch (classId) {
            case ClassIds.REQUEST -> new RequestOperation();
            case ClassIds.BACKUP -> new ChangeBackupOperation();
            case ClassIds.REPLICATION -> new ReplicationOperation();
            case ClassIds.PEER -> new PeerOperation();
            case ClassIds.EVENT -> new EventOperation();
            case ClassIds.REPLY -> new Reply();
            default -> throw new IllegalArgumentException("no class of snowcast has ID " + classId);
        };
    }
}
