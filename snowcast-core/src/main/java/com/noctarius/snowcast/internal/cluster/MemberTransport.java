// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.logging.ILogger;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.noctarius.snowcast.internal.base.Delays;
import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.internal.leases.ClusterCoordinator;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The transport of a member: sends its own requests and its clients' requests to the owners of partitions. */
final class MemberTransport extends ClusterCoordinator {
    /** How many tries a request has before Hazelcast's pauses between tries have grown to their maximum, 500 ms. */
    private static final int QUICK_TRIES = 11;

    /** Not Hazelcast's own threads, which reject tasks during a shutdown. */
    private static final Executor EVENT_THREADS = Threads.named("snowcast.events");

    private final NodeEngine nodeEngine;
    private final ILogger logger;
    private final long callTimeoutMillis;
    private final long retryPauseMillis;

    MemberTransport(NodeEngine nodeEngine, ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.logger = logger;
        HazelcastProperties properties = nodeEngine.getProperties();
        this.callTimeoutMillis = properties.getMillis(ClusterProperty.OPERATION_CALL_TIMEOUT_MILLIS);
        this.retryPauseMillis = Math.max(properties.getMillis(ClusterProperty.INVOCATION_RETRY_PAUSE), 1);
    }

    /**
     * Sends a request. If the request has destroyed an incarnation, also sends the event of the destruction to all
     * members, and completes when each has answered, failed or timed out.
     */
    @Override
    public <Q, A> CompletableFuture<A> send(RequestType<Q, A> type, Q request, long tryMillis) {
        CompletableFuture<A> answer;
        try {
            answer = sendToOwners(type, request, tryMillis);
        } catch (RuntimeException e) { // After its shutdown, a member cannot compute partitions.
            return CompletableFuture.failedFuture(e);
        }
        // Send the event on another thread: Hazelcast permits no invocation on the thread that receives the answer.
        return request instanceof Destroyed destroyed
                ? answer.thenComposeAsync(
                        isOver -> Boolean.TRUE.equals(isOver)
                                ? sendToAll(destroyed).thenApply(answered -> isOver)
                                : CompletableFuture.completedFuture(isOver),
                        EVENT_THREADS)
                : answer;
    }

    /** Sends a request to the owner of its partition, or each part of a batch to the owner of the part's partition. */
    @SuppressWarnings("unchecked") // Only batches have more or fewer names than one.
    private <Q, A> CompletableFuture<A> sendToOwners(RequestType<Q, A> type, Q request, long tryMillis) {
        List<Integer> partitions =
                type.namesOf().apply(request).stream().map(this::partitionOf).toList();
        if (partitions.stream().distinct().count() == 1) {
            return sendToOwner(partitions.get(0), type, request, tryMillis);
        }
        RequestType<List<Object>, List<Object>> ofBatch = (RequestType<List<Object>, List<Object>>) type;
        return (CompletableFuture<A>) sendParts(ofBatch, (List<Object>) request, partitions, tryMillis);
    }

    /** Sends the requests of a batch to the owners of their partitions. The answers have the order of the requests. */
    private <E, R> CompletableFuture<List<R>> sendParts(
            RequestType<List<E>, List<R>> type, List<E> batch, List<Integer> partitions, long tryMillis) {
        Map<Integer, List<E>> parts = new HashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            parts.computeIfAbsent(partitions.get(i), added -> new ArrayList<>()).add(batch.get(i));
        }
        Map<Integer, CompletableFuture<Iterator<R>>> answers = new HashMap<>();
        parts.forEach((id, part) ->
                answers.put(id, sendToOwner(id, type, part, tryMillis).thenApply(List::iterator)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> partitions.stream()
                        .map(id ->
                                Objects.requireNonNull(answers.get(id)).join().next())
                        .toList());
    }

    /** Sends a request to a partition's owner: see {@link #send}. */
    <Q, A> CompletableFuture<A> sendToOwner(int partitionId, RequestType<Q, A> type, Q request) {
        return sendToOwner(partitionId, type, request, callTimeoutMillis);
    }

