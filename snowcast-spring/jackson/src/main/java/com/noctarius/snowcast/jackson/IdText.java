// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jackson;

import java.io.Serial;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts IDs of one Java type to text and back, in the form and with the prefix of a {@link JsonSnowcastId}. Use this
 * class to add support for {@link JsonSnowcastId} to a library. Immutable and thread-safe; no method blocks.
 */
public final class IdText implements Serializable {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final List<Class<?>> IDS = List.of(long.class, Long.class, String.class);
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{0,32}");

    /** The form in which an ID is written. */
    private final JsonSnowcastId.Form form;

    /** The text in front of each ID. */
    private final String prefix;

    /** Whether the Java type, or the only component of the record, is a {@code String}. */
    private final boolean isString;

    /** The Java type if it is a record; null if it is not. */
    private final @Nullable Class<?> record;

    /** The only component of the record; null if the type is not a record. */
    private final transient @Nullable RecordComponent component;

    private IdText(JsonSnowcastId.Form form, String prefix, Class<?> type) {
        RecordComponent only = IDS.contains(type) ? null : type.getRecordComponents()[0];
        this.form = form;
        this.prefix = prefix;
        this.isString = (only == null ? type : only.getType()) == String.class;
        this.record = only == null ? null : type;
        this.component = only;
        if (only != null) {
            only.getAccessor().setAccessible(true);
        }
    }

    /** {@return this object after deserialization, with the record's component, which is not serialized} */
    @Serial
    private Object readResolve() {
        return record == null ? this : new IdText(form, prefix, record);
    }

    /**
     * {@return the conversion for IDs of a type}
     *
     * @param annotation the annotation with the form and the prefix
     * @param type a {@code long}, {@code Long}, {@code String}, or a record with one component of these types
     * @throws IllegalArgumentException if {@code type} is none of these types, or if the prefix has more than 32
     *     characters or characters other than A-Z, a-z, 0-9, _ and -
     * @throws NullPointerException if an argument is null
     */
    public static IdText of(JsonSnowcastId annotation, Class<?> type) {
        if (!PREFIX.matcher(annotation.prefix()).matches()) {
            throw new IllegalArgumentException(
                    "@JsonSnowcastId must have a prefix of at most 32 characters of A-Z, a-z, 0-9," + " _ and -, not \""
                            + annotation.prefix() + "\"");
        }
        if (!isId(type)) {
            throw new IllegalArgumentException(
                    "@JsonSnowcastId must be on a long, Long or String, or on a record that wraps one of them, not on "
                            + type.getTypeName());
        }
        return new IdText(annotation.value(), annotation.prefix(), type);
    }

    /**
     * {@return whether {@link #of} accepts a type}
     *
     * @param type the type
     */
    public static boolean isId(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        return IDS.contains(type)
                || (components != null && components.length == 1 && IDS.contains(components[0].getType()));
    }

    /**
     * {@return the text of an ID}
     *
     * @param id a value of the type
     * @throws IllegalArgumentException if the accessor of a record throws
     */
    public String write(Object id) {
        Object value = component == null ? unboxed(id) : call(component, id);
        return isString ? (String) value : prefix + form.write((Long) value);
    }

    /** {@return a regular expression that matches the texts of {@link #write}, for a schema} It has no anchors. */
    public String pattern() {
        return prefix
                + switch (form) {
                    case DECIMAL -> "-?(0|[1-9][0-9]{0,18})";
                    case BASE62 -> "[0-9A-Za-z]{11}";
                    case BASE32 -> "[0-9A-F][0-9A-HJKMNP-TV-Z]{12}";
                };
    }

    /**
     * {@return the ID of a text, as a value of the type} A {@code String} is returned in the exact form that
     * {@link JsonSnowcastId.Form} specifies, for example Base32 in upper case.
     *
     * @param text the text
     * @throws IllegalArgumentException if the text lacks the prefix or does not have the form, or if the constructor of
     *     a record throws
     */
    public Object read(String text) {
        if (!Objects.requireNonNull(text, "text").startsWith(prefix)) {
            throw new IllegalArgumentException("ID must begin with " + prefix);
        }
        long id = form.read(text.substring(prefix.length()));
        Object value = isString ? (Object) (prefix + form.write(id)) : (Object) id;
        return component == null ? value : make(component, value);
    }

    /** Unboxes an instance of a Kotlin value class; returns a long or a String as it is. */
    private static Object unboxed(Object id) {
        if (id instanceof Long || id instanceof String) {
            return id;
        }
        try {
            return id.getClass().getMethod("unbox-impl").invoke(id);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(id.getClass().getName() + " is not an ID", e);
        }
    }

    private static Object call(RecordComponent component, Object id) {
        try {
            return component.getAccessor().invoke(id);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("The accessor of " + component + " failed", e);
        }
    }

    private static Object make(RecordComponent component, Object value) {
        try {
            Constructor<?> constructor = component.getDeclaringRecord().getDeclaredConstructor(component.getType());
            constructor.setAccessible(true);
            return constructor.newInstance(value);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    String.valueOf(e.getTargetException().getMessage()), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("The constructor of " + component.getDeclaringRecord() + " failed", e);
        }
    }
}
