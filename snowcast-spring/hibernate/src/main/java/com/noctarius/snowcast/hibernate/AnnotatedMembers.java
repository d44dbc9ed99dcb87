// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.hibernate.MappingException;
import org.jspecify.annotations.Nullable;

/** The fields and getters whose annotation Hibernate has made a generator of. Thread-safe. */
final class AnnotatedMembers {
    private static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(SnowcastId.class, SnowcastSequence.class);

    /** Of a class, and gone with it: whether Hibernate heeds an annotation follows from the class's own annotations. */
    private static final ClassValue<Set<Member>> HEEDED = new ClassValue<>() {
        @Override
        protected Set<Member> computeValue(Class<?> type) {
            return ConcurrentHashMap.newKeySet();
        }
    };

    private AnnotatedMembers() {}

    /** Notes that a generator was made of a member's annotation. */
    static void heeded(Member member) {
        HEEDED.get(member.getDeclaringClass()).add(member);
    }

    /**
     * Fails if a member of a mapped class, or of its superclasses, has an annotation of which no generator was made.
     *
     * @param mapped null for an entity without a class
     */
    static void requireHeeded(@Nullable Class<?> mapped) {
        for (Class<?> type = mapped; type != null && type != Object.class; type = type.getSuperclass()) {
            Set<Member> heeded = HEEDED.get(type);
            // The annotation of a record's component is on its field and on its accessor, and Hibernate heeds the
            // field's.
            Stream<Method> methods = type.isRecord() ? Stream.empty() : Arrays.stream(type.getDeclaredMethods());
            Stream.<Member>concat(Arrays.stream(type.getDeclaredFields()), methods)
                    .filter(member -> !heeded.contains(member))
                    .forEach(member -> ANNOTATIONS.stream()
                            .filter(((AnnotatedElement) member)::isAnnotationPresent)
                            .forEach(annotation -> fail(member, annotation)));
        }
    }

    private static void fail(Member member, Class<? extends Annotation> annotation) {
        throw new MappingException("@" + annotation.getSimpleName() + " "
                + member.getDeclaringClass().getName() + "." + member.getName()
                + " has no effect, so its value would be stored as 0 or null: put it beside the entity's jakarta.persistence.Id,"
                + " on the same field or getter, in a class that Hibernate maps (an entity, a mapped superclass or an"
                + " embedded identifier), or remove it");
    }
}
