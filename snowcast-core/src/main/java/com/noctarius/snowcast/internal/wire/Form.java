// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The wire format of a type: a writer, and a reader that rejects input that the writer cannot have written. */
public record Form<T>(Writer<T> writer, Reader<T> reader) {
    static final Form<Boolean> BOOLEAN = new Form<>(ObjectDataOutput::writeBoolean, WireInput::bool);

    static final Form<Long> NUMBER = new Form<>(ObjectDataOutput::writeLong, WireInput::number);

    static final Form<String> NAME = new Form<>(ObjectDataOutput::writeString, WireInput::name);

    static final Form<String> TEXT = new Form<>(ObjectDataOutput::writeString, WireInput::text);

    static final Form<UUID> ID = new Form<>(
            (out, id) -> {
                out.writeLong(id.getMostSignificantBits());
                out.writeLong(id.getLeastSignificantBits());
            },
            in -> new UUID(in.number(), in.number()));

    public interface Writer<T> {
        void write(ObjectDataOutput out, T value) throws IOException;
    }

    /** Reads a value. {@link WireInput#read} reports any exception of a reader as a message that cannot be read. */
    public interface Reader<T> {
        T read(WireInput in) throws IOException;
    }

    static Form<Long> number(String what, long min, long max) {
        return new Form<>(ObjectDataOutput::writeLong, in -> in.number(what, min, max));
    }

    static Form<Integer> integer(String what, int min, int max) {
        return new Form<>(ObjectDataOutput::writeInt, in -> in.integer(what, min, max));
    }

    /** Returns the form of a number that is written as one byte. */
    static Form<Integer> small(String what, int min, int max) {
        return new Form<>(ObjectDataOutput::writeByte, in -> in.small(what, min, max));
    }

    /** Returns the form of a value in the given list. The value is written as its position in the list, in one byte. */
    static <T> Form<T> oneOf(String what, List<T> values) {
        return new Form<>(
                (out, value) -> out.writeByte(values.indexOf(value)),
                in -> values.get(in.small(what, 0, values.size() - 1)));
    }

    public void write(ObjectDataOutput out, T value) throws IOException {
        writer.write(out, value);
    }

    /** Writes whether there is a value, and then the value. */
    public void writeNullable(ObjectDataOutput out, @Nullable T value) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            writer.write(out, value);
        }
    }

    @SuppressWarnings("NullAway") // Only the record with the nullable component receives null.
    public Form<T> nullable() {
        return new Form<>(this::writeNullable, in -> in.bool() ? reader.read(in) : null);
    }

    Form<Optional<T>> optional() {
        return new Form<>(
                (out, value) -> writeNullable(out, value.orElse(null)),
                in -> in.bool() ? Optional.of(reader.read(in)) : Optional.empty());
    }

    /** Returns the form of a list whose length is limited only by the length of the message. */
    Form<List<T>> list() {
        return list(Integer.MAX_VALUE);
    }

    Form<List<T>> list(int maxCount) {
        return new Form<>(
                (out, values) -> {
                    out.writeInt(values.size());
                    for (T value : values) {
                        writer.write(out, value);
                    }
                },
                in -> in.list(this, maxCount));
    }
}
