// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.SnowcastException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Map;
import java.util.Objects;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerationException;
import org.hibernate.resource.beans.spi.ManagedBeanRegistry;
import org.jspecify.annotations.Nullable;

/**
 * An annotated attribute of an entity, and its source: the sequencer or integer sequence that generates its values.
 * Thread-safe.
 *
 * @param <T> the type of the source, a sequencer or an integer sequence
 */
final class Identifier<T> {
    private final Kind<T> kind;
    /** The names of the entity and the attribute, for messages. */
    private final String where;

    private final Values<T> values;
    private final String name;
    private final Lookup<T> lookup;

    /** Cached, because a look-up takes longer than generating a value. */
    private volatile @Nullable T source;

    private Identifier(Kind<T> kind, String where, Values<T> values, String name, Lookup<T> lookup) {
        this.kind = kind;
        this.where = where;
        this.values = values;
        this.name = name;
        this.lookup = lookup;
    }

    /**
     * Checks the type of an annotated attribute, and reads from the settings where to find its source.
     *
     * @throws MappingException if the attribute's type does not fit the source or the annotation, if the annotation's
     *     prefix is invalid, or if the settings have a map of the sources of this kind, and the map lacks the name
     * @throws HibernateException if a setting has a wrong value
     */
    static <T> Identifier<T> of(
            Kind<T> kind, String name, Values.ByType<T> byType, Member member, GeneratorCreationContext context) {
        String where = context.getPersistentClass().getEntityName() + "." + member.getName();
        Map<String, Object> settings = Objects.requireNonNull(
                        context.getServiceRegistry().getService(ConfigurationService.class))
                .getSettings();
        ManagedBeanRegistry beans = context.getServiceRegistry().getService(ManagedBeanRegistry.class);
        Lookup<T> lookup = Lookup.of(kind, settings, beans == null ? null : beans.getBeanContainer());
        Values<T> values;
        try {
            values = byType.of(where, type(member, context));
            lookup.present(name).ifPresent(values::check);
        } catch (IllegalArgumentException e) {
            throw new MappingException(e.getMessage(), e);
        } catch (HibernateException e) {
            throw new MappingException(
                    "@" + kind.annotation() + "(\"" + name + "\") " + where + ": " + e.getMessage(), e);
        }
        Identifier<T> identifier = new Identifier<>(kind, where, values, name, lookup);
        AnnotatedMembers.of(context.getDatabase())
                .heeded(context.getPersistentClass().getEntityName(), member, identifier);
        return identifier;
    }

    private static Type type(Member member, GeneratorCreationContext context) {
        Type type = member instanceof Field field ? field.getGenericType() : ((Method) member).getGenericReturnType();
        // The attribute of a generic mapped superclass may have a type variable as its type; the mapping has the actual
        // type.
        return type instanceof TypeVariable ? context.getProperty().getType().getReturnedClass() : type;
    }

    /** Returns whether a value of the attribute counts as set, so that no value is generated. */
    boolean isSet(@Nullable Object value) {
        return values.isSet(value);
    }

    /**
     * Generates a value; blocks as {@code next()} of the source does.
     *
     * @return a value of the attribute's type
     * @throws IdentifierGenerationException if the source does not exist or throws, if the value does not fit the
     *     attribute, or if the thread is interrupted while it waits; the thread's interrupt status is set again
     */
    Object next() {
        try {
            T present = source();
            return values.of(kind.next().of(present), present);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("the thread was interrupted while it waited", e);
        } catch (SnowcastException | HibernateException | IllegalArgumentException | IllegalStateException e) {
            throw failure(e.getMessage(), e);
        }
    }

    private T source() {
        T present = source;
        if (present == null || kind.isEnded().test(present)) {
            present = lookup.find(name);
            values.check(present);
            source = present;
        }
        return present;
    }

    private IdentifierGenerationException failure(@Nullable String reason, @Nullable Exception cause) {
        return new IdentifierGenerationException(
                "No ID of " + kind.noun() + " \"" + name + "\" for " + where + ": " + reason, cause);
    }
}
