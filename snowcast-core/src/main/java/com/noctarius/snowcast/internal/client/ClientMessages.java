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
import com.noctarius.snowcast.internal.wire.ClientReply;
import com.noctarius.snowcast.internal.wire.ClientRequest;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;

/** The client's end of messages that carry one byte array. */
final class ClientMessages {
    private static final int NO_PARTITION = -1;

    private final InternalSerializationService serialization;

    ClientMessages(InternalSerializationService serialization) {
        this.serialization = serialization;
    }

    /** Makes a request, which may be sent again when its answer was lost: all of ours have one effect then, too. */
    <T> ClientMessage request(ClientRequest request, T value, Wire.Writer<T> writer) {
        byte[] header = new byte[PARTITION_ID_FIELD_OFFSET + Integer.BYTES];
        encodeInt(header, TYPE_FIELD_OFFSET, request.requestType());
        encodeInt(header, PARTITION_ID_FIELD_OFFSET, NO_PARTITION);
        ClientMessage message = ClientMessage.createForEncode();
        message.setRetryable(true);
        message.setOperationName("Snowcast." + request);
        message.add(new ClientMessage.Frame(header, UNFRAGMENTED_MESSAGE));
        ByteArrayCodec.encode(message, encode(value, writer));
        return message;
    }

    private <T> byte[] encode(T value, Wire.Writer<T> writer) {
        try (BufferObjectDataOutput out = serialization.createObjectDataOutput()) {
            Wire.writeVersion(out);
            writer.write(out, value);
            return out.toByteArray();
        } catch (IOException e) {
            throw new HazelcastSerializationException("a request cannot be written", e);
        }
    }

    /** Reads an answer. */
    <T> ClientReply<T> reply(ClientMessage message, Wire.Reader<T> reader) {
        return read(message, in -> Wire.readReply(in, reader));
    }

    /** Reads an event. */
    <T> T event(ClientMessage message, Wire.Reader<T> reader) {
        return read(message, in -> {
            Wire.readVersion(in);
            return reader.read(in);
        });
    }

    private <T> T read(ClientMessage message, Wire.Reader<T> reader) {
        ClientMessage.ForwardFrameIterator frames = message.frameIterator();
        frames.next();
        try {
            return reader.read(serialization.createObjectDataInput(ByteArrayCodec.decode(frames)));
        } catch (IOException e) {
            throw new HazelcastSerializationException("a message of the cluster cannot be read", e);
        }
    }
}
