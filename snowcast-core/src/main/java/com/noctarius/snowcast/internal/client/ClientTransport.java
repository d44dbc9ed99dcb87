// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.Client;
import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.client.properties.ClientProperty;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.hazelcast.HolderId;
import com.noctarius.snowcast.internal.leases.ClusterCoordinator;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The transport of a client: sends requests as messages of the client protocol. A batch goes to one member, which
 * forwards its parts. If the member leaves, Hazelcast sends the message again, which is safe because requests are
 * idempotent.
 */
final class ClientTransport extends ClusterCoordinator {
    /**
     * Makes an invocation on the partition's owner, or on any member if the client is not connected to the owner.
     * Looked up by reflection, because the type of the first parameter is an interface from Hazelcast 5.5 on.
     */
    private static final Constructor<?> INVOCATION = Arrays.stream(ClientInvocation.class.getConstructors())
            .filter(each -> each.getParameterCount() == 4 && each.getParameterTypes()[3] == int.class)
            .findAny()
            .orElseThrow(
                    () -> new IllegalStateException("this version of Hazelcast has no invocations that snowcast knows: "
                            + Arrays.toString(ClientInvocation.class.getConstructors())));

    private static final long MAX_OFFLINE_TRY_MILLIS = 1_000;

    private final HazelcastClientInstanceImpl client;
    private final ClientMessages messages;
    private final ClusterListener listener;
    private final long timeoutMillis;

    ClientTransport(HazelcastClientInstanceImpl client, ClientMessages messages, ClusterListener listener) {
        this.client = client;
        this.messages = messages;
        this.listener = listener;
        this.timeoutMillis =
                client.getProperties().getPositiveMillisOrDefault(ClientProperty.INVOCATION_TIMEOUT_SECONDS);
    }

    @Override
    protected void prepare(RequestType<?, ?> type, String subject) {
        // A client that is being shut down still releases its node IDs.
        if (!type.equals(RequestType.DETACH) && !client.getLifecycleService().isRunning()) {
            throw new SnowcastStateException(subject + ": the HazelcastInstance was shut down");
        }
        if (type.equals(RequestType.ATTACH)) {
            // Register the listener before the grant arrives, because the sequencer may be destroyed at once.
            listener.register(subject);
        }
    }

    @Override
    public <Q, A> CompletableFuture<A> send(RequestType<Q, A> type, Q request, long tryMillis) {
        ClientInvocation invocation;
        try {
            String name = type.namesOf().apply(request).get(0);
            invocation = invocation(messages.request(type, request), partitionOf(name));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e); // The client has no partition table before it was connected.
        }
        // Try for less than the caller's time-out, as on a member, so that the caller receives the reason of a failure.
        invocation.setInvocationTimeoutMillis(tryMillisOf(type, tryMillis) * 4 / 5);
        return invocation.invoke().thenApplyAsync(response -> messages.answer(type, response), Runnable::run);
    }

    /** Limits the time of a detach request of an unconnected client, so that it delays a shutdown only briefly. */
    private long tryMillisOf(RequestType<?, ?> type, long tryMillis) {
        return type.equals(RequestType.DETACH)
                        && client.getConnectionManager().getActiveConnections().isEmpty()
                ? Math.min(tryMillis, MAX_OFFLINE_TRY_MILLIS)
                : tryMillis;
    }

    private ClientInvocation invocation(ClientMessage message, int partitionId) {
        try {
            return (ClientInvocation) INVOCATION.newInstance(client, message, "snowcast", partitionId);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("not made: " + INVOCATION, e);
        }
    }

    @Override
    public int partitionOf(String name) {
        return client.getClientPartitionService().getPartitionId(StringPartitioningStrategy.getPartitionKey(name));
    }

    @Override
    public UUID newHolder() {
        Client own = client.getLocalEndpoint();
        return HolderId.at(own.getSocketAddress(), own.getUuid());
    }

    @Override
    public long timeoutMillis() {
        return timeoutMillis;
    }

    @Override
    protected Map<String, Object> userContext() {
        return client.getUserContext();
    }
}
