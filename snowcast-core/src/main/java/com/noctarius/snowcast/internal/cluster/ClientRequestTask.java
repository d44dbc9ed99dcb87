// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.client.impl.protocol.task.AbstractAsyncMessageTask;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.security.SecurityContext;
import com.hazelcast.security.permission.ActionConstants;
import com.hazelcast.security.permission.FlakeIdGeneratorPermission;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.RequestType;
import java.security.Permission;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers one message of a client, on a member. Requests, answers and events carry one byte array each. */
final class ClientRequestTask<Q, A> extends AbstractAsyncMessageTask<ClientEnvelope<Q>, byte[]> {
    private static final int NO_PARTITION = -1;

    private static final String[] CREATE_AND_USE = {ActionConstants.ACTION_CREATE, ActionConstants.ACTION_MODIFY};
    private static final String[] USE = {ActionConstants.ACTION_MODIFY};
    private static final String[] DESTROY = {ActionConstants.ACTION_DESTROY};

    /**
     * The permissions that a client's calls need if Hazelcast Enterprise checks them: those for a Flake ID generator of
     * the same name, because Hazelcast has none for other libraries. Every client may listen to all events.
     */
    private static final Map<RequestType<?, ?>, String[]> PERMITTED_BY = Map.of(
            RequestType.ATTACH, CREATE_AND_USE,
            RequestType.RENEW, USE,
            RequestType.DETACH, USE,
            RequestType.DESTROY, DESTROY,
            RequestType.COUNT, USE,
            RequestType.CLUSTER_STATUS, USE);

    private final RequestType<Q, A> type;
    /** The inherited field has another type in Hazelcast 5.4, so that code that uses it would not link there. */
    private final NodeEngineImpl engine;

    ClientRequestTask(RequestType<Q, A> type, ClientMessage message, Node node, Connection connection) {
        super(message, node, connection);
        this.type = type;
        this.engine = node.getNodeEngine();
    }

    @Override
    protected ClientEnvelope<Q> decodeClientMessage(ClientMessage message) {
        ClientMessage.ForwardFrameIterator frames = message.frameIterator();
        frames.next();
        return requests().read(type, frames.hasNext() ? ByteArrayCodec.decode(frames) : new byte[0]);
    }

    private ClientRequests requests() {
        SnowcastService service = engine.getService(SnowcastService.NAME);
        return service.clientRequests;
    }

    /** Returns one permission for each name in the request, in the order of the names; none if this type needs none. */
    private Stream<Permission> permissions() {
        String[] actions = PERMITTED_BY.get(type);
        return actions == null
                ? Stream.of()
                : type.namesOf().apply(parameters.content()).stream()
                        .distinct()
                        .map(name -> new FlakeIdGeneratorPermission(name, actions));
    }

    /** Checks the permissions for a batch. Hazelcast itself checks the first one ({@link #getRequiredPermission}). */
    @Override
    protected void beforeProcess() {
        SecurityContext security = clientEngine.getSecurityContext();
        if (security != null) {
            permissions().skip(1).forEach(permission -> security.checkPermission(endpoint.getSubject(), permission));
        }
    }

    @Override
    protected CompletableFuture<byte[]> processInternal() {
        return type.equals(RequestType.LISTEN)
                ? CompletableFuture.completedFuture(listen(requests()))
                : requests().answer(type, parameters);
    }

    /** Registers a client for events, which every member sends to its registered clients. */
    private byte[] listen(ClientRequests requests) {
        requests.listeners.putIfAbsent(endpoint, event -> {
            if (endpoint.isAlive()) {
                sendClientMessage(encodeEvent(event));
            } else {
                requests.listeners.remove(endpoint);
            }
        });
        UUID registrationId = endpoint.getUuid();
        endpoint.addDestroyAction(registrationId, () -> requests.listeners.remove(endpoint) != null);
        return requests.encode(RequestType.LISTEN.answer(), registrationId);
    }

    @Override
    protected ClientMessage encodeResponse(Object response) {
        int headerBytes = ClientMessage.RESPONSE_BACKUP_ACKS_FIELD_OFFSET + Byte.BYTES;
        return message(type.answerType(), headerBytes, ClientMessage.UNFRAGMENTED_MESSAGE, (byte[]) response);
    }

    private ClientMessage encodeEvent(byte[] event) {
        int headerBytes = ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES;
        int flags = ClientMessage.UNFRAGMENTED_MESSAGE | ClientMessage.IS_EVENT_FLAG;
        ClientMessage message = message(type.eventType(), headerBytes, flags, event);
        message.setPartitionId(NO_PARTITION);
        return message;
    }

    private static ClientMessage message(int type, int headerBytes, int flags, byte[] payload) {
        ClientMessage message = ClientMessage.createForEncode();
        message.add(new ClientMessage.Frame(new byte[headerBytes], flags));
        message.setMessageType(type);
        ByteArrayCodec.encode(message, payload);
        return message;
    }

    @Override
    public String getServiceName() {
        return SnowcastService.NAME;
    }

    @Override
    public @Nullable String getDistributedObjectName() {
        return type.namesOf().apply(parameters.content()).stream().findFirst().orElse(null);
    }

    @Override
    public String getMethodName() {
        return type.toString();
    }

    @Override
    public Object[] getParameters() {
        return new Object[] {parameters.content()};
    }

    @Override
    public @Nullable Permission getRequiredPermission() {
        return permissions().findFirst().orElse(null);
    }
}
