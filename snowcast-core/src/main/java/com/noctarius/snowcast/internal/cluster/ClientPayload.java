// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static com.hazelcast.client.impl.protocol.ClientMessage.IS_EVENT_FLAG;
import static com.hazelcast.client.impl.protocol.ClientMessage.PARTITION_ID_FIELD_OFFSET;
import static com.hazelcast.client.impl.protocol.ClientMessage.RESPONSE_BACKUP_ACKS_FIELD_OFFSET;
import static com.hazelcast.client.impl.protocol.ClientMessage.TYPE_FIELD_OFFSET;
import static com.hazelcast.client.impl.protocol.ClientMessage.UNFRAGMENTED_MESSAGE;
import static com.hazelcast.client.impl.protocol.codec.builtin.FixedSizeTypesCodec.encodeInt;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.builtin.ByteArrayCodec;
import com.noctarius.snowcast.internal.wire.Call;

/** The member's end of messages that carry one byte array. */
final class ClientPayload {
    private static final int NO_PARTITION = -1;

    private ClientPayload() {}

    /** Returns what a request carries. */
    static byte[] of(ClientMessage request) {
        ClientMessage.ForwardFrameIterator frames = request.frameIterator();
        frames.next();
        return ByteArrayCodec.decode(frames);
    }

    /** Makes the answer to a request. */
    static ClientMessage answer(Call<?, ?> call, byte[] payload) {
        byte[] header = new byte[RESPONSE_BACKUP_ACKS_FIELD_OFFSET + Byte.BYTES];
        encodeInt(header, TYPE_FIELD_OFFSET, call.answerType());
        return message(header, UNFRAGMENTED_MESSAGE, payload);
    }

    /** Makes an event for those who asked for it. */
    static ClientMessage event(Call<?, ?> call, byte[] payload) {
        byte[] header = new byte[PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
        encodeInt(header, TYPE_FIELD_OFFSET, call.eventType());
        encodeInt(header, PARTITION_ID_FIELD_OFFSET, NO_PARTITION);
        return message(header, UNFRAGMENTED_MESSAGE | IS_EVENT_FLAG, payload);
    }

    private static ClientMessage message(byte[] header, int flags, byte[] payload) {
        ClientMessage message = ClientMessage.createForEncode();
        message.add(new ClientMessage.Frame(header, flags));
        ByteArrayCodec.encode(message, payload);
        return message;
    }
}
