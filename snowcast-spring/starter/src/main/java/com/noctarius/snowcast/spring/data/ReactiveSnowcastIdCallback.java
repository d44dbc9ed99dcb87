// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.util.Map;
import org.reactivestreams.Publisher;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * A callback that sets the IDs of new entities of Spring Data R2DBC, for {@link SnowcastId} and
 * {@link SnowcastSequence}. The auto-configuration for Spring Boot declares it. Without Boot, declare it yourself;
 * Spring provides the arguments:
 *
 * <pre>{@code
 * @Bean
 * ReactiveSnowcastIdCallback snowcastIds(R2dbcMappingContext context, Map<String, SnowcastSequencer> sequencers) {
 *     return new ReactiveSnowcastIdCallback(context, sequencers, Map.of());
 * }
 * }</pre>
 *
 * <p>Never blocks the subscriber's thread: while no ID is available, the publisher waits for the result of
 * {@link SnowcastSequencer#nextAsync()}, and no thread waits. Thread-safe.
 */
public final class ReactiveSnowcastIdCallback extends EntityIdCallback implements BeforeConvertCallback<Object> {
    /**
     * Creates a callback.
     *
     * @param context the mapping context of the entities
     * @param sequencers the sequencers, with the names of their beans as keys
     * @param sequences the integer sequences, with the names of their beans as keys
     * @throws NullPointerException if an argument is null
     */
    public ReactiveSnowcastIdCallback(
            RelationalMappingContext context,
            Map<String, SnowcastSequencer> sequencers,
            Map<String, IntegerSequence> sequences) {
        super(context, sequencers, sequences);
    }

    /**
     * Returns a publisher that sets the entity's ID, if it has none, when a subscriber subscribes.
     *
     * @return a publisher of the entity, or of a copy if it is immutable. The publisher fails with a
     *     {@link org.springframework.data.mapping.MappingException} if the annotated property has a type that cannot
     *     hold an ID, if the annotation names a sequencer or integer sequence that does not exist, or if the integer
     *     does not fit an {@code int}. The publisher also fails with the exceptions of
     *     {@link SnowcastSequencer#nextAsync()} and {@link IntegerSequence#nextAsync()}
     */
    @Override
    public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
        return LaterIds.fill(ids, entity);
    }
}
