// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.noctarius.snowcast.internal.table.Destruction;
import com.noctarius.snowcast.internal.table.NodeTable;
import java.io.IOException;
import java.util.List;

/** Destroys an incarnation of a sequencer. */
final class DestroyOperation extends TableOperation<Reply<Destruction>> {
    /** How long a creation of the same name waits for the holders' reports. */
    private static final long MAX_SETTLING_MILLIS = 5_000;

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
    Reply<Destruction> change(PartitionContainer container, SnowcastService service) {
        NodeTable table = container.table(name);
        Destruction destruction = table.destroy(incarnation);
        if (destruction == null && service.clusterMillis() < container.recoveringUntilMillis()) {
            // A holder whose extension is still to come could bring the sequencer back.
            throw new RetryableHazelcastException(
                    "sequencer " + name + ": its partition lost its data and does not know it yet");
        }
        if (destruction != null) {
            container.beginSettling(name, incarnation, service.clusterMillis() + MAX_SETTLING_MILLIS);
            changed(table.change(List.of()));
        }
        return SnowcastDataSerializerHook.reply(destruction);
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
