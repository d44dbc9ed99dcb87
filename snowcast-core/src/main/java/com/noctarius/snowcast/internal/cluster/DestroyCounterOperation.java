// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.counter.BlockCounter;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;

/** Destroys an incarnation of an integer sequence. */
final class DestroyCounterOperation extends TableOperation<Boolean> {
    private String name = "";
    private long incarnation;

    DestroyCounterOperation() {}

    DestroyCounterOperation(String name, long incarnation) {
        this.name = name;
        this.incarnation = incarnation;
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return container.counters().counter(name).backupCount();
    }

    @Override
    boolean isForAllReplicas() {
        return true;
    }

    @Override
    Boolean change(PartitionContainer container, SnowcastService service) {
        BlockCounter counter = container.counters().counter(name);
        boolean destroyed = counter.destroy(incarnation);
        if (destroyed) {
            container.counters().put(name, counter);
            changed(counter.snapshotFor(0));
        }
        return destroyed;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.DESTROY_COUNTER;
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
