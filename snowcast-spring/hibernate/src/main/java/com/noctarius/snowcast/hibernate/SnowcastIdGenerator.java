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
 * The Hibernate generator for {@link SnowcastId}. The class is public because Hibernate, or its bean container, creates
 * an instance for each annotated attribute; applications use the annotation. Thread-safe after its initialization.
 */
public final class SnowcastIdGenerator extends EntityIdGenerator implements AnnotationBasedGenerator<SnowcastId> {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates a generator, which Hibernate then initializes. */
    public SnowcastIdGenerator() {}

    /**
     * Reads the sequencer's name from the annotation. The settings of the session factory determine where the sequencer
     * is looked up.
     *
     * @throws MappingException if the attribute's type cannot hold an ID, or cannot have the annotation's form or
     *     prefix; if the prefix is invalid; or if the settings have a map of the sequencers, and the map lacks this
     *     name
     * @throws HibernateException if a setting has a wrong value
     */
    @Override
    public void initialize(SnowcastId annotation, Member member, GeneratorCreationContext context) {
        initialize(Identifier.of(Kind.SEQUENCER, annotation.value(), Values.ids(annotation), member, context));
    }
}
