// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.logging.ILogger;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.properties.ClusterProperty;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.sequencer.Coordinator;
import com.noctarius.snowcast.internal.sequencer.SealReport;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.Destruction;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.Token;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a member's sequencers ask of the cluster, by operations. */
final class MemberCoordinator implements Coordinator {
    private final NodeEngine nodeEngine;
    private final ILogger logger;
    private final long callTimeoutMillis;

    MemberCoordinator(NodeEngine nodeEngine, ILogger logger) {
        this.nodeEngine = nodeEngine;
        this.logger = logger;
        this.callTimeoutMillis = nodeEngine.getProperties().getMillis(ClusterProperty.OPERATION_CALL_TIMEOUT_MILLIS);
    }

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        Reply<Grant> reply = invoke(request.name(), () -> new AttachOperation(request));
        return reply.value();
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(int partitionId, List<ExtendRequest> requests) {
        CompletableFuture<Reply<List<ExtendReply>>> reply =
                invokeAsync(partitionId, new ExtendOperation(List.copyOf(requests)));
        return reply.thenApply(replies -> Objects.requireNonNull(replies.value()));
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detach(requests, callTimeoutMillis);
    }

    void detach(Collection<DetachRequest> requests, long timeoutMillis) {
        Map<Integer, List<DetachRequest>> byPartition =
                requests.stream().collect(Collectors.groupingBy(request -> partitionOf(request.name())));
        CompletableFuture<?>[] replies = byPartition.entrySet().stream()
                .map(entry -> invokeAsync(entry.getKey(), new DetachOperation(entry.getValue())))
                .toArray(CompletableFuture<?>[]::new);
        await(CompletableFuture.allOf(replies), timeoutMillis);
    }

    @Override
    public void destroy(String name, long incarnation) {
        Reply<Destruction> reply = invoke(name, () -> new DestroyOperation(name, incarnation));
        Destruction destruction = reply.value();
        if (destruction == null) {
            return;
        }
        long highestId = destruction.highestId(sealEverywhere(name, incarnation));
        invoke(name, () -> new SettleOperation(name, incarnation, highestId));
    }

    /** Seals the holders on all members, and returns what they used. Who does not answer is not in it. */
    private Map<Token, Long> sealEverywhere(String name, long incarnation) {
        Map<Member, CompletableFuture<Reply<SealReport>>> replies = new HashMap<>();
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            replies.put(
                    member,
                    nodeEngine
                            .getOperationService()
                            .invokeOnTarget(
                                    SnowcastService.NAME, new SealOperation(name, incarnation), member.getAddress()));
        }
        Map<Token, Long> lastMillisByToken = new HashMap<>();
        replies.forEach((member, future) -> {
            try {
                SealReport report = await(future, callTimeoutMillis).value();
                if (report != null) {
                    lastMillisByToken.put(report.token(), report.lastMillis());
                }
            } catch (RuntimeException e) {
                logger.warning(
                        "Sequencer " + name + " was destroyed, but " + member
                                + " did not answer; its holder stops when its lease has run out at the latest",
                        e);
            }
        });
        return lastMillisByToken;
    }

    void makeContainer(int partitionId) {
        var unused = invokeAsync(partitionId, new MakeContainerOperation()).whenComplete((reply, failure) -> {
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

    @SuppressWarnings("TypeParameterUnusedInFormals") // The operation decides the type of its answer.
    private <T> CompletableFuture<T> invokeAsync(int partitionId, Operation operation) {
        return nodeEngine
                .getOperationService()
                .createInvocationBuilder(SnowcastService.NAME, operation, partitionId)
                .setFailOnIndeterminateOperationState(true)
                .invoke();
    }

    /**
     * Runs an operation on the owner of the sequencer's partition. One whose outcome is not known, because its owner or
     * a backup left, is sent again: it is the same request, and gets the same answer.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    private <T> T invoke(String name, Supplier<Operation> operation) {
        long start = SystemClock.INSTANCE.nanos();
        while (true) {
            try {
                return await(invokeAsync(partitionOf(name), operation.get()), callTimeoutMillis);
            } catch (IndeterminateOperationStateException e) {
                long elapsedMillis = TimeUnit.NANOSECONDS.toMillis(SystemClock.INSTANCE.nanos() - start);
                if (elapsedMillis > callTimeoutMillis) {
                    throw new SnowcastException(
                            "sequencer " + name + ": no outcome within " + elapsedMillis + " ms: " + e.getMessage(), e);
                }
            } catch (HazelcastSerializationException e) {
                throw new SnowcastException(
                        "sequencer " + name + ": a data member of the cluster cannot read the request; all of them need"
                                + " the same version of snowcast on their class path: " + e.getMessage(),
                        e);
            } catch (HazelcastException e) {
                throw new SnowcastException("sequencer " + name + ": the cluster failed: " + e.getMessage(), e);
            }
        }
    }

    /** Waits for a reply, and not shorter when the thread is interrupted: the cluster may already have acted on it. */
    private static <T> T await(CompletableFuture<T> future, long timeoutMillis) {
        long deadline = SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadline - SystemClock.INSTANCE.nanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw new SnowcastException("no answer from the cluster within " + timeoutMillis + " ms", e);
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException cause ? cause : new HazelcastException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
