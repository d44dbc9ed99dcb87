// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.owner.AttachRequest;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.tests.Await;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An attach request that the owner has executed but not yet answered. */
public final class HeldAnswer {
    private final HazelcastInstance owner;
    private final RequestOperation operation;

    private HeldAnswer(HazelcastInstance owner, RequestOperation operation) {
        this.owner = owner;
        this.operation = operation;
    }

    /** Lets the owner execute an attach request of a new holder, for a sequencer with one backup. */
    public static HeldAnswer of(HazelcastInstance owner, String name, SnowcastEpoch epoch) {
        NodeEngineImpl nodeEngine = Accessors.getNodeEngineImpl(owner);
        Definition definition = new Definition(epoch.getEpochOffset(), SnowcastLayout.DEFAULT, 1, null);
        RequestOperation operation = new RequestOperation(
                RequestType.ATTACH,
                new AttachRequest(name, definition, 0, UUID.randomUUID(), 1, System.currentTimeMillis(), 0, -1));
        operation.setPartitionId(nodeEngine.getPartitionService().getPartitionId(name));
        operation.setNodeEngine(nodeEngine);
        HeldAnswer held = new HeldAnswer(owner, operation);
        // The owner refuses until the members have confirmed each other.
        Await.until("it runs", () -> held.onPartition(operation::run).isEmpty());
        return held;
    }

    /** Prepares the owner for a merge in which it is on the losing side. */
    public void leave() {
        Members.service(owner).prepareMergeRunnable();
    }

    /** Lets the owner answer the attach. Returns the exception if the owner refuses instead. */
    public Optional<RuntimeException> refusal() {
        return onPartition(operation::getResponse);
    }

    private Optional<RuntimeException> onPartition(Runnable action) {
        return Optional.ofNullable(
                Replicas.onPartition(owner, operation.getPartitionId(), container -> failureOf(action)));
    }

    private static @Nullable RuntimeException failureOf(Runnable action) {
        try {
            action.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }
}
