// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;

/** The serialization IDs of the classes that members send. Their meaning never changes. */
final class ClassIds {
    /** If another library uses the same number, a system property gives snowcast another one. */
    static final int FACTORY = Integer.getInteger(SnowcastProperty.SERIALIZATION_FACTORY.key(), 0x534E4F57);

    static final int REQUEST = 1;
    static final int BACKUP = 2;
    static final int REPLICATION = 3;
    static final int PEER = 4;
    static final int EVENT = 5;
    static final int REPLY = 6;

    private ClassIds() {}
}
