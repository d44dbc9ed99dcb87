// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The wire format of a type: a writer, and a reader that rejects input that the writer cannot have written. */
public record Form<T>(Writer<T> writer, Reader<T> reader) {
    private static final MethodType OF_OBJECTS = MethodType.methodType(Object.class, Object.class);

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

    record Field(String name, Form<?> form) {}

    static Field field(String name, Form<?> form) {
        return new Field(name, form);
    }

    /**
     * Returns the form of a public record: the components in the order of their declaration, which is therefore part of
     * the wire format. One list of fields defines both the writing and the reading of a record, so the two cannot
     * differ. The list names the components, so that two components of one type cannot be swapped by mistake.
     *
     * @throws IllegalArgumentException if the fields are not the record's components in their order
     */
    @SuppressWarnings("unchecked") // The record's accessors and its constructor check the types.
    static <T extends Record> Form<T> ofRecord(Class<? super T> type, Field... fields) {
        RecordComponent[] components = type.getRecordComponents();
        List<String> names = Arrays.stream(fields).map(Field::name).toList();
        List<String> allowed =
                Arrays.stream(components).map(RecordComponent::getName).toList();
        if (!names.equals(allowed)) {
            throw new IllegalArgumentException("fields of " + type + " must be " + allowed + ": " + names);
        }
        Form<?>[] forms = Arrays.stream(fields).map(Field::form).toArray(Form<?>[]::new);
        Class<?>[] types = new Class<?>[components.length];
        MethodHandle[] accessors = new MethodHandle[components.length];
        MethodHandle constructor;
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                accessors[i] = MethodHandles.publicLookup()
                        .unreflect(components[i].getAccessor())
                        .asType(OF_OBJECTS);
            }
            constructor = MethodHandles.publicLookup()
                    .findConstructor(type, MethodType.methodType(void.class, types))
                    .asSpreader(Object[].class, forms.length)
                    .asType(OF_OBJECTS);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
        return new Form<>(
                (out, value) -> {
                    for (int i = 0; i < forms.length; i++) {
                        ((Form<Object>) forms[i]).write(out, call(accessors[i], value));
                    }
                },
                in -> {
                    Object[] values = new Object[forms.length];
                    for (int i = 0; i < forms.length; i++) {
                        values[i] = in.value(forms[i]);
                    }
                    return (T) call(constructor, values);
                });
    }

    private static Object call(MethodHandle handle, Object argument) {
        try {
            return (Object) handle.invokeExact(argument);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // Constructors and accessors of records declare no checked exception.
        }
    }
}
