// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.nio.ObjectDataInput;
import com.noctarius.snowcast.internal.counter.BlockObserver;
import com.noctarius.snowcast.internal.counter.CounterCoordinator;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import com.noctarius.snowcast.internal.wire.ClientRequest;
import com.noctarius.snowcast.internal.wire.CounterWire;
import com.noctarius.snowcast.internal.wire.Wire;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a client's integer sequences ask of the cluster, by messages of the client protocol. */
final class ClientCounters implements CounterCoordinator {
    private final ClientCoordinator calls;
    private final ClusterListener listener;

    ClientCounters(ClientCoordinator calls, ClusterListener listener) {
        this.calls = calls;
        this.listener = listener;
    }

    private static String subject(String name) {
        return "integer sequence " + name;
    }

    @Override
    public @Nullable Reservation reserve(ReserveRequest request) {
        String subject = subject(request.name());
        calls.requireRunning(subject);
        // Before there is a block: so no destruction of its incarnation is missed.
        listener.register();
        return calls.call(
                subject,
                request.name(),
                ClientRequest.RESERVE,
                request,
                CounterWire::writeReserveRequest,
                CounterWire::readReservation);
    }

    /** Possible a moment longer than anything else. */
    @Override
    public long giveBack(GiveBackRequest request) {
        return Objects.requireNonNull(calls.call(
                subject(request.name()),
                request.name(),
                ClientRequest.GIVE_BACK,
                request,
                CounterWire::writeGiveBackRequest,
                ObjectDataInput::readLong));
    }

    @Override
    public BlockObserver observer() {
        return BlockObserver.in(calls.userContext());
    }

    @Override
    public void destroy(String name, long incarnation) {
        String subject = subject(name);
        calls.requireRunning(subject);
        Wire.Writer<String> writer = (out, value) -> {
            out.writeString(value);
            out.writeLong(incarnation);
        };
        calls.call(subject, name, ClientRequest.DESTROY_COUNTER, name, writer, ClientCoordinator.NOTHING);
    }
}
