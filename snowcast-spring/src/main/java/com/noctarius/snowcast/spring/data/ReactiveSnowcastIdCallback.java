// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.SnowcastSequencer;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Gives new entities of Spring Data R2DBC their IDs; see {@link SnowcastId}. Spring Boot has one by auto-configuration;
 * without, declare it, and Spring finds the arguments:
 *
 * <pre>{@code
 * @Bean
 * ReactiveSnowcastIdCallback snowcastIds(R2dbcMappingContext context, Map<String, SnowcastSequencer> sequencers) {
 *     return new ReactiveSnowcastIdCallback(context, sequencers);
 * }
 * }</pre>
 *
 * <p>Never blocks the thread that subscribes: an ID that has to be waited for is waited for on
 * {@link Schedulers#boundedElastic()}. Thread-safe.
 */
public final class ReactiveSnowcastIdCallback
        implements BeforeConvertCallback<Object>, Ordered, SmartInitializingSingleton {
    private final NewIds ids;

    /**
     * Creates a callback.
     *
     * @param context knows the entities
     * @param sequencers the sequencers by the names of their beans
     * @throws NullPointerException if an argument is null
     */
    public ReactiveSnowcastIdCallback(RelationalMappingContext context, Map<String, SnowcastSequencer> sequencers) {
        ids = new NewIds(Objects.requireNonNull(context, "context"), Objects.requireNonNull(sequencers, "sequencers"));
    }

    /**
     * Checks the entities that are known when the context starts.
     *
     * @throws org.springframework.data.mapping.MappingException if an annotation is on a wrong type, or names a sequencer
     *     that there is not
     */
    @Override
    public void afterSingletonsInstantiated() {
        ids.check();
    }

    /**
     * Sets the ID of an entity that has none, anew for each subscriber.
     *
     * @return gives the entity, or a copy if it is immutable; or fails with a
     *     {@link org.springframework.data.mapping.MappingException} if the annotation is on a wrong type or names a sequencer
     *     that there is not, or as {@link SnowcastSequencer#next()}
     */
    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        return Mono.defer(() -> {
            NewIds.Vacancy vacancy = ids.vacancy(entity);
            return vacancy == null ? Mono.just(entity) : filled(vacancy);
        });
    }

    private static Mono<Object> filled(NewIds.Vacancy vacancy) {
        OptionalLong id = vacancy.sequencer().tryNext();
        return id.isPresent()
                ? Mono.just(vacancy.fill(id.getAsLong()))
                : Mono.fromCallable(() -> vacancy.fill(vacancy.sequencer().next()))
                        .subscribeOn(Schedulers.boundedElastic());
    }

    /** After auditing, before callbacks that name no order. */
    @Override
    public int getOrder() {
        return SnowcastIdCallback.ORDER;
    }
}
