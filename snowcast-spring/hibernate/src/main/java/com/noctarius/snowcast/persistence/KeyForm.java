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
 * How the IDs of one attribute with {@link SnowcastId} become values of its type. For what connects {@link SnowcastId}
 * to a library. Immutable and thread-safe; no method blocks.
 */
public final class KeyForm {
    private static final List<Class<?>> KEYS = List.of(long.class, Long.class, String.class, UUID.class);
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_-]{0,32}");

    private final String where;
    private final SnowcastId annotation;
    /** One of {@link #KEYS}. */
    private final Class<?> key;
    /** Makes the attribute's value of a key; null if the attribute is the key itself. */
    private final @Nullable Constructor<?> wrapper;
    /** What the attribute may have before it is given an ID, but for null. */
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
            return Optional.empty(); // Of another key, or the class refuses it, so that no attribute can have it.
        }
    }

    /**
     * {@return the form of an attribute}
     *
     * @param where the entity and the attribute, for messages
     * @param annotation the annotation of the attribute
     * @param type the type of the attribute
     * @throws IllegalArgumentException if the type can hold no ID, if the annotation has a form or a prefix that the
     *     type cannot have, or a prefix with other characters than A-Z, a-z, 0-9, _ and -, or of more than 32
     * @throws NullPointerException if an argument is null
     */
    public static KeyForm of(String where, SnowcastId annotation, Type type) {
        Constructor<?> wrapper = KEYS.contains(type) ? null : wrapper(type);
        if (wrapper == null && !KEYS.contains(type)) {
            throw new IllegalArgumentException("@SnowcastId " + where
                    + " must be long, Long, String or UUID, or a record or class that is made of one of them alone, not "
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

    /** Returns null if the type wraps no key: the only constructor of a record, or the only one of its kind, does. */
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
     * Refuses a sequencer whose IDs the attribute cannot hold, and warns of one whose IDs turn negative in a number.
     *
     * @param sequencer the sequencer of the attribute; of one that does not tell its layout and epoch, nothing is known
     * @throws IllegalArgumentException if the attribute holds UUIDs, which have no time before 1970, and the
     *     sequencer's epoch is before 1970
     */
    public void check(SnowcastSequencer sequencer) {
        if (key == long.class || key == Long.class) {
            SignedColumns.warnOf(sequencer);
        }
        if (key == UUID.class && epochMillis(sequencer) < 0) {
            throw new IllegalArgumentException("@SnowcastId " + where
                    + " must not be a UUID, which has no time before 1970," + " as the sequencer \"" + sequencer.name()
                    + "\" has by its epoch; make it a String or a long");
        }
    }

    private static long epochMillis(SnowcastSequencer sequencer) {
        try {
            return sequencer.epoch().getEpochOffset();
        } catch (UnsupportedOperationException e) {
            return 0; // Unknown, so the first ID will tell.
        }
    }

    /**
     * {@return whether an attribute has an ID: a value that is neither {@code null}, 0 nor an empty text, and is made
     * of none of these}
     *
     * @param value the value of the attribute
     */
    public boolean isSet(@Nullable Object value) {
        return value != null && !unset.contains(value) && (wrapper == null || !isMadeOfNothing(value));
    }

    /** A class without {@code equals} is not equal to one of the same content. */
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
     * {@return the value of the attribute, of its type}
     *
     * @param id the ID
     * @param sequencer the sequencer that issued it
     * @throws IllegalArgumentException if the ID has no such form: a UUID after the year 10889, or of a sequencer that
     *     does not tell its layout and epoch; or if the constructor of the attribute's class refuses it
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
