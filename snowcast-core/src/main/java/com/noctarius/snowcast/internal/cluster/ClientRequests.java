// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.hazelcast.spi.impl.NodeEngine;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Answers what clients ask, as a member's own requests are answered. Whatever member a request reaches sends it on to the
 * partition's owner by its own table, and answers when the backups have acknowledged: so nothing depends on which members a
 * client sees, or whether acknowledgements reach it. Thread-safe.
 */
final class ClientRequests {
    private final NodeEngine nodeEngine;
    private final MemberCalls calls;
    private final Map<UUID, Listener> listeners = new ConcurrentHashMap<>();

    private record Listener(int version, Consumer<byte[]> events) {}

    ClientRequests(NodeEngine nodeEngine, MemberCalls calls) {
        this.nodeEngine = nodeEngine;
        this.calls = calls;
    }

    /**
     * Carries out a request and returns the answer, both as they are sent; does not block.
     *
     * @throws com.hazelcast.nio.serialization.HazelcastSerializationException if the request cannot be read
     */
    <Q, A> CompletableFuture<byte[]> answer(Call<Q, A> call, byte[] payload) {
        ClientEnvelope<Q> request = read(call, payload);
        A answer =
                clusterId().equals(request.clusterId()) ? null : call.route().answerOfAnotherCluster(request.content());
        return (answer == null
                        ? calls.send(call, request.content(), calls.timeoutMillis())
                        : CompletableFuture.completedFuture(answer))
                .thenApply(value -> encode(request.version(), call.answer(), value));
    }

    private <Q> ClientEnvelope<Q> read(Call<Q, ?> call, byte[] payload) {
        return WireInput.read(
                serialization().createObjectDataInput(payload),
                "a client's " + call,
                ClientEnvelope.reader(call.request()));
    }

    /** Adds a listener that takes events as they are sent, and returns the answer to the client that asked for it. */
    byte[] listen(UUID registrationId, byte[] payload, Consumer<byte[]> listener) {
        int version = read(Call.LISTEN, payload).version();
        listeners.put(registrationId, new Listener(version, listener));
        return encode(version, Call.LISTEN.answer(), registrationId);
    }

    /** Returns whether there was such a listener. */
    boolean forget(UUID registrationId) {
        return listeners.remove(registrationId) != null;
    }

    /** Tells the clients that are connected to this member. Does not block. */
    void tell(ClusterEvent event) {
        for (Listener listener : listeners.values()) {
            listener.events.accept(encode(listener.version, ClusterEvent.FORM, event));
        }
    }

    private <T> byte[] encode(int version, Form<T> form, T value) {
        try (BufferObjectDataOutput out = serialization().createObjectDataOutput()) {
            new ClientEnvelope<>(version, clusterId(), value).write(out, form);
            return out.toByteArray();
        } catch (IOException e) {
            throw new HazelcastSerializationException("a message to a client cannot be written", e);
        }
    }

    private UUID clusterId() {
        return nodeEngine.getClusterService().getClusterId();
    }

    private InternalSerializationService serialization() {
        return (InternalSerializationService) nodeEngine.getSerializationService();
    }
}
