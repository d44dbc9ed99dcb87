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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Coordinator} of a {@code HazelcastInstance}: sends requests to the owners of partitions. A member sends
 * them as operations, a client as messages. Thread-safe.
 */
public abstract class ClusterCoordinator implements Coordinator {
    /** Why calls fail after the shutdown of a member or client, for exception messages. */
    static final String SHUT_DOWN = "the HazelcastInstance was shut down";

    /**
     * Limits the wait for renewals and counts, because Hazelcast waits for a lost answer for up to two call time-outs.
     */
    private static final long MAX_WAIT_MILLIS = 10_000;

    /** Prepares for a request; may block. Throws if the client was shut down, or if the thread is interrupted. */
    protected void prepare(RequestType<?, ?> type, String subject) {}

    /**
     * Sends a request by a Hazelcast invocation; does not block. A member sends a batch by one invocation for each
     * partition. While the request cannot be executed, the invocation retries it, for at most about the given time. If
     * the outcome of an attach, a renewal or a destruction is unknown because an owner or a backup left, the future
     * fails with an {@code IndeterminateOperationStateException}.
     */
    public abstract <Q, A> CompletableFuture<A> send(RequestType<Q, A> type, Q request, long tryMillis);

    /** Sends a request, repeats it if its outcome is unknown, and waits for the answer: see {@link Answers#outcome}. */
    public final <Q, A> A ask(RequestType<Q, A> type, String subject, Q request) {
        prepare(type, subject);
        return Answers.outcome(subject, timeoutMillis(), () -> send(type, request, timeoutMillis()));
    }

    /** Returns how long a caller waits for an answer. */
    public abstract long timeoutMillis();

    protected abstract Map<String, Object> userContext();

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        return ask(RequestType.ATTACH, request.definition().called(request.name()), request)
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
        return Delays.orTimeout(send(type, request, MAX_WAIT_MILLIS), TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS));
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detachWithin(requests, timeoutMillis());
    }

    /** Like {@link #detach}, but waits at most the given time or the call time-out, whichever is less. */
    @Override
    public void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        long timeoutMillis = Math.min(atMostMillis, timeoutMillis());
        // Sort by partition: each partition in a batch costs one operation, so a batch should cover few partitions.
        List<DetachRequest> sorted =
                requests.stream()
                        .collect(Collectors.groupingBy(request -> partitionOf(request.name())))
                        .values()
                        .stream()
                        .flatMap(List::stream)
                        .toList();
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int from = 0; from < sorted.size(); from += RequestType.MAX_BATCH_SIZE) {
            int to = Math.min(from + RequestType.MAX_BATCH_SIZE, sorted.size());
            answers.add(send(RequestType.DETACH, sorted.subList(from, to), timeoutMillis));
        }
        Answers.awaitAll("node IDs to release", timeoutMillis, answers);
    }

    @Override
    public boolean destroy(String name, long incarnation) {
        Destroyed destroyed = new Destroyed(name, incarnation);
        return ask(RequestType.DESTROY, destroyed.subject(), destroyed);
    }

    @Override
    public GrantObserver observer() {
        return userContext().get(GrantObserver.KEY) instanceof GrantObserver observer ? observer : GrantObserver.NONE;
    }
}
