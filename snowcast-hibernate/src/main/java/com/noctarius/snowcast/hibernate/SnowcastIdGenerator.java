// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.io.Serial;
import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.IdentifierGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * The generator behind {@link SnowcastId}, which see. Public because Hibernate, or its bean container, creates one for
 * each annotated attribute; nobody else need. Thread-safe once it is initialized.
 */
public final class SnowcastIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<SnowcastId> {
    @Serial
    private static final long serialVersionUID = 1L;

    // Hibernate makes generators serializable, and initializes each that it makes; it never serializes one.
    private transient @Nullable Identifier<SnowcastSequencer> identifier;

    /** Looking it up each time would cost more than the ID. */
    private transient volatile @Nullable SnowcastSequencer sequencer;

    /** Creates a generator that is to be initialized. */
    public SnowcastIdGenerator() {}

    /**
     * Takes the name of the sequencer from the annotation, and from the settings of the session factory where to find it.
     *
     * @throws MappingException if the attribute is neither {@code long} nor {@code Long}, or the settings name all
     *     sequencers and this one is not among them
     * @throws HibernateException if a setting has a wrong value
     */
    @Override
    public void initialize(SnowcastId annotation, Member member, GeneratorCreationContext context) {
        identifier = Identifier.of(Kind.SEQUENCER, annotation.value(), member, context);
    }

    /**
     * Says that identifiers are generated when an entity is inserted, and only then.
     *
     * @return {@link EventTypeSets#INSERT_ONLY}
     */
    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    /**
     * Generates an identifier; waits as {@link SnowcastSequencer#next()} does.
     *
     * @return a {@code Long}
     * @throws IdentifierGenerationException if the sequencer is not found or gives no ID, or the thread is interrupted
     *     while it waits, its interrupt flag being set then
     */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        Identifier<SnowcastSequencer> own = Objects.requireNonNull(identifier, "not initialized");
        try {
            return sequencer(own).next();
        } catch (InterruptedException e) {
            throw own.interrupted(e);
        } catch (SnowcastException | HibernateException e) {
            throw own.failure(e.getMessage(), e);
        }
    }

    private SnowcastSequencer sequencer(Identifier<SnowcastSequencer> own) {
        SnowcastSequencer present = sequencer;
        if (present == null || present.getSequencerState() == SnowcastSequenceState.Destroyed) {
            present = own.source().find(own.name());
            sequencer = present;
        }
        return present;
    }
}
