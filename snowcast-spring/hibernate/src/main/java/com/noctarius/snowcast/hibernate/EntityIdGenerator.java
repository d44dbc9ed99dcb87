// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import java.io.Serial;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.id.IdentifierGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * A Hibernate generator for the identifiers of one annotated attribute. Thread-safe after its initialization.
 *
 * <p>Subclasses implement Hibernate's {@code AnnotationBasedGenerator} themselves, because Hibernate 7 reads the
 * annotation's type from the interfaces that the generator's own class declares.
 */
abstract sealed class EntityIdGenerator implements BeforeExecutionGenerator
        permits SnowcastIdGenerator, SnowcastSequenceGenerator {
    @Serial
    private static final long serialVersionUID = 1L;

    // The field is transient because Hibernate's interface makes the class serializable. Hibernate never serializes a
    // generator; it creates new generators at each start.
    private transient @Nullable Identifier<?> identifier;

    final void initialize(Identifier<?> initialIdentifier) {
        identifier = initialIdentifier;
    }

    /**
     * Tells Hibernate to call this generator only when it inserts an entity.
     *
     * @return {@link EventTypeSets#INSERT_ONLY}
     */
    @Override
    public final EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    /**
     * Tells Hibernate that the application may set identifiers itself.
     *
     * @return true
     */
    @Override
    public final boolean allowAssignedIdentifiers() {
        return true;
    }

    /**
     * Returns the identifier that the application has set, or else generates one. Generating blocks as {@code next()}
     * of the sequencer or integer sequence does.
     *
     * @return a value of the attribute's type
     * @throws IdentifierGenerationException if the sequencer or integer sequence does not exist or throws, if the value
     *     does not fit the attribute, or if the thread is interrupted while it waits; the thread's interrupt status is
     *     set again
     */
    @Override
    public final Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        Identifier<?> initialized = Objects.requireNonNull(identifier, "not initialized");
        return currentValue != null && initialized.isSet(currentValue) ? currentValue : initialized.next();
    }
}
