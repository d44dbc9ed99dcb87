// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.task.AbstractAsyncMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.wire.ClientRequest;
import java.security.Permission;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers one message of a client. */
final class ClientRequestTask extends AbstractAsyncMessageTask<byte[], byte[]> {
    private final ClientRequest request;
    /** Of our own: the one that is inherited has another type in Hazelcast 5.4, and would not link there. */
    private final NodeEngineImpl engine;

    ClientRequestTask(ClientRequest request, ClientMessage message, Node node, Connection connection) {
        super(message, node, connection);
        this.request = request;
        this.engine = node.getNodeEngine();
    }

    @Override
    protected byte[] decodeClientMessage(ClientMessage message) {
        return ClientPayload.of(message);
    }

    @Override
    protected CompletableFuture<byte[]> processInternal() {
        SnowcastService service = engine.getService(SnowcastService.NAME);
        return service.clientRequests().answer(request, parameters);
    }

    @Override
    protected ClientMessage encodeResponse(Object response) {
        return ClientPayload.response(request, (byte[]) response);
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
}
