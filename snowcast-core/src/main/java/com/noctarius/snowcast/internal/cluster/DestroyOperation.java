// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;

/** Destroys an incarnation of a sequencer. */
final class DestroyOperation extends TableOperation<Boolean> {
    private String name = "";
    private long incarnation;

    DestroyOperation() {}

    DestroyOperation(String name, long incarnation) {
        this.name = name;
        this.incarnation = incarnation;
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return container.table(name).backupCount();
    }

    @Override
    boolean isForAllReplicas() {
        return true;
    }

    @Override
    Boolean change(PartitionContainer container, SnowcastService service) {
        NodeTable table = container.table(name);
        long nowMillis = service.clusterMillis();
        boolean destroyed = table.destroy(incarnation, nowMillis);
        if (!destroyed && nowMillis < container.recoveringUntilMillis()) {
            // A holder whose extension is still to come could bring the sequencer back.
            throw new RetryableHazelcastException(
                    "sequencer " + name + ": its partition lost its data and does not know it yet");
        }
        if (destroyed) {
            changed(table.change(List.of()));
        }
        return destroyed;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.DESTROY;
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
