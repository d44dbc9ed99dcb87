// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.owner.OwnerContext;
import com.noctarius.snowcast.internal.owner.PartitionContainer;
import com.noctarius.snowcast.internal.owner.TableRules;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A partition whose time, owners and losses are driven by hand: the containers and the handlers are a member's, and
 * each request is written and read as a client's message is.
 */
final class HandDrivenPartition {
    static final int REPLICAS = 3;

    private final InternalSerializationService serialization;
    private final GrantBounds bounds;
    /** By index; the first is the owner's. */
    private final List<PartitionContainer> replicas = new ArrayList<>();

    private final List<Object> trace = new ArrayList<>();

    private record Asked(
            long clusterMillis, Object request, @Nullable Object answer) {}

    HandDrivenPartition(NodeEngineImpl nodeEngine, TableRules rules, LongSupplier clusterClock) {
        Settings settings = new Settings(rules, rules.leaseMillis(), List.of(), 0, null, 1, null, 5_000, 60_000, 100);
        var logger = nodeEngine.getLogger(getClass());
        OtherMembers otherMembers = new OtherMembers(
                nodeEngine, settings, HighWaterMark.NONE, SystemClock.INSTANCE, logger, PeerOperation::new);
        this.serialization = (InternalSerializationService) nodeEngine.getSerializationService();
        this.bounds = new GrantBounds(nodeEngine, clusterClock, settings, otherMembers, null, logger);
        goOn(bounds.newContainer());
    }

    PartitionContainer owner() {
        return replicas.get(0);
    }

    /** Returns what happened last. */
    List<Object> trace(int count) {
        return trace.subList(Math.max(0, trace.size() - count), trace.size());
    }

    /** Has the owner handle a request and its backups join the change. */
    <Q, A> A ask(RequestType<Q, A> call, Q request) {
        try {
            A answer = handle(call, request);
            trace.add(new Asked(bounds.clusterMillis(), request, answer));
            return answer;
        } catch (RuntimeException e) {
            trace.add(new Asked(bounds.clusterMillis(), request, e));
            throw e;
        }
    }

    private <Q, A> A handle(RequestType<Q, A> call, Q request) {
        Handler<Q, A> handler = Handlers.of(call);
        Q read = RequestType.OF_CLIENTS.contains(call) ? read(call, request) : request;
        int backups = handler.backups().applyAsInt(read, owner());
        long now = bounds.clusterMillis();
        long latestIncarnation = now + bounds.rules().maxSkewMillis();
        ReplicatedChanges changes = new ReplicatedChanges(owner(), new OwnerContext(now, latestIncarnation), bounds);
        A answer = handler.action().apply(read, changes);
        for (int index = 1; index < REPLICAS && (changes.isForAllReplicas() || index <= backups); index++) {
            replicas.get(index).join(changes.snapshot().forReplica(index), null, false);
        }
        return answer;
    }

    private <Q> Q read(RequestType<Q, ?> call, Q request) {
        try (BufferObjectDataOutput out = serialization.createObjectDataOutput()) {
            new ClientEnvelope<>(null, request).write(out, call.request());
            return WireInput.read(
                            serialization.createObjectDataInput(out.toByteArray()),
                            "a client's " + call,
                            ClientEnvelope.reader(call.request()))
                    .content();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The owner is gone; a replica goes on, which counts as a loss if it lacks something. */
    void promote(int replicaIndex) {
        trace.add("replica " + replicaIndex + " is promoted");
        PartitionContainer promoted = replicas.get(replicaIndex);
        promoted.promoted(
                replicaIndex,
                PartitionContainer.newEpoch(),
                bounds.clusterMillis(),
                bounds.rules().recoveryMillis());
        goOn(promoted);
    }

    /** All replicas are gone. */
    void lose() {
        trace.add("all replicas are lost");
        goOn(bounds.lostContainer());
    }

    private void goOn(PartitionContainer owner) {
        replicas.clear();
        replicas.add(owner);
        for (int index = 1; index < REPLICAS; index++) {
            PartitionContainer backup = new PartitionContainer();
            backup.join(owner.snapshotFor(index), null, false);
            replicas.add(backup);
        }
    }
}
