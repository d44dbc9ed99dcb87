// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.counter.BlockCounter;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.wire.CounterWire;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives back what is left of a block of an integer sequence. */
final class GiveBackOperation extends TableOperation<Long> {
    private @Nullable GiveBackRequest request;

    GiveBackOperation() {}

    GiveBackOperation(GiveBackRequest request) {
        this.request = request;
    }

    private GiveBackRequest request() {
        return Objects.requireNonNull(request);
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return container.counters().counter(request().name()).backupCount();
    }

    /** A counter that does not hear of it is higher than it need be. A member that leaves is not to wait for backups. */
    @Override
    boolean mayBeLost() {
        return true;
    }

    @Override
    Long change(PartitionContainer container, SnowcastService service) {
        BlockCounter counter = container.counters().counter(request().name());
        long version = counter.giveBack(request());
        if (version != GiveBackRequest.REFUSED) {
            changed(counter.snapshotFor(0));
        }
        return version;
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.GIVE_BACK;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        CounterWire.writeGiveBackRequest(out, request());
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        request = CounterWire.readGiveBackRequest(in);
    }
}
