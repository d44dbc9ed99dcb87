// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.task.AbstractAsyncMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.wire.Call;
import java.security.Permission;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers one message of a client. */
final class ClientRequestTask extends AbstractAsyncMessageTask<byte[], byte[]> {
    private final Call<?, ?> call;
    /** Of our own: the one that is inherited has another type in Hazelcast 5.4, and would not link there. */
    private final NodeEngineImpl engine;

    ClientRequestTask(Call<?, ?> call, ClientMessage message, Node node, Connection connection) {
        super(message, node, connection);
        this.call = call;
        this.engine = node.getNodeEngine();
    }

    @Override
    protected byte[] decodeClientMessage(ClientMessage message) {
        return ClientPayload.of(message);
    }

    @Override
    protected CompletableFuture<byte[]> processInternal() {
        SnowcastService service = engine.getService(SnowcastService.NAME);
        ClientRequests requests = service.clientRequests();
        return call == Call.LISTEN
                ? CompletableFuture.completedFuture(listen(requests))
                : requests.answer(call, parameters);
    }

    /** Every member hears of each event: so it is enough that each tells the clients that asked it. */
    private byte[] listen(ClientRequests requests) {
        UUID registrationId = UUID.randomUUID();
        byte[] answer = requests.listen(registrationId, parameters, event -> {
            if (endpoint.isAlive()) {
                sendClientMessage(ClientPayload.event(call, event));
            } else {
                requests.forget(registrationId);
            }
        });
        endpoint.addDestroyAction(registrationId, () -> requests.forget(registrationId));
        return answer;
    }

    @Override
    protected ClientMessage encodeResponse(Object response) {
        return ClientPayload.answer(call, (byte[]) response);
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
