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
 * The client's end of messages that carry one byte array; and which cluster answers them: what a former one granted
 * means nothing there, and others may hold the same node IDs.
 */
final class ClientMessages {
    private static final int NO_PARTITION = -1;

    private final InternalSerializationService serialization;
    /** Must not block. */
    private final Runnable clusterChanged;

    /** The cluster that answered last; null before the first answer. */
    private final AtomicReference<@Nullable UUID> clusterId = new AtomicReference<>();

    ClientMessages(InternalSerializationService serialization, Runnable clusterChanged) {
        this.serialization = serialization;
        this.clusterChanged = clusterChanged;
    }

    /** Makes a request, which may be sent again when its answer was lost: all of ours have one effect then, too. */
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

    /** Reads an answer, and notes the cluster that it comes from. */
    <A> A answer(RequestType<?, A> type, ClientMessage message) {
        ClientEnvelope<A> answer = read(message, "the answer to " + type, type.answer());
        UUID before = clusterId.getAndSet(answer.clusterId());
        if (before != null && !before.equals(answer.clusterId())) {
            clusterChanged.run();
        }
        return answer.content();
    }

    /** Reads an event; null if it is not of the cluster that answered last: its names mean nothing here. */
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
