// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.table.NodeTable;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Unites tables of the losing side of a split network with those of one partition. */
final class MergeOperation extends TableOperation<Reply<List<List<Overlap>>>> {
    private List<TableSnapshot> losing = List.of();

    MergeOperation() {}

    MergeOperation(List<TableSnapshot> losing) {
        this.losing = losing;
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return losing.stream()
                .mapToInt(snapshot -> NodeTable.of(snapshot).backupCount())
                .max()
                .orElse(0);
    }

    /** A winning side that stands still learns by it what the other one granted. */
    @Override
    boolean grantsNothing() {
        return true;
    }

    @Override
    boolean isForAllReplicas() {
        return true;
    }

    @Override
    Reply<List<List<Overlap>>> change(PartitionContainer container, SnowcastService service) {
        List<List<Overlap>> overlaps = new ArrayList<>();
        for (TableSnapshot snapshot : losing) {
            NodeTable table = container.table(snapshot.name());
            overlaps.add(table.merge(snapshot, service.clusterMillis()));
            container.put(snapshot.name(), table);
            changed(table.snapshotFor(0));
        }
        return SnowcastDataSerializerHook.overlapReply(overlaps);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.MERGE;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeList(out, losing, Wire::writeSnapshot);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        losing = Wire.readList(in, Wire::readSnapshot);
    }
}
