// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.internal.counter.BlockObserver;
import com.noctarius.snowcast.internal.counter.CounterCoordinator;
import com.noctarius.snowcast.internal.counter.CounterSnapshot;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import com.noctarius.snowcast.internal.wire.Destroyed;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a member's integer sequences ask of the cluster, by operations. */
final class MemberCounters implements CounterCoordinator {
    private final MemberCoordinator calls;

    MemberCounters(MemberCoordinator calls) {
        this.calls = calls;
    }

    private static String subject(String name) {
        return "integer sequence " + name;
    }

    @Override
    public @Nullable Reservation reserve(ReserveRequest request) {
        Reply<Reservation> reply =
                calls.invoke(subject(request.name()), request.name(), () -> new ReserveOperation(request));
        return reply.value();
    }

    @Override
    public long giveBack(GiveBackRequest request) {
        return calls.invoke(subject(request.name()), request.name(), () -> new GiveBackOperation(request));
    }

    @Override
    public BlockObserver observer() {
        return BlockObserver.in(calls.userContext());
    }

    @Override
    public void destroy(String name, long incarnation) {
        if (calls.invoke(subject(name), name, () -> new DestroyCounterOperation(name, incarnation))) {
            calls.sealEverywhere(new Destroyed(false, name, incarnation));
        }
    }

    /** Asks for a block once; what Hazelcast cannot tell the outcome of fails. */
    CompletableFuture<Reply<Reservation>> reserveAsync(ReserveRequest request) {
        return calls.invokeAsync(request.name(), new ReserveOperation(request));
    }

    /** Gives a block back. */
    CompletableFuture<Long> giveBackAsync(GiveBackRequest request) {
        return calls.invokeAsync(request.name(), new GiveBackOperation(request));
    }

    /** Unites what this member owned on the losing side of a split with the cluster that it joined; blocks. */
    List<PossibleDuplicateIntegers> merge(List<CounterSnapshot> losing) {
        String anyName = losing.get(0).name();
        Reply<List<PossibleDuplicateIntegers>> reply =
                calls.invoke(subject(anyName), anyName, () -> new MergeCountersOperation(losing));
        return Objects.requireNonNull(reply.value());
    }
}
