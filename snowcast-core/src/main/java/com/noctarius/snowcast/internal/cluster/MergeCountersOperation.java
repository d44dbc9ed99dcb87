// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.counter.BlockCounter;
import com.noctarius.snowcast.internal.counter.CounterSnapshot;
import com.noctarius.snowcast.internal.wire.CounterWire;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Unites counters of the losing side of a split network with those of one partition. */
final class MergeCountersOperation extends TableOperation<Reply<List<PossibleDuplicateIntegers>>> {
    private List<CounterSnapshot> losing = List.of();

    MergeCountersOperation() {}

    MergeCountersOperation(List<CounterSnapshot> losing) {
        this.losing = List.copyOf(losing);
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        int most = 0;
        for (CounterSnapshot snapshot : losing) {
            most = Math.max(most, snapshot.backupCount());
            most = Math.max(most, container.counters().counter(snapshot.name()).backupCount());
        }
        return most;
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
    Reply<List<PossibleDuplicateIntegers>> change(PartitionContainer container, SnowcastService service) {
        List<PossibleDuplicateIntegers> found = new ArrayList<>();
        for (CounterSnapshot snapshot : losing) {
            BlockCounter counter = container.counters().counter(snapshot.name());
            found.addAll(counter.merge(snapshot, PartitionContainer.newEpoch(), service.clusterMillis()));
            container.counters().put(snapshot.name(), counter);
            changed(counter.snapshotFor(0));
        }
        return SnowcastDataSerializerHook.integersReply(found);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.MERGE_COUNTERS;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        Wire.writeList(out, losing, CounterWire::writeSnapshot);
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        losing = Wire.readList(in, CounterWire::readSnapshot);
    }
}
