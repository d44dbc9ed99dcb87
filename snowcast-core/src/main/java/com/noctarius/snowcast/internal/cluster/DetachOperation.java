// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives back logical nodes of sequencers of one partition. */
final class DetachOperation extends TableOperation<Void> {
    private List<DetachRequest> requests = List.of();

    DetachOperation() {}

    DetachOperation(List<DetachRequest> requests) {
        this.requests = requests;
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return requests.stream()
                .mapToInt(request -> container.table(request.name()).backupCount())
                .max()
                .orElse(0);
    }

    /**
     * A node ID that still counts as attached is free when its lease has run out. A member that leaves detaches while
     * its partitions move away, and the rest of the cluster may be too small for the backups until it is gone.
     */
    @Override
    boolean mayBeLost() {
        return true;
    }

    @Override
    @Nullable
    Void change(PartitionContainer container, SnowcastService service) {
        for (DetachRequest request : requests) {
            NodeTable table = container.table(request.name());
            table.detach(request);
            changed(table.change(List.of(request.logicalNodeId())));
        }
        return null;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.DETACH;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeList(out, requests, Wire::writeDetachRequest);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        requests = Wire.readList(in, Wire::readDetachRequest);
    }
}
