// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.io.Serial;
import java.lang.reflect.Member;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.GeneratorCreationContext;

/**
 * The Hibernate generator for {@link SnowcastSequence}. The class is public because Hibernate, or its bean container,
 * creates an instance for each annotated attribute; applications use the annotation. Thread-safe after its
 * initialization.
 */
public final class SnowcastSequenceGenerator extends EntityIdGenerator
        implements AnnotationBasedGenerator<SnowcastSequence> {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates a generator, which Hibernate then initializes. */
    public SnowcastSequenceGenerator() {}

    /**
     * Reads the integer sequence's name from the annotation. The settings of the session factory determine where the
     * sequence is looked up.
     *
     * @throws MappingException if the attribute is not an {@code int}, {@code Integer}, {@code long} or {@code Long},
     *     or if the settings have a map of the integer sequences, and the map lacks this name
     * @throws HibernateException if a setting has a wrong value
     */
    @Override
    public void initialize(SnowcastSequence annotation, Member member, GeneratorCreationContext context) {
        initialize(Identifier.of(Kind.SEQUENCE, annotation.value(), Values::integers, member, context));
    }
}
