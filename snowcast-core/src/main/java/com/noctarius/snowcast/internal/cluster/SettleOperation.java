// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.table.NodeTable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lowers the highest ID of a destroyed sequencer to what its sealed holders reported. */
final class SettleOperation extends DestructionOperation<Void> {
    private long highestId;

    SettleOperation() {}

    SettleOperation(String name, long incarnation, long highestId) {
        super(name, incarnation);
        this.highestId = highestId;
    }

    @Override
    @Nullable
    Void change(PartitionContainer container, SnowcastService service) {
        NodeTable table = container.table(sequencerName());
        table.settle(incarnation(), highestId);
        container.endSettling(sequencerName(), incarnation());
        changed(table.change(List.of()));
        return null;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.SETTLE;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        super.write(out);
        out.writeLong(highestId);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        super.read(in);
        highestId = in.readLong();
    }
}
