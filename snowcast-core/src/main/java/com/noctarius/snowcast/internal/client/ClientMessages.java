// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import static com.hazelcast.client.impl.protocol.ClientMessage.PARTITION_ID_FIELD_OFFSET;
import static com.hazelcast.client.impl.protocol.ClientMessage.TYPE_FIELD_OFFSET;
import static com.hazelcast.client.impl.protocol.ClientMessage.UNFRAGMENTED_MESSAGE;
import static com.hazelcast.client.impl.protocol.codec.builtin.FixedSizeTypesCodec.encodeInt;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import com.noctarius.snowcast.internal.wire.Call;
import com.noctarius.snowcast.internal.wire.ClientEnvelope;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Form;
import com.noctarius.snowcast.internal.wire.WireInput;
import com.noctarius.snowcast.internal.wire.WireVersion;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The client's end of messages that carry one byte array. */
final class ClientMessages {
    private static final int NO_PARTITION = -1;

    private final InternalSerializationService serialization;

    ClientMessages(InternalSerializationService serialization) {
        this.serialization = serialization;
    }

    /**
     * Makes a request, which may be sent again when its answer was lost: all of ours have one effect then, too.
     *
     * @param clusterId the cluster that this client's grants come from; null before it has any
     */
    <Q> ClientMessage request(Call<Q, ?> call, @Nullable UUID clusterId, Q content) {
        byte[] header = new byte[PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
        encodeInt(header, TYPE_FIELD_OFFSET, call.requestType());
        encodeInt(header, PARTITION_ID_FIELD_OFFSET, NO_PARTITION);
        ClientMessage message = ClientMessage.createForEncode();
        message.setRetryable(true);
        message.setOperationName("Snowcast." + call);
        message.add(new ClientMessage.Frame(header, UNFRAGMENTED_MESSAGE));
        try (BufferObjectDataOutput out = serialization.createObjectDataOutput()) {
            new ClientEnvelope<>(WireVersion.NEWEST, clusterId, content).write(out, call.request());
            ByteArrayCodec.encode(message, out.toByteArray());
        } catch (IOException e) {
            throw new HazelcastSerializationException("a request cannot be written: " + call, e);
        }
        return message;
    }

    /** Reads an answer. */
    <A> ClientEnvelope<A> answer(Call<?, A> call, ClientMessage message) {
        return read(message, "the answer to " + call, call.answer());
    }

    /** Reads an event. */
    ClusterEvent event(ClientMessage message) {
        return read(message, "an event", ClusterEvent.FORM).content();
    }

    private <T> ClientEnvelope<T> read(ClientMessage message, String what, Form<T> form) {
        ClientMessage.ForwardFrameIterator frames = message.frameIterator();
        frames.next();
        return WireInput.read(
                serialization.createObjectDataInput(ByteArrayCodec.decode(frames)), what, ClientEnvelope.reader(form));
    }
}
