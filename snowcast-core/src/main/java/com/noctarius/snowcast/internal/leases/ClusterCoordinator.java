// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.leases.Coordinator.GrantObserver;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The {@link Coordinator} of a {@code HazelcastInstance}: requests leases from its cluster. Thread-safe. */
record ClusterCoordinator(Transport transport) implements Coordinator {
    /** Why calls fail after the shutdown of a member or client, for exception messages. */
    static final String SHUT_DOWN = "the HazelcastInstance was shut down";

    /**
     * Limits the wait for renewals and counts, because Hazelcast waits for a lost answer for up to two call time-outs.
     */
    private static final long MAX_WAIT_MILLIS = 10_000;

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        return transport
                .ask(RequestType.ATTACH, request.definition().called(request.name()), request)
                .orElse(null);
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> requests) {
        return sent(RequestType.RENEW, List.copyOf(requests)).exceptionally(failure -> {
            throw Answers.failure("the renewal of leases", failure);
        });
    }

    @Override
    public CompletionStage<Map<String, NodeIdCounts>> count(Set<String> names, Map<String, Definition> definitions) {
        List<String> asked = List.copyOf(names);
        return sent(RequestType.COUNT, asked).thenApply(counts -> {
            Map<String, NodeIdCounts> byName = new HashMap<>();
            for (int i = 0; i < asked.size(); i++) {
                String name = asked.get(i);
                counts.get(i).ifPresent(ofName -> byName.put(name, ofName));
            }
            return byName;
        });
    }

    private <Q, A> CompletableFuture<A> sent(RequestType<Q, A> type, Q request) {
        return Delays.orTimeout(
                transport.send(type, request, MAX_WAIT_MILLIS), TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS));
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detachWithin(requests, transport.timeoutMillis());
    }

    /** Like {@link #detach}, but waits at most the given time or the call time-out, whichever is less. */
    @Override
    public void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        long timeoutMillis = Math.min(atMostMillis, transport.timeoutMillis());
        // Sort by partition: each partition in a batch costs one operation, so a batch should cover few partitions.
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
        Answers.awaitAll("node IDs to release", timeoutMillis, answers);
    }

    @Override
    public boolean destroy(String name, long incarnation) {
        Destroyed destroyed = new Destroyed(name, incarnation);
        return transport.ask(RequestType.DESTROY, destroyed.subject(), destroyed);
    }

    @Override
    public int partitionOf(String name) {
        return transport.partitionOf(name);
    }

    @Override
    public GrantObserver observer() {
        return transport.userContext().get(GrantObserver.KEY) instanceof GrantObserver observer
                ? observer
                : GrantObserver.NONE;
    }

    @Override
    public UUID newHolder() {
        return transport.newHolder();
    }
}
