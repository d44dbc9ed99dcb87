// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.config.InvalidConfigurationException;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import java.net.URL;
import java.util.Optional;

/** Registers snowcast's operations and their answers with Hazelcast, which finds this class by its service file. */
public final class SnowcastDataSerializerHook implements DataSerializerHook {
    /** The ID of snowcast's factory. A system property can change it if another library uses the same number. */
    static final int FACTORY = Integer.getInteger(SnowcastProperty.SERIALIZATION_FACTORY.key(), 0x534E4F57);

    // The IDs of the classes that members send to each other. The meaning of an ID never changes.
    static final int REQUEST = 1;
    static final int BACKUP = 2;
    static final int REPLICATION = 3;
    static final int PEER = 4;
    static final int EVENT = 5;
    static final int REPLY = 6;

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
        requireServiceFiles();
    }

    /**
     * Throws if a service file lacks an entry. {@link SnowcastServiceProvider} also calls this, because Hazelcast may
     * find only one of the two classes.
     */
    static void requireServiceFiles() {
        String lost = ServiceFiles.lost();
        if (lost != null) {
            throw new InvalidConfigurationException(lost);
        }
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public DataSerializableFactory createFactory() {
        return classId -> switch (classId) {
            case REQUEST -> new RequestOperation();
            case BACKUP -> new ChangeBackupOperation(null);
            case REPLICATION -> new ReplicationOperation(null);
            case PEER -> new PeerOperation(Optional.empty());
            case EVENT -> new EventOperation(null);
            case REPLY -> new Reply();
            default -> throw new IllegalArgumentException("no class of snowcast has ID " + classId);
        };
    }
}
