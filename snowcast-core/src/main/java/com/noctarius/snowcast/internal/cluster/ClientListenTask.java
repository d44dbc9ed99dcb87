// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.task.AbstractAddListenerMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.wire.ClientRequest;
import java.security.Permission;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes a client hear of destructions. Every member hears of each: so it is enough that each tells the clients that
 * asked it, whether they asked one member or all.
 */
final class ClientListenTask extends AbstractAddListenerMessageTask<byte[]> {
    /** Of our own: the one that is inherited has another type in Hazelcast 5.4, and would not link there. */
    private final NodeEngineImpl engine;

    private final UUID registrationId = UUID.randomUUID();

    ClientListenTask(ClientMessage message, Node node, Connection connection) {
        super(message, node, connection);
        this.engine = node.getNodeEngine();
    }

    private SnowcastService service() {
        return engine.getService(SnowcastService.NAME);
    }

    @Override
    protected byte[] decodeClientMessage(ClientMessage message) {
        return ClientPayload.of(message);
    }

    @Override
    protected CompletableFuture<UUID> processInternal() {
        service().addClientListener(registrationId, this::tell);
        return CompletableFuture.completedFuture(registrationId);
    }

    private void tell(byte[] destroyed) {
        if (endpoint.isAlive()) {
            sendClientMessage(ClientPayload.event(ClientRequest.LISTEN, destroyed));
        } else {
            // It went before the action that is to remove the registration was there.
            service().removeClientListener(registrationId);
        }
    }

    @Override
    protected void addDestroyAction(UUID id) {
        endpoint.addDestroyAction(id, () -> service().removeClientListener(id));
    }

    @Override
    protected ClientMessage encodeResponse(Object response) {
        return ClientPayload.response(
                ClientRequest.LISTEN, service().clientRequests().encodeRegistration((UUID) response));
    }

    @Override
    public String getServiceName() {
        return SnowcastService.NAME;
    }

    @Override
    public @Nullable String getDistributedObjectName() {
        return null;
    }

    @Override
    public @Nullable String getMethodName() {
        return null;
    }

    @Override
    public Object @Nullable [] getParameters() {
        return null;
    }

    @Override
    public @Nullable Permission getRequiredPermission() {
        return null;
    }

    @Override
    protected @Nullable String getUserCodeNamespace() {
        return null;
    }
}
