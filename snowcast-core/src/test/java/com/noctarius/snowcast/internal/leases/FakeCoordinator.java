// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.owner.Grant;
import com.noctarius.snowcast.internal.owner.NodeIdCounts;
import com.noctarius.snowcast.internal.owner.RenewReply;
import com.noctarius.snowcast.internal.owner.RenewRequest;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Calls the tables of a {@link FakeCluster}, and runs actions of the test before or after the calls. Thread-safe. */
final class FakeCoordinator implements Coordinator {
    final List<AttachRequest> attaches = new CopyOnWriteArrayList<>();
    final List<DetachRequest> detaches = new CopyOnWriteArrayList<>();

    private final FakeCluster cluster;
    private final Queue<Runnable> beforeAttach = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> beforeDestroy = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> afterGrant = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> afterDetach = new ConcurrentLinkedQueue<>();
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();
    private final Queue<Count> counts = new ArrayDeque<>();
    private final Queue<Renewal> renewals = new ArrayDeque<>();
    private volatile @Nullable Throwable failure;
    private volatile boolean failsOnce;

    /** A pending request for renewals. */
    record Renewal(int partitionId, List<RenewRequest> requests, CompletableFuture<List<RenewReply>> reply) {}

    /** A pending request for the counts of node IDs. */
    record Count(Set<String> names, CompletableFuture<Map<String, NodeIdCounts>> reply) {}

    FakeCoordinator(FakeCluster cluster) {
        this.cluster = cluster;
    }

    /** Queues an action. Each attach runs one queued action, before the cluster receives the request. */
    void onNextAttach(Runnable action) {
        beforeAttach.add(action);
    }

    /**
     * Queues an action. Each attach runs one queued action, after the owner has made the grant and before the holder
     * receives it.
     */
    void onNextGrant(Runnable action) {
        afterGrant.add(action);
    }

    /** Queues an action. Each destruction runs one queued action, before the cluster receives the request. */
    void onNextDestroy(Runnable action) {
        beforeDestroy.add(action);
    }

    /**
     * Queues an action. Each detach runs one queued action, after the owner has executed the detach and before the
     * holder receives the answer.
     */
    void onNextDetach(Runnable action) {
        afterDetach.add(action);
    }

    /**
     * Makes all calls throw {@code with}, except {@link #count} and {@link #partitionOf}. If {@code with} is null,
     * calls succeed again.
     */
    void fail(@Nullable Throwable with) {
        failure = with;
    }

    /** Makes the next call that {@link #fail} would affect throw {@code with}. */
    void failOnce(Throwable with) {
        failure = with;
        failsOnce = true;
    }

    private void failIfAsked() {
        Throwable present = failure;
        if (failsOnce) {
            failsOnce = false;
            failure = null;
        }
        if (present instanceof Error error) {
            throw error;
        }
        if (present instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private static void runNext(Queue<Runnable> actions) {
        Runnable action = actions.poll();
        if (action != null) {
            action.run();
        }
    }

    @Override
    public @Nullable Grant attach(AttachRequest request) {
        attaches.add(request);
        runNext(beforeAttach);
        failIfAsked();
        Grant grant = cluster.attach(request);
        if (grant != null) {
            grants.put(request.name(), grant);
            runNext(afterGrant);
        }
        return grant;
    }

    @Override
    public void detachWithin(Collection<DetachRequest> requests, long atMostMillis) {
        detach(requests);
    }

    @Override
    public void detach(Collection<DetachRequest> requests) {
        failIfAsked();
        detaches.addAll(requests);
        requests.forEach(cluster::detach);
        runNext(afterDetach);
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> requests) {
        failIfAsked();
        CompletableFuture<List<RenewReply>> reply = new CompletableFuture<>();
        renewals.add(new Renewal(partition(requests.get(0).name()), requests, reply));
        return reply;
    }

    /** The request stays pending until the test completes it. */
    @Override
    public CompletionStage<Map<String, NodeIdCounts>> count(Set<String> names, Map<String, Definition> definitions) {
        Count count = new Count(names, new CompletableFuture<>());
        counts.add(count);
        return count.reply();
    }

    /** Removes and returns the oldest request for counts; null if there is none. */
    @Nullable
    Count takeCount() {
        return counts.poll();
    }

    @Override
    public boolean destroy(String name, long incarnation) {
        failIfAsked();
        runNext(beforeDestroy);
        return cluster.destroy(name, incarnation);
    }

    /** Returns the digit at the end of the name. */
    @Override
    public int partitionOf(String name) {
        return partition(name);
    }

    private static int partition(String name) {
        return name.charAt(name.length() - 1) - '0';
    }

    Grant grantOf(String name) {
        return Objects.requireNonNull(grants.get(name));
    }

    void destroyUnheard(String name, long incarnation) {
        cluster.destroyUnheard(name, incarnation);
    }

    void takeAway(String name) {
        cluster.takeAway(name, grantOf(name));
    }

    int renewalCount() {
        return renewals.size();
    }

    /** Removes and returns the oldest pending request for renewals, which the test completes itself. */
    Renewal takeRenewal() {
        return renewals.remove();
    }

    Renewal takeRenewalOf(int partitionId) {
        Renewal renewal = renewals.stream()
                .filter(candidate -> candidate.partitionId() == partitionId)
                .findFirst()
                .orElseThrow();
        renewals.remove(renewal);
        return renewal;
    }

    /** Makes the owner decide on a request, without delivering its replies. */
    List<RenewReply> decide(Renewal renewal) {
        return cluster.renew(renewal.requests());
    }

    /** Makes the owner answer the oldest pending request. */
    Renewal answerRenewal() {
        Renewal renewal = takeRenewal();
        renewal.reply().complete(decide(renewal));
        return renewal;
    }

    void failRenewal(RuntimeException with) {
        takeRenewal().reply().completeExceptionally(with);
    }
}
