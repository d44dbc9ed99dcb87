// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.HazelcastSerializationException;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of a message between a client and a member, in one byte array.
 *
 * @param clusterId in a request, the cluster that the client's grants come from, null before it has any; in an answer
 *     or an event, the cluster that the member belongs to, which does not recognize the grants of another cluster
 */
public record ClientEnvelope<T>(@Nullable UUID clusterId, T content) {
    /** Returns the reader of an envelope with such content. */
    public static <T> Form.Reader<ClientEnvelope<T>> reader(Form<T> content) {
        return in -> {
            UUID clusterId = in.value(Form.ID.nullable());
            T value = in.value(content);
            in.requireEnd();
            return new ClientEnvelope<>(clusterId, value);
        };
    }

    /** Returns the bytes of this envelope; {@code out} is an output that nothing was written to. */
    public byte[] write(ObjectDataOutput out, Form<T> form) {
        try {
            out.writeByte(WireVersion.CURRENT);
            Form.ID.writeNullable(out, clusterId);
            form.write(out, content);
            return out.toByteArray();
        } catch (IOException e) {
            String kind = content.getClass().getSimpleName();
            throw new HazelcastSerializationException("a message cannot be written: " + kind, e);
        }
    }
}
