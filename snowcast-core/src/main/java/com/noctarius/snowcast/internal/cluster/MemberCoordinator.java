// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.logging.ILogger;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperties;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.sequencer.Coordinator;
import com.noctarius.snowcast.internal.sequencer.LeaseKeeper;
import com.noctarius.snowcast.internal.table.AttachRequest;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.ExtendReply;
import com.noctarius.snowcast.internal.table.ExtendRequest;
import com.noctarius.snowcast.internal.table.Grant;
import com.noctarius.snowcast.internal.table.Overlap;
import com.noctarius.snowcast.internal.table.TableSnapshot;
import java.time.Instant;
import java.util.ArrayList;
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
        Reply<Grant> reply = invoke(request.name(), () -> new AttachOperation(request));
        return reply.value();
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(int partitionId, List<ExtendRequest> requests) {
        return invokeAsync(partitionId, new ExtendOperation(List.copyOf(requests)), LeaseKeeper.MAX_REPLY_AGE_MILLIS)
                .thenApply(replies -> Objects.requireNonNull(replies.value()));
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        detachWithin(requests, callTimeoutMillis);
    }

    /** Waits at most the given time, and at most as long as for any other call. */
    void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        long timeoutMillis = Math.min(atMostMillis, callTimeoutMillis);
        long deadlineNanos = deadlineNanos(timeoutMillis);
        Map<Integer, List<DetachRequest>> byPartition =
                requests.stream().collect(Collectors.groupingBy(request -> partitionOf(request.name())));
        Map<Integer, CompletableFuture<Void>> replies = new HashMap<>();
        byPartition.forEach((partitionId, ofPartition) ->
                replies.put(partitionId, invokeAsync(partitionId, new DetachOperation(ofPartition), timeoutMillis)));
        RuntimeException failure = null;
        for (Map.Entry<Integer, CompletableFuture<Void>> reply : replies.entrySet()) {
            try {
                await(reply.getValue(), deadlineNanos);
            } catch (RuntimeException e) {
                failure = e;
            } catch (TimeoutException e) {
                failure = new SnowcastException("no answer from the cluster within " + timeoutMillis + " ms", e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void destroy(String name, long incarnation) {
        if (invoke(name, () -> new DestroyOperation(name, incarnation))) {
            sealEverywhere(name, incarnation);
        }
    }

    /** Seals the holders on all members, and at the clients that are connected to them. */
    private void sealEverywhere(String name, long incarnation) {
        long deadlineNanos = deadlineNanos(callTimeoutMillis);
        Map<Member, CompletableFuture<Void>> replies = new HashMap<>();
        for (Member member : nodeEngine.getClusterService().getMembers()) {
            SealOperation operation = new SealOperation(name, incarnation);
            replies.put(
                    member,
                    nodeEngine
                            .getOperationService()
                            .invokeOnTarget(SnowcastService.NAME, operation, member.getAddress()));
        }
        replies.forEach((member, reply) -> {
            try {
                await(reply, deadlineNanos);
            } catch (RuntimeException | TimeoutException e) {
                logger.warning(
                        "Sequencer " + name + " was destroyed, but " + member
                                + " did not answer; its holder stops when its lease has run out at the latest",
                        e);
            }
        });
    }

    /** Unites what this member owned on the losing side of a split with the cluster that it joined; blocks. */
    List<PossibleDuplicates> merge(List<TableSnapshot> losing) {
        String anyName = losing.get(0).name();
        Reply<List<List<Overlap>>> reply = invoke(anyName, () -> new MergeOperation(losing));
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
    void tellEverywhere(List<PossibleDuplicates> found) {
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

    /**
     * Runs an operation on the owner of the sequencer's partition. One whose outcome is not known, because its owner or
     * a backup left, is sent again: it is the same request, and gets the same answer.
     */
    private <T> T invoke(String name, Supplier<TableOperation<T>> operation) {
        long deadlineNanos = deadlineNanos(callTimeoutMillis);
        while (true) {
            try {
                return await(invokeAsync(partitionOf(name), operation.get(), callTimeoutMillis), deadlineNanos);
            } catch (IndeterminateOperationStateException e) {
                if (deadlineNanos - SystemClock.INSTANCE.nanos() <= 0) {
                    throw new SnowcastException(
                            "sequencer " + name + ": no outcome within " + callTimeoutMillis
                                    + " ms; do all data members have snowcast on their class path? " + e.getMessage(),
                            e);
                }
            } catch (TimeoutException e) {
                throw new SnowcastException(
                        "sequencer " + name + ": no answer from the cluster within " + callTimeoutMillis + " ms", e);
            } catch (HazelcastSerializationException e) {
                throw new SnowcastException(
                        "sequencer " + name + ": a data member of the cluster cannot read the request; all of them need"
                                + " the same version of snowcast on their class path: " + e.getMessage(),
                        e);
            } catch (SplitBrainProtectionException e) {
                throw e;
            } catch (HazelcastInstanceNotActiveException e) {
                throw new SnowcastStateException("sequencer " + name + ": the HazelcastInstance was shut down", e);
            } catch (HazelcastException | IllegalStateException e) {
                throw new SnowcastException("sequencer " + name + ": the cluster failed: " + e.getMessage(), e);
            }
        }
    }

    private static long deadlineNanos(long timeoutMillis) {
        return SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** Waits for a reply, and not shorter when the thread is interrupted: the cluster may already have acted on it. */
    private static <T> T await(CompletableFuture<T> future, long deadlineNanos) throws TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get(deadlineNanos - SystemClock.INSTANCE.nanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
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
