// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message between a client and a member: the ID of a cluster and the content, in one byte array.
 *
 * @param clusterId in a request, the cluster that answered the client last, to which the client's grants belong; null
 *     before the first answer. In an answer or event, the cluster of the member that sends it
 */
public record ClientEnvelope<T>(@Nullable UUID clusterId, T content) {
    /** Returns the reader of an envelope whose content has the given form. */
    public static <T> Form.Reader<ClientEnvelope<T>> reader(Form<T> content) {
        return in -> {
            UUID clusterId = in.value(Form.ID.nullable());
            T value = in.value(content);
            in.requireEnd();
            return new ClientEnvelope<>(clusterId, value);
        };
    }

    /** Returns the bytes of this envelope; {@code out} must be an empty output. */
    public byte[] write(ObjectDataOutput out, Form<T> form) {
        try {
            out.writeByte(WireInput.VERSION);
            Form.ID.writeNullable(out, clusterId);
            form.write(out, content);
            return out.toByteArray();
        } catch (IOException e) {
            String kind = content.getClass().getSimpleName();
            throw new HazelcastSerializationException("a message cannot be written: " + kind, e);
        }
    }
}
