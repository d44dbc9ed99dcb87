// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.noctarius.snowcast.internal.wire.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An operation's answer: a value of the protocol, or null. */
final class Reply<T> implements IdentifiedDataSerializable {
    private final int classId;
    private final Wire.Writer<T> writer;
    private final Wire.Reader<T> reader;
    private @Nullable T value;

    Reply(int classId, Wire.Writer<T> writer, Wire.Reader<T> reader, @Nullable T value) {
        this.classId = classId;
        this.writer = writer;
        this.reader = reader;
        this.value = value;
    }

    @Nullable
    T value() {
        return value;
    }

    @Override
    public int getFactoryId() {
        return SnowcastDataSerializerHook.FACTORY_ID;
    }

    @Override
    public int getClassId() {
        return classId;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        Wire.writeVersion(out);
        Wire.writeNullable(out, value, writer);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        Wire.readVersion(in);
        value = Wire.readNullable(in, reader);
    }
}
