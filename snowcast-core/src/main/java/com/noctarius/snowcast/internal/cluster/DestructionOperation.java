// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;

/** A step of the destruction of an incarnation, of which every replica is to know. */
abstract class DestructionOperation<R> extends TableOperation<R> {
    private String name = "";
    private long incarnation;

    DestructionOperation() {}

    DestructionOperation(String name, long incarnation) {
        this.name = name;
        this.incarnation = incarnation;
    }

    final String sequencerName() {
        return name;
    }

    final long incarnation() {
        return incarnation;
    }

    @Override
    final int requiredBackups(PartitionContainer container) {
        return container.table(name).backupCount();
    }

    @Override
    final boolean isForAllReplicas() {
        return true;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeLong(incarnation);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        name = Wire.readString(in);
        incarnation = in.readLong();
    }
}