    /** Retries for about 4/5 of {@code tryMillis}, so that the caller gets the reason of the last failure in time. */
    private <Q, A> CompletableFuture<A> sendToOwner(
            int partitionId, RequestType<Q, A> type, Q request, long tryMillis) {
        boolean isBestEffort = Handlers.of(type).exemptions().contains(Handlers.Exemption.BEST_EFFORT);
        if (isBestEffort) {
            // Fail at once if the cluster state prevents an owner: waiting with a detach request would delay a member
            // that leaves.
            RuntimeException missing = ClusterStates.ownerMissing(nodeEngine, partitionId, null);
            if (missing != null) {
                return CompletableFuture.failedFuture(missing);
            }
        }
        Set<Member> before = nodeEngine.getClusterService().getMembers();
        CompletableFuture<Reply> reply;
        try {
            reply = received(nodeEngine
                    .getOperationService()
                    .createInvocationBuilder(
                            SnowcastOperation.Services.NAME, new RequestOperation(type, request), partitionId)
                    .setFailOnIndeterminateOperationState(!isBestEffort)
                    .setTryCount((int) (tryMillis * 4 / 5 / retryPauseMillis) + QUICK_TRIES)
                    .setTryPauseMillis(retryPauseMillis)
                    .invoke());
        } catch (RuntimeException e) { // The invocation could not be started.
            return CompletableFuture.failedFuture(e);
        }
        return reply.handle((value, failure) -> {
            if (failure != null) {
                throw new CompletionException(explained(partitionId, failure));
            }
            if (!isBestEffort && hasMemberLeft(before)) {
                throw new CompletionException(new IndeterminateOperationStateException(
                        "a member left before all backups had confirmed the change"));
            }
            return value.to(type);
        });
    }

    /**
     * Returns a future of the JDK, whose dependent stages run on the thread that receives the answer. Those of
     * Hazelcast's futures run on another thread.
     */
    private static <T> CompletableFuture<T> received(InternalCompletableFuture<T> reply) {
        CompletableFuture<T> received = new CompletableFuture<>();
        CompletableFuture<?> unused = reply.whenCompleteAsync(
                (value, failure) -> {
                    if (failure == null) {
                        received.complete(value);
                    } else {
                        received.completeExceptionally(failure);
                    }
                },
                Runnable::run);
        return received;
    }

    /**
     * Returns whether a member has left since the request: Hazelcast before 5.6 then counts one backup of every request
     * as acknowledged, even if no member has made it.
     */
    private boolean hasMemberLeft(Set<Member> before) {
        return !nodeEngine.getClusterService().getMembers().containsAll(before);
    }

    /** Returns the failure, or an exception that says that the cluster state prevents a new owner of the partition. */
    private Throwable explained(int partitionId, Throwable failure) {
        boolean mayBeThat = failure instanceof HazelcastException
                || (failure instanceof IllegalStateException
                        && !(failure instanceof HazelcastInstanceNotActiveException));
        RuntimeException missing = mayBeThat ? ClusterStates.ownerMissing(nodeEngine, partitionId, failure) : null;
        return missing == null ? failure : missing;
    }

    /** Sends an event to all members; completes when each has answered, failed or timed out. */
    CompletableFuture<Void> sendToAll(ClusterEvent event) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            SnowcastOperation<?> operation = new SnowcastOperation.EventOperation(event);
            CompletableFuture<Object> reply = received(nodeEngine
                    .getOperationService()
                    .invokeOnTarget(SnowcastOperation.Services.NAME, operation, member.getAddress()));
            // Half of the call time-out: a member that destroys a sequencer waits for one call time-out in total, and
            // its request takes a part of that.
            answers.add(Delays.orTimeout(reply, TimeUnit.MILLISECONDS.toNanos(callTimeoutMillis / 2))
                    .handle((value, failure) -> {
                        if (failure != null) {
                            logger.warning("Could not tell " + member + ": " + event, failure);
                        }
                        return failure == null;
                    }));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public int partitionOf(String name) {
        Data key = nodeEngine.getSerializationService().toData(StringPartitioningStrategy.getPartitionKey(name));
        return nodeEngine.getPartitionService().getPartitionId(key);
    }

    @Override
    public UUID newHolder() {
        Member own = nodeEngine.getClusterService().getLocalMember();
        return HolderId.at(own.getSocketAddress(), own.getUuid());
    }

    @Override
    public long timeoutMillis() {
        return callTimeoutMillis;
    }

    @Override
    protected Map<String, Object> userContext() {
        return nodeEngine.getConfig().getUserContext();
    }
}
