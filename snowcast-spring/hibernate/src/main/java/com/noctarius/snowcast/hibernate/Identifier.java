// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SignedColumns;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * An attribute whose values are generated, and the sequencer or integer sequence that generates them. Thread-safe.
 *
 * @param <T> the type of the source, a sequencer or an integer sequence
 */
final class Identifier<T> {
    private final Kind<T> kind;
    /** The entity and the attribute, for messages. */
    private final String where;

    private final Class<?> type;
    private final String name;
    private final Lookup<T> lookup;

    /** Kept, since a look-up for each value would cost more than the value. */
    private volatile @Nullable T source;

    private Identifier(Kind<T> kind, String where, Class<?> type, String name, Lookup<T> lookup) {
        this.kind = kind;
        this.where = where;
        this.type = type;
        this.name = name;
        this.lookup = lookup;
    }

    /**
     * Checks an annotated attribute, and reads the settings of the session factory.
     *
     * @throws MappingException if the attribute has a type that the kind does not allow, or the settings name all
     *     sources of the kind and this one is not among them
     * @throws HibernateException if a setting has a wrong value
     */
    static <T> Identifier<T> of(Kind<T> kind, String name, Member member, GeneratorCreationContext context) {
        String where = context.getPersistentClass().getEntityName() + "." + member.getName();
        Type type = type(member, context);
        if (!(type instanceof Class<?> known) || !kind.attributes().contains(known)) {
            throw new MappingException("@" + kind.annotation() + " " + where + " must be " + allowed(kind) + ", not "
                    + type.getTypeName()
                    + (Kind.SEQUENCE.attributes().contains(type)
                            ? "; @SnowcastSequence makes integers of 32 bits"
                            : ""));
        }
        Map<String, Object> settings = Objects.requireNonNull(
                        context.getServiceRegistry().getService(ConfigurationService.class))
                .getSettings();
        Lookup<T> lookup = Lookup.of(kind, settings);
        try {
            lookup.present(name).ifPresent(Identifier::warn);
        } catch (HibernateException e) {
            throw new MappingException(
                    "@" + kind.annotation() + "(\"" + name + "\") " + where + ": " + e.getMessage(), e);
        }
        AnnotatedMembers.heeded(member);
        return new Identifier<>(kind, where, known, name, lookup);
    }

    private static void warn(Object source) {
        if (source instanceof SnowcastSequencer sequencer) {
            SignedColumns.warnOf(sequencer);
        }
    }

    private static String allowed(Kind<?> kind) {
        return kind.attributes().stream().map(Class::getSimpleName).collect(Collectors.joining(" or "));
    }

    private static Type type(Member member, GeneratorCreationContext context) {
        Type type = member instanceof Field field ? field.getGenericType() : ((Method) member).getGenericReturnType();
        // A type variable of a mapped superclass: the mapping knows which type it stands for.
        return type instanceof TypeVariable ? context.getProperty().getType().getReturnedClass() : type;
    }

    /**
     * Generates a value; waits as the source does.
     *
     * @return a {@code Long} or an {@code Integer}, as the attribute is
     * @throws IdentifierGenerationException if the source is not found or gives no value, if the value does not fit the
     *     attribute, or if the thread is interrupted while it waits; its interrupt flag is set then
     */
    Object next() {
        long value;
        try {
            value = kind.next().of(source());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("the thread was interrupted while it waited", e);
        } catch (SnowcastException | HibernateException e) {
            throw failure(e.getMessage(), e);
        }
        if (type == long.class || type == Long.class) {
            return value;
        }
        if (value > Integer.MAX_VALUE) {
            throw failure(
                    value + " is above " + Integer.MAX_VALUE + ", the last that fits an int; make the attribute a long",
                    null);
        }
        return (int) value;
    }

    private T source() {
        T present = source;
        if (present == null || kind.isEnded().test(present)) {
            present = lookup.find(name);
            source = present;
            warn(present);
        }
        return present;
    }

    private IdentifierGenerationException failure(@Nullable String reason, @Nullable Exception cause) {
        return new IdentifierGenerationException(
                "No ID of " + kind.noun() + " \"" + name + "\" for " + where + ": " + reason, cause);
    }
}
