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
 * Hibernate's generator for {@link SnowcastSequence}. Public because Hibernate, or its bean container, creates one for
 * each annotated attribute; an application uses the annotation. Thread-safe once it is initialized.
 */
public final class SnowcastSequenceGenerator extends EntityIdGenerator
        implements AnnotationBasedGenerator<SnowcastSequence> {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates a generator, which Hibernate then initializes. */
    public SnowcastSequenceGenerator() {}

    /**
     * Takes the name of the integer sequence from the annotation, and where to find it from the settings of the session
     * factory.
     *
     * @throws MappingException if the attribute is none of {@code int}, {@code Integer}, {@code long} and {@code Long},
     *     or the settings name all integer sequences and this one is not among them
     * @throws HibernateException if a setting has a wrong value
     */
    @Override
    public void initialize(SnowcastSequence annotation, Member member, GeneratorCreationContext context) {
        initialize(Identifier.of(Kind.SEQUENCE, annotation.value(), Values::integers, member, context));
    }
}
