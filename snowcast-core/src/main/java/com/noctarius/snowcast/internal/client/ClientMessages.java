// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.internal.wire.WireInput;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes a client's messages. Also detects when another cluster answers. The client's grants are not valid
 * in another cluster, where other holders may have the same node IDs.
 */
final class ClientMessages {
    private static final int NO_PARTITION = -1;

    private final InternalSerializationService serialization;
    /** Called when another cluster answers; must not block. */
    private final Runnable clusterChanged;

    /** The cluster that answered last; null before the first answer. */
    private final AtomicReference<@Nullable UUID> clusterId = new AtomicReference<>();

    ClientMessages(InternalSerializationService serialization, Runnable clusterChanged) {
        this.serialization = serialization;
        this.clusterChanged = clusterChanged;
    }

    /** Makes a request, which Hazelcast may send again if no answer arrives, because requests are idempotent. */
    <Q> ClientMessage request(RequestType<Q, ?> type, Q content) {
        byte[] header = new byte[ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
        ClientMessage message = ClientMessage.createForEncode();
        message.setRetryable(true);
        message.setOperationName("Snowcast." + type);
        message.add(new ClientMessage.Frame(header, ClientMessage.UNFRAGMENTED_MESSAGE));
        message.setMessageType(type.requestType());
        message.setPartitionId(NO_PARTITION);
        ClientEnvelope<Q> envelope = new ClientEnvelope<>(clusterId.get(), content);
        ByteArrayCodec.encode(message, envelope.write(serialization.createObjectDataOutput(), type.request()));
        return message;
    }

    /** Reads an answer, and records the cluster that has sent it. */
    <A> A answer(RequestType<?, A> type, ClientMessage message) {
        ClientEnvelope<A> answer = read(message, "the answer to " + type, type.answer());
        UUID before = clusterId.getAndSet(answer.clusterId());
        if (before != null && !before.equals(answer.clusterId())) {
            clusterChanged.run();
        }
        return answer.content();
    }

    /** Reads an event; returns null if it comes from another cluster than the last answer. */
    @Nullable
    ClusterEvent event(ClientMessage message) {
        ClientEnvelope<ClusterEvent> event = read(message, "an event", ClusterEvent.FORM);
        UUID present = clusterId.get();
        return present == null || present.equals(event.clusterId()) ? event.content() : null;
    }

    private <T> ClientEnvelope<T> read(ClientMessage message, String what, Form<T> form) {
        ClientMessage.ForwardFrameIterator frames = message.frameIterator();
        frames.next();
        return WireInput.read(
                serialization.createObjectDataInput(ByteArrayCodec.decode(frames)), what, ClientEnvelope.reader(form));
    }
}
