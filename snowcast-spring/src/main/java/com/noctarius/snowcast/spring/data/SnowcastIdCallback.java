// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Gives new entities of Spring Data JDBC their IDs; see {@link SnowcastId} and {@link SnowcastSequence}. Spring Boot has
 * one by auto-configuration; without, declare it, and Spring finds the arguments:
 *
 * <pre>{@code
 * @Bean
 * SnowcastIdCallback snowcastIds(JdbcMappingContext context, Map<String, SnowcastSequencer> sequencers) {
 *     return new SnowcastIdCallback(context, sequencers);
 * }
 * }</pre>
 *
 * <p>Only aggregate roots are looked at, as Spring Data does with its own sequences. Thread-safe.
 */
public final class SnowcastIdCallback implements BeforeConvertCallback<Object>, Ordered, SmartInitializingSingleton {
    /** After auditing, which takes an entity with an ID for an old one; before callbacks that name no order. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private final NewIds ids;

    /**
     * Creates a callback for {@link SnowcastId} only.
     *
     * @param context knows the entities
     * @param sequencers the sequencers by the names of their beans
     * @throws NullPointerException if an argument is null
     */
    public SnowcastIdCallback(RelationalMappingContext context, Map<String, SnowcastSequencer> sequencers) {
        this(context, sequencers, Map.of());
    }

    /**
     * Creates a callback for {@link SnowcastId} and {@link SnowcastSequence}.
     *
     * @param context knows the entities
     * @param sequencers the sequencers by the names of their beans
     * @param sequences the integer sequences by the names of their beans
     * @throws NullPointerException if an argument is null
     */
    public SnowcastIdCallback(
            RelationalMappingContext context,
            Map<String, SnowcastSequencer> sequencers,
            Map<String, IntegerSequence> sequences) {
        ids = new NewIds(
                Objects.requireNonNull(context, "context"),
                Objects.requireNonNull(sequencers, "sequencers"),
                Objects.requireNonNull(sequences, "sequences"));
    }

    /**
     * Checks the entities that are known when the context starts.
     *
     * @throws org.springframework.data.mapping.MappingException if an annotation is on a wrong type, or names a sequencer
     *     or integer sequence that there is not
     */
    @Override
    public void afterSingletonsInstantiated() {
        ids.check();
    }

    /**
     * Sets the ID of an entity that has none; waits as {@link SnowcastSequencer#next()} and {@link IntegerSequence#next()}
     * do.
     *
     * @return the entity, or a copy if it is immutable
     * @throws org.springframework.data.mapping.MappingException if the annotation is on a wrong type, names a sequencer or
     *     integer sequence that there is not, or what that gives does not fit an {@code int}
     * @throws TransientDataAccessResourceException if the thread is interrupted while it waits; its interrupt flag is set
     * @throws com.noctarius.snowcast.SnowcastException as {@link SnowcastSequencer#next()} and {@link
     *     IntegerSequence#next()}
     */
    @Override
    public Object onBeforeConvert(Object entity) {
        NewIds.Vacancy vacancy = ids.vacancy(entity);
        if (vacancy == null) {
            return entity;
        }
        try {
            return vacancy.fill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransientDataAccessResourceException(
                    "Interrupted while waiting for an ID of " + vacancy.makerName(), e);
        }
    }

    /** After auditing, before callbacks that name no order. */
    @Override
    public int getOrder() {
        return ORDER;
    }
}
