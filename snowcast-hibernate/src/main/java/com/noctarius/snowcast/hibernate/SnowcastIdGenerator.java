// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import java.io.Serial;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.HibernateException;
import org.hibernate.MappingException;
import org.hibernate.engine.config.spi.ConfigurationService;
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
    private transient @Nullable String attribute;
    private transient @Nullable String sequencerName;
    private transient @Nullable SequencerSource source;

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
        String name = annotation.value();
        String where = context.getPersistentClass().getEntityName() + "." + member.getName();
        requireLong(where, member, context);
        SequencerSource found = SequencerSource.of(
                Objects.requireNonNull(context.getServiceRegistry().getService(ConfigurationService.class))
                        .getSettings());
        try {
            found.check(name);
        } catch (HibernateException e) {
            throw new MappingException("@SnowcastId(\"" + name + "\") " + where + ": " + e.getMessage(), e);
        }
        attribute = where;
        sequencerName = name;
        source = found;
    }

    private static void requireLong(String where, Member member, GeneratorCreationContext context) {
        Type type = member instanceof Field field ? field.getGenericType() : ((Method) member).getGenericReturnType();
        if (type instanceof TypeVariable) {
            // Of a mapped superclass; the mapping knows what it stands for.
            type = context.getProperty().getType().getReturnedClass();
        }
        if (type != long.class && type != Long.class) {
            throw new MappingException("@SnowcastId " + where + " must be a long or Long, not a " + type.getTypeName());
        }
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
        try {
            return sequencer().next();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdentifierGenerationException(failure("the thread was interrupted while it waited"), e);
        } catch (SnowcastException | HibernateException e) {
            throw new IdentifierGenerationException(failure(e.getMessage()), e);
        }
    }

    private SnowcastSequencer sequencer() {
        SnowcastSequencer present = sequencer;
        if (present == null || present.getSequencerState() == SnowcastSequenceState.Destroyed) {
            present = Objects.requireNonNull(source, "not initialized").find(Objects.requireNonNull(sequencerName));
            sequencer = present;
        }
        return present;
    }

    private String failure(@Nullable String reason) {
        return "No ID of sequencer \"" + sequencerName + "\" for " + attribute + ": " + reason;
    }
}
