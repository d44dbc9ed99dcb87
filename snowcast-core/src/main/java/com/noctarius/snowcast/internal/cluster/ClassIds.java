// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;

/** The serialization IDs of the classes that members send to each other. The meaning of an ID never changes. */
final class ClassIds {
    /** The ID of snowcast's factory. A system property can change it if another library uses the same number. */
    static final int FACTORY = Integer.getInteger(SnowcastProperty.SERIALIZATION_FACTORY.key(), 0x534E4F57);

    static final int REQUEST = 1;
    static final int BACKUP = 2;
    static final int REPLICATION = 3;
    static final int PEER = 4;
    static final int EVENT = 5;
    static final int REPLY = 6;

    private ClassIds() {}
}
