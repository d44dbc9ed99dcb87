// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.hibernate.TransientObjectException;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.CompositeType;
import org.jspecify.annotations.Nullable;

/** The annotated fields and getters, in one mapping, for which Hibernate has created generators. Thread-safe. */
final class AnnotatedMembers {
    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(SnowcastId.class, SnowcastSequence.class);

    /**
     * The keys are the {@code Database} objects of mappings, because a generator can reach no other object that stands
     * for its whole mapping. The references to the keys are weak.
     */
    private static final Map<Database, AnnotatedMembers> OF_MAPPINGS = Collections.synchronizedMap(new WeakHashMap<>());

    private final List<Heeded> heeded = new CopyOnWriteArrayList<>();

    private AnnotatedMembers() {}

    private record Heeded(String rootEntity, Member member, Identifier<?> identifier) {
        /** Returns whether the member is the field or the getter of a property. */
        boolean isOf(String property) {
            return Stream.of("", "get", "is")
                    .anyMatch(prefix -> (prefix + property).equalsIgnoreCase(member.getName()));
        }
    }

    static AnnotatedMembers of(Database database) {
        return Objects.requireNonNull(OF_MAPPINGS.computeIfAbsent(database, unused -> new AnnotatedMembers()));
    }

    /** Records that Hibernate has created a generator for a member's annotation. */
    void heeded(String rootEntity, Member member, Identifier<?> identifier) {
        heeded.add(new Heeded(rootEntity, member, identifier));
    }

    /**
     * Throws if a member of a class or its superclasses has one of the {@link #ANNOTATIONS}, and Hibernate created no
     * generator for it.
     */
    void requireHeeded(@Nullable Class<?> mapped) {
        for (Class<?> type = mapped; type != null && type != Object.class; type = type.getSuperclass()) {
            // The compiler copies the annotation of a record component to the field and to the accessor. Hibernate uses
            // only the field, so the accessor is not checked.
            Stream<Method> methods = type.isRecord() ? Stream.empty() : Arrays.stream(type.getDeclaredMethods());
            Stream.<Member>concat(Arrays.stream(type.getDeclaredFields()), methods)
                    .filter(member ->
                            heeded.stream().noneMatch(each -> each.member().equals(member)))
                    .forEach(member -> ANNOTATIONS.stream()
                            .filter(((AnnotatedElement) member)::isAnnotationPresent)
                            .forEach(annotation -> fail(member, annotation)));
        }
    }

    private static void fail(Member member, Class<? extends Annotation> annotation) {
        throw new MappingException("@" + annotation.getSimpleName() + " "
                + member.getDeclaringClass().getName() + "." + member.getName()
                + " has no effect, so its value would be stored as 0 or null: put it next to the entity's jakarta.persistence.Id,"
                + " on the same field or getter, in a class that Hibernate maps (an entity, a mapped superclass or an"
                + " embedded identifier of an entity of this session factory), or remove it and set the value yourself, for"
                + " example in the constructor");
    }

    /**
     * Throws if an upserted entity has no ID in an annotated attribute, because Hibernate generates no ID for an
     * upsert.
     */
    void requireSet(EntityPersister persister, @Nullable Object id) {
        for (Heeded each : heeded) {
            if (each.rootEntity().equals(persister.getRootEntityName())
                    && !each.identifier().isSet(value(persister, id, each))) {
                throw new TransientObjectException("Object passed to upsert() has no identifier yet, and upsert()"
                        + " generates none: set it, or call insert(): " + persister.getEntityName() + " " + id);
            }
        }
    }

    private static @Nullable Object value(EntityPersister persister, @Nullable Object id, Heeded heeded) {
        if (id == null || !(persister.getIdentifierType() instanceof CompositeType composite)) {
            return id;
        }
        String[] names = composite.getPropertyNames();
        return IntStream.range(0, names.length)
                .filter(index -> heeded.isOf(names[index]))
                .mapToObj(index -> composite.getPropertyValues(id)[index])
                .findAny()
                .orElse(null);
    }
}
