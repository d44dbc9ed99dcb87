// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

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
 * An attribute whose values are generated. Thread-safe.
 *
 * @param where the entity and the attribute
 * @param type its type
 * @param name the name of the sequencer, or of the integer sequence
 * @param source where that is found
 */
record Identifier<T>(Kind<T> kind, String where, Class<?> type, String name, Source<T> source) {
    /**
     * Looks at an annotated attribute, and in the settings of the session factory.
     *
     * @throws MappingException if the attribute has a type that it cannot have, or the settings name all that there are
     *     of the kind, and this one is not among them
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
        Source<T> source = Source.of(kind, settings);
        try {
            source.check(name);
        } catch (HibernateException e) {
            throw new MappingException(
                    "@" + kind.annotation() + "(\"" + name + "\") " + where + ": " + e.getMessage(), e);
        }
        return new Identifier<>(kind, where, known, name, source);
    }

    private static String allowed(Kind<?> kind) {
        return kind.attributes().stream().map(Class::getSimpleName).collect(Collectors.joining(" or "));
    }

    private static Type type(Member member, GeneratorCreationContext context) {
        Type type = member instanceof Field field ? field.getGenericType() : ((Method) member).getGenericReturnType();
        // That of a mapped superclass; the mapping knows what it stands for.
        return type instanceof TypeVariable ? context.getProperty().getType().getReturnedClass() : type;
    }

    IdentifierGenerationException failure(@Nullable String reason, @Nullable Exception cause) {
        return new IdentifierGenerationException(
                "No ID of " + kind.noun() + " \"" + name + "\" for " + where + ": " + reason, cause);
    }

    /** To be called by whom an interrupt has ended. */
    IdentifierGenerationException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return failure("the thread was interrupted while it waited", cause);
    }
}
