// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A serialized message, with the positions of its numeric fields. */
final class WrittenMessage {
    /** The version byte, followed by the content. */
    private final byte[] bytes;
    /** The numeric fields in the order of the message, among them the length before each string. */
    private final List<Field> fields;

    private WrittenMessage(byte[] bytes, List<Field> fields) {
        this.bytes = bytes;
        this.fields = fields;
    }

    enum Width {
        BYTE,
        INT,
        LONG
    }

    record Field(Width width, int position) {}

    interface Content {
        void write(ObjectDataOutput out) throws IOException;
    }

    static WrittenMessage of(InternalSerializationService serialization, Content content) {
        BufferObjectDataOutput out = serialization.createObjectDataOutput();
        List<Field> fields = new ArrayList<>();
        ObjectDataOutput noting = (ObjectDataOutput) Proxy.newProxyInstance(
                WrittenMessage.class.getClassLoader(),
                new Class<?>[] {ObjectDataOutput.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("toByteArray")) {
                        fields.add(new Field(widthOf(method.getName()), out.position()));
                    }
                    return method.invoke(out, arguments);
                });
        try {
            content.write(noting);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new WrittenMessage(out.toByteArray(), fields);
    }

    private static Width widthOf(String method) {
        return switch (method) {
            case "writeByte", "writeBoolean" -> Width.BYTE;
            case "writeInt", "writeString" -> Width.INT;
            case "writeLong" -> Width.LONG;
            default -> throw new AssertionError("not known where its numbers stand: " + method);
        };
    }

    /** Returns the bytes themselves, not a copy. */
    byte[] bytes() {
        return bytes;
    }

    List<Field> fields() {
        return fields;
    }

    List<Field> fields(Width width) {
        return fields.stream().filter(field -> field.width == width).toList();
    }
}
