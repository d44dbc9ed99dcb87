// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastException;
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
 * The generator behind {@link SnowcastSequence}, which see. Public because Hibernate, or its bean container, creates one
 * for each annotated attribute; nobody else need. Thread-safe once it is initialized.
 */
public final class SnowcastSequenceGenerator
        implements BeforeExecutionGenerator, AnnotationBasedGenerator<SnowcastSequence> {
    @Serial
    private static final long serialVersionUID = 1L;

    // Hibernate makes generators serializable, and initializes each that it makes; it never serializes one.
    private transient @Nullable Identifier<IntegerSequence> identifier;

    /** Looking it up each time would cost more than the integer. */
    private transient volatile @Nullable IntegerSequence sequence;

    /** Creates a generator that is to be initialized. */
    public SnowcastSequenceGenerator() {}

    /**
     * Takes the name of the integer sequence from the annotation, and from the settings of the session factory where to
     * find it.
     *
     * @throws MappingException if the attribute is none of {@code int}, {@code Integer}, {@code long} and {@code Long}, or
     *     the settings name all integer sequences and this one is not among them
     * @throws HibernateException if a setting has a wrong value
     */
    @Override
    public void initialize(SnowcastSequence annotation, Member member, GeneratorCreationContext context) {
        identifier = Identifier.of(Kind.SEQUENCE, annotation.value(), member, context);
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
     * Generates an identifier; waits as {@link IntegerSequence#next()} does.
     *
     * @return an {@code Integer} or a {@code Long}, as the attribute is
     * @throws IdentifierGenerationException if the integer sequence is not found or gives no integer, if what it gives
     *     does not fit the attribute, or if the thread is interrupted while it waits, its interrupt flag being set then
     */
    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        Identifier<IntegerSequence> own = Objects.requireNonNull(identifier, "not initialized");
        long value;
        try {
            value = sequence(own).next();
        } catch (InterruptedException e) {
            throw own.interrupted(e);
        } catch (SnowcastException | HibernateException e) {
            throw own.failure(e.getMessage(), e);
        }
        if (own.type() == long.class || own.type() == Long.class) {
            return value;
        }
        if (value > Integer.MAX_VALUE) {
            throw own.failure(
                    value + " is above " + Integer.MAX_VALUE + ", the last that fits an int; make the attribute a long",
                    null);
        }
        return (int) value;
    }

    private IntegerSequence sequence(Identifier<IntegerSequence> own) {
        IntegerSequence present = sequence;
        if (present == null || present.isClosed()) {
            present = own.source().find(own.name());
            sequence = present;
        }
        return present;
    }
}
