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
import com.noctarius.snowcast.internal.hazelcast.Answers;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.internal.leases.Transport;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Sends a member's requests, and those that clients sent to it, to the owners of partitions. */
final class MemberTransport implements Transport {
    /** Hazelcast's pauses grow from nothing to their full length: so many tries cost no more than one full pause. */
    private static final int QUICK_TRIES = 11;

    /** Not those of Hazelcast: when it shuts down they reject what comes, and the caller would read that. */
    private static final Executor EVENT_THREADS = Threads.named("snowcast.events");

    private final NodeEngine nodeEngine;
    /** The newest version of the wire format that all members read. */
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

    /** The answer to a destruction comes when all members have answered the event of it, or could not. */
    @Override
    public <Q, A> CompletableFuture<A> send(RequestType<Q, A> type, Q request, long tryMillis) {
        CompletableFuture<A> answer = sendToOwners(type, request, tryMillis);
        // Not on the thread that the answer arrives on: Hazelcast lets that one send nothing.
        return request instanceof Destroyed destroyed
                ? answer.thenComposeAsync(
                        isOver -> Boolean.TRUE.equals(isOver)
                                ? sendToAll(destroyed).thenApply(answered -> isOver)
                                : CompletableFuture.completedFuture(isOver),
                        EVENT_THREADS)
                : answer;
    }

    /** Sends a request to its owner, or the parts of a batch to theirs. */
    @SuppressWarnings("unchecked") // Only batches have several names, or none.
    private <Q, A> CompletableFuture<A> sendToOwners(RequestType<Q, A> type, Q request, long tryMillis) {
        List<Integer> partitions =
                type.names(request).stream().map(this::partitionOf).toList();
        if (partitions.stream().distinct().count() == 1) {
            return sendToOwner(partitions.get(0), type, request, tryMillis);
        }
        RequestType<List<Object>, List<Object>> ofBatch = (RequestType<List<Object>, List<Object>>) type;
        return (CompletableFuture<A>) sendParts(ofBatch, new Batch<>((List<Object>) request, partitions), tryMillis);
    }

    private <E, R> CompletableFuture<List<R>> sendParts(
            RequestType<List<E>, List<R>> type, Batch<E> batch, long tryMillis) {
        Map<Integer, CompletableFuture<List<R>>> answers = new HashMap<>();
        batch.parts().forEach((id, part) -> answers.put(id, sendToOwner(id, type, part, tryMillis)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    Map<Integer, List<R>> ofParts = new HashMap<>();
                    answers.forEach((id, answer) -> ofParts.put(id, answer.join()));
                    return batch.answer(ofParts);
                });
    }

    /**
     * Sends a request to its owner. While it cannot run, it is tried for 4/5 of the time, and then the answer is why.
     */
    <Q, A> CompletableFuture<A> sendToOwner(int partitionId, RequestType<Q, A> type, Q request, long tryMillis) {
        long mostMillis = tryMillis * 4 / 5;
        return Answers.whileRejected(() -> sendOnce(partitionId, type, request, mostMillis), mostMillis, EVENT_THREADS);
    }

    private <Q, A> CompletableFuture<A> sendOnce(int partitionId, RequestType<Q, A> type, Q request, long mostMillis) {
        boolean needsNoBackups = Handlers.of(type).exemptions().contains(Handler.Exemption.SKIPS_CHECKS_OF_OWNER);
        if (needsNoBackups) {
            // Not worth a wait: a member that leaves would be held up by it.
            RuntimeException missing = ClusterStates.ownerMissing(nodeEngine, partitionId, null);
            if (missing != null) {
                return CompletableFuture.failedFuture(missing);
            }
        }
        Set<Member> before = nodeEngine.getClusterService().getMembers();
        RequestOperation operation = new RequestOperation(type, request);
        InternalCompletableFuture<Reply> reply = nodeEngine
                .getOperationService()
                .createInvocationBuilder(MemberServices.SERVICE_NAME, operation, partitionId)
                .setFailOnIndeterminateOperationState(!needsNoBackups)
                .setTryCount((int) (mostMillis / retryPauseMillis) + QUICK_TRIES)
                .setTryPauseMillis(retryPauseMillis)
                .invoke();
        // Each dependent of Hazelcast's future would run on one more thread. So the answer is read on the thread that
        // receives it (Runnable::run), and thenCompose makes a future of the JDK of it, whose dependents run there,
        // too.
        return CompletableFuture.completedFuture(type)
                .thenCompose(asked -> reply.handleAsync(
                        (value, failure) -> {
                            if (failure != null) {
                                throw new CompletionException(explained(partitionId, failure));
                            }
                            if (!needsNoBackups && hasLost(before)) {
                                throw new CompletionException(new IndeterminateOperationStateException(
                                        "a member left before all backups had confirmed the change"));
                            }
                            return value.to(asked);
                        },
                        Runnable::run));
    }

    /**
     * Whether a member has left. When one does, Hazelcast before 5.6 takes one backup of every request as confirmed,
     * also where none was made: an owner that was cut off would extend leases of which the other side does not know.
     */
    private boolean hasLost(Set<Member> before) {
        return !nodeEngine.getClusterService().getMembers().containsAll(before);
    }

    /** Hazelcast says that the owner is no member; that nothing changes that says the state of the cluster. */
    private Throwable explained(int partitionId, Throwable failure) {
        boolean mayBeThat = failure instanceof HazelcastException
                || (failure instanceof IllegalStateException
                        && !(failure instanceof HazelcastInstanceNotActiveException));
        RuntimeException missing = mayBeThat ? ClusterStates.ownerMissing(nodeEngine, partitionId, failure) : null;
        return missing == null ? failure : missing;
    }

    /** Sends an event to all members, and by them to clients; complete when each has answered, or timed out. */
    CompletableFuture<Void> sendToAll(ClusterEvent event) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            EventOperation operation = new EventOperation(event);
            InternalCompletableFuture<Object> reply = nodeEngine
                    .getOperationService()
                    .invokeOnTarget(MemberServices.SERVICE_NAME, operation, member.getAddress());
            CompletableFuture<Boolean> answer = reply.handleAsync(
                    (value, failure) -> {
                        if (failure != null) {
                            logger.warning("Could not tell " + member + ": " + event, failure);
                        }
                        return failure == null;
                    },
                    Runnable::run);
            // A caller waits no longer than for any other call.
            answers.add(Delays.completeOnTimeout(answer, false, TimeUnit.MILLISECONDS.toNanos(callTimeoutMillis / 2)));
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
    public Map<String, Object> userContext() {
        return nodeEngine.getConfig().getUserContext();
    }
}
