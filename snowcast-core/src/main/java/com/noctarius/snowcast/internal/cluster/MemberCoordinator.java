// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.logging.ILogger;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.internal.sequencer.Coordinator;
import com.noctarius.snowcast.internal.sequencer.LeaseKeeper;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.GrantObserver;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import com.noctarius.snowcast.internal.wire.Calls;
import com.noctarius.snowcast.internal.wire.Destroyed;
import com.noctarius.snowcast.internal.wire.Found;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a member's sequencers ask of the cluster, by operations. */
final class MemberCoordinator implements Coordinator {
    /** Hazelcast's pauses grow from nothing to their full length: so many tries cost no more than one full pause. */
    private static final int QUICK_TRIES = 11;

    private final NodeEngine nodeEngine;
    private final ILogger logger;
    private final long callTimeoutMillis;
    private final long retryPauseMillis;

    MemberCoordinator(NodeEngine nodeEngine, ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.logger = logger;
        HazelcastProperties properties = nodeEngine.getProperties();
        this.callTimeoutMillis = properties.getMillis(ClusterProperty.OPERATION_CALL_TIMEOUT_MILLIS);
        this.retryPauseMillis = Math.max(properties.getMillis(ClusterProperty.INVOCATION_RETRY_PAUSE), 1);
    }

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        Reply<Grant> reply = invoke(subject(request.name()), request.name(), () -> new AttachOperation(request));
        return reply.value();
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(int partitionId, List<ExtendRequest> requests) {
        return invokeAsync(partitionId, new ExtendOperation(List.copyOf(requests)), LeaseKeeper.MAX_REPLY_AGE_MILLIS)
                .thenApply(replies -> Objects.requireNonNull(replies.value()))
                // Hazelcast waits for an answer that got lost as long as two calls may take, and one that waits holds
                // up those that follow.
                .orTimeout(LeaseKeeper.MAX_REPLY_AGE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Asks for a grant once; what Hazelcast cannot tell the outcome of fails. */
    CompletableFuture<Reply<Grant>> attachAsync(AttachRequest request) {
        return invokeAsync(partitionOf(request.name()), new AttachOperation(request), callTimeoutMillis);
    }

    /** Gives node IDs of sequencers of one partition back. */
    CompletableFuture<Void> detachAsync(int partitionId, List<DetachRequest> requests) {
        return invokeAsync(partitionId, new DetachOperation(List.copyOf(requests)), callTimeoutMillis);
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detachWithin(requests, callTimeoutMillis);
    }

    /** Waits at most the given time, and at most as long as for any other call. */
    void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        long timeoutMillis = Math.min(atMostMillis, callTimeoutMillis);
        Map<Integer, List<DetachRequest>> byPartition =
                requests.stream().collect(Collectors.groupingBy(request -> partitionOf(request.name())));
        Calls.awaitAll(
                timeoutMillis,
                byPartition.entrySet().stream()
                        .map(partition -> invokeAsync(
                                partition.getKey(), new DetachOperation(partition.getValue()), timeoutMillis))
                        .toList());
    }

    @Override
    public void destroy(String name, long incarnation) {
        if (invoke(subject(name), name, () -> new DestroyOperation(name, incarnation))) {
            sealEverywhere(new Destroyed(true, name, incarnation));
        }
    }

    /** Seals the holders on all members, and at the clients that are connected to them. */
    void sealEverywhere(Destroyed destroyed) {
        long deadlineNanos = Calls.deadlineNanos(callTimeoutMillis);
        Map<Member, CompletableFuture<Void>> replies = new HashMap<>();
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            SealOperation operation = new SealOperation(destroyed);
            replies.put(
                    member,
                    nodeEngine
                            .getOperationService()
                            .invokeOnTarget(SnowcastService.NAME, operation, member.getAddress()));
        }
        replies.forEach((member, reply) -> {
            try {
                Calls.await(reply, deadlineNanos);
            } catch (RuntimeException | TimeoutException e) {
                logger.warning(
                        destroyed + ", but " + member
                                + " did not answer; its holder stops when it next asks for an extension or a block",
                        e);
            }
        });
    }

    /** Unites what this member owned on the losing side of a split with the cluster that it joined; blocks. */
    List<PossibleDuplicates> merge(List<TableSnapshot> losing) {
        String anyName = losing.get(0).name();
        Reply<List<List<Overlap>>> reply = invoke(subject(anyName), anyName, () -> new MergeOperation(losing));
        List<List<Overlap>> overlaps = Objects.requireNonNull(reply.value());
        List<PossibleDuplicates> found = new ArrayList<>();
        for (int i = 0; i < losing.size(); i++) {
            String name = losing.get(i).name();
            overlaps.get(i)
                    .forEach(overlap -> found.add(new PossibleDuplicates(
                            name,
                            overlap.logicalNodeId(),
                            Instant.ofEpochMilli(overlap.fromMillis()),
                            Instant.ofEpochMilli(overlap.toMillis()))));
        }
        return found;
    }

    /** Tells the listeners of all members. */
    void tellEverywhere(Found found) {
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            CompletionStage<Void> told = nodeEngine
                    .getOperationService()
                    .invokeOnTarget(SnowcastService.NAME, new PossibleDuplicatesOperation(found), member.getAddress());
            told.whenComplete((reply, failure) -> {
                if (failure != null) {
                    logger.warning("Could not tell " + member + " of possible duplicates", failure);
                }
            });
        }
    }

    void makeContainer(int partitionId) {
        CompletionStage<Void> made = invokeAsync(partitionId, new MakeContainerOperation(), callTimeoutMillis);
        made.whenComplete((reply, failure) -> {
            if (failure != null) {
                logger.fine("Could not make the container of partition " + partitionId, failure);
            }
        });
    }

    @Override
    public int partitionOf(String name) {
        Data key = nodeEngine.getSerializationService().toData(StringPartitioningStrategy.getPartitionKey(name));
        return nodeEngine.getPartitionService().getPartitionId(key);
    }

    @Override
    public GrantObserver observer() {
        return GrantObserver.in(userContext());
    }

    Map<String, Object> userContext() {
        return nodeEngine.getConfig().getUserContext();
    }

    /** Runs an operation on the owner of a partition; Hazelcast tries about as long as given while it cannot run. */
    private <T> CompletableFuture<T> invokeAsync(int partitionId, TableOperation<T> operation, long timeoutMillis) {
        return nodeEngine
                .getOperationService()
                .createInvocationBuilder(SnowcastService.NAME, operation, partitionId)
                .setFailOnIndeterminateOperationState(!operation.mayBeLost())
                .setTryCount((int) (timeoutMillis / retryPauseMillis) + QUICK_TRIES)
                .setTryPauseMillis(retryPauseMillis)
                .invoke();
    }

    private static String subject(String name) {
        return "sequencer " + name;
    }

    /** Runs an operation on the owner of a name's partition, once. */
    <T> CompletableFuture<T> invokeAsync(String name, TableOperation<T> operation) {
        return invokeAsync(partitionOf(name), operation, callTimeoutMillis);
    }

    /** Runs an operation on the owner of a name's partition. */
    <T> T invoke(String subject, String name, Supplier<TableOperation<T>> operation) {
        return Calls.outcome(
                subject, callTimeoutMillis, () -> invokeAsync(partitionOf(name), operation.get(), callTimeoutMillis));
    }
}
