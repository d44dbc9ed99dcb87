// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.holder.Coordinator.BlockObserver;
import com.noctarius.snowcast.internal.holder.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.ExtendReply;
import com.noctarius.snowcast.internal.owner.ExtendRequest;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed.Kind;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the sequencers and integer sequences of a {@code HazelcastInstance} ask of the cluster. Thread-safe. */
record ClusterCoordinator(Transport transport) implements Coordinator, PoolCoordinator {
    /** Why nothing can be created any more after the end of a member or client. */
    static final String SHUT_DOWN = "the HazelcastInstance was shut down";

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        return transport
                .ask(RequestType.ATTACH, request.definition().called(request.name()), request)
                .orElse(null);
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
        // Hazelcast waits for a lost answer as long as two calls may take, which holds up the next extensions.
        return Delays.orTimeout(
                        transport.send(RequestType.EXTEND, List.copyOf(requests), LeaseKeeper.MAX_REPLY_AGE_MILLIS),
                        TimeUnit.MILLISECONDS.toNanos(LeaseKeeper.MAX_REPLY_AGE_MILLIS))
                .exceptionally(failure -> {
                    throw Answers.failure("the extension of leases", failure);
                });
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detachWithin(requests, transport.timeoutMillis());
    }

    /** As {@link #detach}; waits at most the given time, and at most as long as for any other call. */
    @Override
    public void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        long timeoutMillis = Math.min(atMostMillis, transport.timeoutMillis());
        // Those of one partition side by side, so that few batches go to more than one owner.
        List<DetachRequest> sorted = requests.stream()
                .collect(Collectors.groupingBy(request -> transport.partitionOf(request.name())))
                .values()
                .stream()
                .flatMap(List::stream)
                .toList();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int from = 0; from < sorted.size(); from += RequestType.MAX_BATCH_SIZE) {
            int to = Math.min(from + RequestType.MAX_BATCH_SIZE, sorted.size());
            answers.add(transport.send(RequestType.DETACH, sorted.subList(from, to), timeoutMillis));
        }
        Answers.awaitAll("node IDs to give back", timeoutMillis, answers);
    }

    @Override
    public void destroy(String name, long incarnation) {
        destroy(new Destroyed(Kind.SEQUENCER, name, incarnation));
    }

    private void destroy(Destroyed incarnation) {
        transport.ask(RequestType.DESTROY, incarnation.subject(), incarnation);
    }

    @Override
    public int partitionOf(String name) {
        return transport.partitionOf(name);
    }

    @Override
    public GrantObserver observer() {
        return GrantObserver.in(transport.userContext());
    }

    @Override
    public UUID newHolder() {
        return transport.newHolder();
    }

    // --- of integer sequences

    @Override
    public @Nullable Reservation reserve(ReserveRequest request) {
        return transport
                .ask(RequestType.RESERVE, "integer sequence " + request.name(), request)
                .orElse(null);
    }

    /** The first request of a sequence goes the other way, so a client hears of destructions already. */
    @Override
    public CompletableFuture<Reservation> reserveAsync(ReserveRequest request) {
        long timeoutMillis = transport.timeoutMillis();
        return Delays.orTimeout(
                        transport
                                .send(RequestType.RESERVE, request, timeoutMillis)
                                .copy(),
                        TimeUnit.MILLISECONDS.toNanos(timeoutMillis))
                .thenApply(Optional::orElseThrow);
    }

    @Override
    public long giveBack(GiveBackRequest request) {
        return transport.ask(RequestType.GIVE_BACK, "integer sequence " + request.name(), request);
    }

    @Override
    public void destroyIntegers(String name, long incarnation) {
        destroy(new Destroyed(Kind.INTEGER_SEQUENCE, name, incarnation));
    }

    @Override
    public BlockObserver blockObserver() {
        return BlockObserver.in(transport.userContext());
    }
}
