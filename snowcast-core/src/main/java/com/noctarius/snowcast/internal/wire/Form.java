// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a type are sent: what writes them, and what reads them and refuses everything that is not written so.
 *
 * @param writer writes a value
 * @param reader reads a value, or throws
 */
public record Form<T>(Writer<T> writer, Reader<T> reader) {
    /** Writes a value. */
    public interface Writer<T> {
        void write(ObjectDataOutput out, T value) throws IOException;
    }

    /** Reads a value; what it throws, of whatever kind, reaches nobody but as a failure to read the message. */
    public interface Reader<T> {
        T read(WireInput in) throws IOException;
    }

    /** Writes a value. */
    public void write(ObjectDataOutput out, T value) throws IOException {
        writer.write(out, value);
    }

    /** Writes a value or that there is none. */
    void writeNullable(ObjectDataOutput out, @Nullable T value) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            writer.write(out, value);
        }
    }

    /** Returns the form of a value that may be missing. */
    Form<Optional<T>> optional() {
        return new Form<>(
                (out, value) -> writeNullable(out, value.orElse(null)), in -> Optional.ofNullable(in.nullable(this)));
    }

    /** Returns the form of a list whose length is limited by the length of the message only. */
    Form<List<T>> list() {
        return list(Integer.MAX_VALUE);
    }

    /** Returns the form of a list of at most so many values. */
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
