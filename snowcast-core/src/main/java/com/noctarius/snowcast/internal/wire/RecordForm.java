// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.wire;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/**
 * The wire format of public records: the components in the order of their declaration. This order is therefore part of
 * the wire format. One list of fields defines both the writing and the reading of a record, so the two cannot differ.
 * The list names the components, so that two components of one type cannot be swapped by mistake.
 */
final class RecordForm {
    private static final MethodType OF_OBJECTS = MethodType.methodType(Object.class, Object.class);

    private RecordForm() {}

    record Field(String name, Form<?> form) {}

    static Field field(String name, Form<?> form) {
        return new Field(name, form);
    }

    /**
     * Returns the form of a record.
     *
     * @throws IllegalArgumentException if the fields are not the record's components in their order
     */
    @SuppressWarnings("unchecked") // The record's accessors and its constructor check the types.
    static <T extends Record> Form<T> of(Class<? super T> type, Field... fields) {
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
