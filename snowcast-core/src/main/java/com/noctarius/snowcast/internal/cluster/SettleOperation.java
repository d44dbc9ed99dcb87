// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.table.NodeTable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lowers the highest ID of a destroyed sequencer to what its sealed holders reported. */
final class SettleOperation extends TableOperation<Void> {
    private String name = "";
    private long incarnation;
    private long highestId;

    SettleOperation() {}

    SettleOperation(String name, long incarnation, long highestId) {
        this.name = name;
        this.incarnation = incarnation;
        this.highestId = highestId;
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
    @Nullable
    Void change(PartitionContainer container, SnowcastService service) {
        NodeTable table = container.table(name);
        table.settle(incarnation, highestId);
        container.endSettling(name, incarnation);
        changed(table.change(List.of()));
        return null;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.SETTLE;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        out.writeString(name);
        out.writeLong(incarnation);
        out.writeLong(highestId);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        name = Wire.readString(in);
        incarnation = in.readLong();
        highestId = in.readLong();
    }
}
