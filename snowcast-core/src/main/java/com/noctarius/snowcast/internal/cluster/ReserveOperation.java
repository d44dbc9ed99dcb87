// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.noctarius.snowcast.internal.counter.BlockCounter;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import com.noctarius.snowcast.internal.wire.CounterWire;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Hands out a block of an integer sequence, or creates the sequence. */
final class ReserveOperation extends TableOperation<Reply<Reservation>> {
    private @Nullable ReserveRequest request;

    ReserveOperation() {}

    ReserveOperation(ReserveRequest request) {
        this.request = request;
    }

    private ReserveRequest request() {
        return Objects.requireNonNull(request);
    }

    @Override
    int requiredBackups(PartitionContainer container) {
        return request().definition().backupCount();
    }

    /** Every replica is to know every name: one that is unknown to the last one that is left would begin anew. */
    @Override
    boolean isForAllReplicas() {
        return request().incarnation() == 0;
    }

    @Override
    Reply<Reservation> change(PartitionContainer container, SnowcastService service) {
        BlockCounter counter = container.counters().counter(request().name());
        Reservation reservation = counter.reserve(request(), service.clusterMillis());
        container.counters().put(request().name(), counter);
        changed(counter.change(request().holder()));
        return SnowcastDataSerializerHook.reply(reservation);
    }

    @Override
    public int getClassId() {
        return SnowcastDataSerializerHook.RESERVE;
    }

    @Override
    void write(ObjectDataOutput out) throws IOException {
        CounterWire.writeReserveRequest(out, request());
    }

    @Override
    void read(ObjectDataInput in) throws IOException {
        request = CounterWire.readReserveRequest(in);
    }
}
