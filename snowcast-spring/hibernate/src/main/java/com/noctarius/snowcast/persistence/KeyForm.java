// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.persistence;

import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.ids.SnowflakeId;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts IDs to the values of one attribute that is annotated with {@link SnowcastId}. Use this class to add support
 * for {@link SnowcastId} to a library. Immutable and thread-safe; no method blocks.
 */
public final class KeyForm {
    private static final List<Class<?>> KEYS = List.of(long.class, Long.class, String.class, UUID.class);
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{0,32}");

    private final String where;
    private final SnowcastId annotation;
    /** One of {@link #KEYS}. */
    private final Class<?> key;
    /** The constructor that wraps a key; null if the attribute's type is the key's type. */
    private final @Nullable Constructor<?> wrapper;
    /** The values, other than null, that the attribute may have before it gets an ID. */
    private final List<Object> unset;

    private KeyForm(String where, SnowcastId annotation, Class<?> key, @Nullable Constructor<?> wrapper) {
        this.where = where;
        this.annotation = annotation;
        this.key = key;
        this.wrapper = wrapper;
        this.unset = Stream.of(Optional.<Object>of(0L), Optional.<Object>of(""), Optional.empty())
                .map(empty -> wrapped(empty.orElse(null), wrapper))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Object> wrapped(@Nullable Object empty, @Nullable Constructor<?> wrapper) {
        try {
            return Optional.ofNullable(wrapper == null ? empty : wrapper.newInstance(empty));
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return Optional.empty(); // The key has another type, or the class rejects the value.
        }
    }

    /**
     * {@return the conversion for an attribute}
     *
     * @param where the entity and the attribute, for messages
     * @param annotation the annotation of the attribute
     * @param type the type of the attribute
     * @throws IllegalArgumentException if the type cannot hold an ID, if the annotation has a form or a prefix and the
     *     type holds no {@code String}, or if the prefix has more than 32 characters or characters other than A-Z, a-z,
     *     0-9, _ and -
     * @throws NullPointerException if {@code annotation} or {@code type} is null
     */
    public static KeyForm of(String where, SnowcastId annotation, Type type) {
        Constructor<?> wrapper = KEYS.contains(type) ? null : wrapper(type);
        if (wrapper == null && !KEYS.contains(type)) {
            throw new IllegalArgumentException("@SnowcastId " + where
                    + " must be long, Long, String or UUID, or a record or class that wraps one of them, not "
                    + type.getTypeName()
                    + (type == int.class || type == Integer.class
                            ? "; @SnowcastSequence makes integers of 32 bits"
                            : ""));
        }
        Class<?> key = wrapper == null ? (Class<?>) type : wrapper.getParameterTypes()[0];
        boolean isPlain = annotation.form() == SnowcastId.Form.BY_TYPE
                && annotation.prefix().isEmpty();
        if (key != String.class && !isPlain) {
            throw new IllegalArgumentException(
                    "@SnowcastId " + where + " must be a String to have a form or a prefix, not " + type.getTypeName()
                            + "; make it a String, or remove form and prefix from the annotation");
        }
        if (!PREFIX.matcher(annotation.prefix()).matches()) {
            throw new IllegalArgumentException("@SnowcastId " + where
                    + " must have a prefix of at most 32 characters of A-Z, a-z, 0-9, _ and -, not \""
                    + annotation.prefix() + "\"");
        }
        return new KeyForm(where, annotation, key, wrapper);
    }

    /**
     * Returns the only constructor whose one parameter has a type of {@link #KEYS}; for a record, the constructor of
     * its one component. Returns null if there is no such constructor, if a class has several, or if the type is
     * abstract or from a {@code java} package.
     */
    private static @Nullable Constructor<?> wrapper(Type type) {
        if (!(type instanceof Class<?> known)
                || known.getName().startsWith("java.")
                || Modifier.isAbstract(known.getModifiers())) {
            return null;
        }
        RecordComponent[] components = known.getRecordComponents();
        if (components != null && components.length != 1) {
            return null;
        }
        List<Constructor<?>> found = Arrays.stream(known.getDeclaredConstructors())
                .filter(constructor -> constructor.getParameterCount() == 1
                        && KEYS.contains(constructor.getParameterTypes()[0]))
                .filter(constructor -> components == null
                        || components[0].getType() == constructor.getParameterTypes()[0])
                .toList();
        if (found.size() != 1) {
            return null;
        }
        found.get(0).setAccessible(true);
        return found.get(0);
    }

    /**
     * Rejects a sequencer whose IDs the attribute cannot hold, and logs a warning if its IDs will be negative in a
     * numeric attribute.
     *
     * @param sequencer the sequencer of the attribute; a sequencer that does not support {@code layout} and
     *     {@code epoch} is accepted
     * @throws IllegalArgumentException if the attribute holds UUIDs, which have no time before 1970, and the
     *     sequencer's epoch is before 1970
     */
    public void check(SnowcastSequencer sequencer) {
        if (key == long.class || key == Long.class) {
            SignedColumns.warnOf(sequencer);
        }
        if (key == UUID.class && epochMillis(sequencer) < 0) {
            throw new IllegalArgumentException("@SnowcastId " + where
                    + " must not be a UUID, which has no time before 1970," + " because the epoch of sequencer \""
                    + sequencer.name() + "\" is before that; make it a String or a long");
        }
    }

    private static long epochMillis(SnowcastSequencer sequencer) {
        try {
            return sequencer.epoch().getEpochOffset();
        } catch (UnsupportedOperationException e) {
            return 0; // The epoch is not known; if it is before 1970, the first ID throws.
        }
    }

    /**
     * {@return whether an attribute has an ID: its value is not {@code null}, 0, an empty text, or a wrapper of one of
     * these}
     *
     * @param value the value of the attribute
     */
    public boolean isSet(@Nullable Object value) {
        return value != null && !unset.contains(value) && (wrapper == null || !isMadeOfNothing(value));
    }

    /** For classes without {@code equals}: returns whether there are fields that can hold a key, and all are unset. */
    private boolean isMadeOfNothing(Object value) {
        boolean isKnown = false;
        for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (KEYS.contains(field.getType()) && !Modifier.isStatic(field.getModifiers())) {
                    Object content = read(field, value);
                    if (content != null && !content.equals(0L) && !content.equals("")) {
                        return false;
                    }
                    isKnown = true;
                }
            }
        }
        return isKnown;
    }

    private @Nullable Object read(Field field, Object value) {
        try {
            field.setAccessible(true);
            return field.get(value);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException("The field " + field.getName() + " of " + where + " cannot be read", e);
        }
    }

    /**
     * {@return an ID as a value of the attribute's type}
     *
     * @param id the ID
     * @param sequencer the sequencer that issued it
     * @throws IllegalArgumentException if the constructor of the attribute's class throws; or, for an attribute that
     *     holds UUIDs, if the time of the ID is before 1970 or does not fit into 48 bits, or if the sequencer does not
     *     support {@code layout} and {@code epoch}
     */
    public Object write(long id, SnowcastSequencer sequencer) {
        Object written = writeKey(id, sequencer);
        if (wrapper == null) {
            return written;
        }
        try {
            return wrapper.newInstance(written);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "The constructor of " + where + " refused " + written + ": " + e.getTargetException(),
                    e.getTargetException());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("The constructor of " + where + " cannot be called", e);
        }
    }

    private Object writeKey(long id, SnowcastSequencer sequencer) {
        if (key == String.class) {
            return annotation.prefix()
                    + (annotation.form() == SnowcastId.Form.BASE62
                            ? SnowflakeId.toBase62(id)
                            : SnowflakeId.toBase32(id));
        }
        if (key != UUID.class) {
            return id;
        }
        try {
            return SnowflakeId.of(id, sequencer).toUuid();
        } catch (ArithmeticException | UnsupportedOperationException e) {
            throw new IllegalArgumentException("@SnowcastId " + where + " cannot be a UUID: " + e.getMessage(), e);
        }
    }
}
