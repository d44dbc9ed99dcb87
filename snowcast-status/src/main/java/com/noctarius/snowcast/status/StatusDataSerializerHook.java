// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.status;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;

/** Makes Hazelcast know the task and its answer. Found by its service file. */
public final class StatusDataSerializerHook implements DataSerializerHook {
    /** Another library may have chosen the same number: the system property moves ours, on members and clients alike. */
    static final int FACTORY = Integer.getInteger(SnowcastProperty.STATUS_SERIALIZATION_FACTORY.key(), 0x534E4F58);

    static final int TASK = 1;
    static final int ANSWER = 2;

    /** Called by Hazelcast. */
    public StatusDataSerializerHook() {}

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public DataSerializableFactory createFactory() {
        return classId -> switch (classId) {
            case TASK -> new StatusTask();
            case ANSWER -> new StatusAnswer();
            default -> throw new IllegalArgumentException("no class of snowcast-status has ID " + classId);
        };
    }
}
