// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Extends grants of sequencers of one partition. */
final class ExtendOperation extends TableOperation<Reply<List<ExtendReply>>> {
    private List<ExtendRequest> requests = List.of();

    ExtendOperation() {}

    ExtendOperation(List<ExtendRequest> requests) {
        this.requests = requests;
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return requests.stream()
                .mapToInt(request -> request.definition().backupCount())
                .max()
                .orElse(0);
    }

    @Override
    Reply<List<ExtendReply>> change(PartitionContainer container, SnowcastService service) {
        List<ExtendReply> replies = new ArrayList<>();
        for (ExtendRequest request : requests) {
            NodeTable table = container.table(request.name());
            ExtendReply reply = table.extend(request, service.clusterMillis(), service.rules());
            if (reply.outcome() == ExtendReply.Outcome.EXTENDED) {
                container.put(request.name(), table);
                changed(table.change(List.of(request.logicalNodeId())));
            }
            replies.add(reply);
        }
        return SnowcastDataSerializerHook.reply(replies);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.EXTEND;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeList(out, requests, Wire::writeExtendRequest);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        requests = Wire.readList(in, Wire::readExtendRequest);
    }
}
