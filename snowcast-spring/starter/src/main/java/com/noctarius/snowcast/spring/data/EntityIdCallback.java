// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.context.MappingContext;

/** The base class of the callbacks that set IDs for Spring Data's modules. */
abstract sealed class EntityIdCallback implements Ordered, SmartInitializingSingleton
        permits SnowcastIdCallback,
                ReactiveSnowcastIdCallback,
                MongoSnowcastIdCallback,
                ReactiveMongoSnowcastIdCallback {
    /** The callbacks run after auditing, because auditing assumes that an entity with an ID exists in the database. */
    private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    final NewIds ids;

    EntityIdCallback(
            MappingContext<? extends PersistentEntity<?, ?>, ?> context,
            Map<String, SnowcastSequencer> sequencers,
            Map<String, IntegerSequence> sequences) {
        ids = new NewIds(
                Objects.requireNonNull(context, "context"),
                Objects.requireNonNull(sequencers, "sequencers"),
                Objects.requireNonNull(sequences, "sequences"));
    }

    /** Sets the ID of an entity if it has none. Blocks as {@code next()} of the sequencer or integer sequence does. */
    final Object fill(Object entity) {
        NewIds.Vacancy vacancy = ids.vacancy(entity);
        if (vacancy == null) {
            return entity;
        }
        try {
            return vacancy.fill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransientDataAccessResourceException(
                    "Interrupted while waiting for an ID of " + vacancy.sourceName(), e);
        }
    }

    /**
     * Checks the annotations of the entities that the mapping context contains when the application starts.
     *
     * @throws org.springframework.data.mapping.MappingException if an annotation is invalid. For example, its property
     *     has a type that cannot hold an ID, or it names a sequencer or integer sequence that does not exist
     */
    @Override
    public final void afterSingletonsInstantiated() {
        ids.check();
    }

    /**
     * Returns an order after auditing and before callbacks without an order.
     *
     * @return the order
     */
    @Override
    public final int getOrder() {
        return ORDER;
    }
}
