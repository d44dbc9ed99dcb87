// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.persistence.SnowcastId;
import java.io.Serial;
import java.lang.reflect.Member;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.GeneratorCreationContext;

/**
 * Hibernate's generator for {@link SnowcastId}. Public because Hibernate, or its bean container, creates one for each
 * annotated attribute; an application uses the annotation. Thread-safe once it is initialized.
 */
public final class SnowcastIdGenerator extends EntityIdGenerator implements AnnotationBasedGenerator<SnowcastId> {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates a generator, which Hibernate then initializes. */
    public SnowcastIdGenerator() {}

    /**
     * Takes the name of the sequencer from the annotation, and where to find it from the settings of the session
     * factory.
     *
     * @throws MappingException if the attribute's type can hold no ID, or not in the form that the annotation says, or
     *     the settings name all sequencers and this one is not among them
     * @throws HibernateException if a setting has a wrong value
     */
    @Override
    public void initialize(SnowcastId annotation, Member member, GeneratorCreationContext context) {
        initialize(Identifier.of(Kind.SEQUENCER, annotation.value(), Values.ids(annotation), member, context));
    }
}
