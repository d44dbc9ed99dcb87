// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import java.net.URL;
import java.util.Optional;

/** Registers snowcast's operations and their answers with Hazelcast, which finds this class by its service file. */
public final class SnowcastDataSerializerHook implements DataSerializerHook {
    /** The hook of snowcast 1 and 2. Hazelcast would find it, too, and fail with a missing class. */
    private static final String FORMER_HOOK = "com/noctarius/snowcast/impl/SequencerDataSerializerHook.class";

    /**
     * Throws if snowcast 1 or 2 is on the class path, or if a service file lacks an entry. Hazelcast calls this before
     * it uses any hook.
     */
    public SnowcastDataSerializerHook() {
        URL former = SnowcastDataSerializerHook.class.getClassLoader().getResource(FORMER_HOOK);
        if (former != null) {
            throw new InvalidConfigurationException(
                    "snowcast 1 or 2, which is written for Hazelcast 3, must not be on the"
                            + " class path next to snowcast 3; replace com.noctarius.snowcast:snowcast by snowcast-core: "
                            + former);
        }
        ServiceFiles.requireComplete();
    }

    @Override
    public int getFactoryId() {
        return ClassIds.FACTORY;
    }

    @Override
    public DataSerializableFactory createFactory() {
        return classId -> switch (classId) {
            case ClassIds.REQUEST -> new RequestOperation();
            case ClassIds.BACKUP -> new SnowcastOperation.ChangeBackupOperation(null);
            case ClassIds.REPLICATION -> new SnowcastOperation.ReplicationOperation(null);
            case ClassIds.PEER -> new SnowcastOperation.PeerOperation(Optional.empty());
            case ClassIds.EVENT -> new SnowcastOperation.EventOperation(null);
            case ClassIds.REPLY -> new Reply();
            default -> throw new IllegalArgumentException("no class of snowcast has ID " + classId);
        };
    }
}
