// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.util.Map;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * A callback that sets the IDs of new entities of Spring Data JDBC, for {@link SnowcastId} and
 * {@link SnowcastSequence}. The auto-configuration for Spring Boot declares it. Without Boot, declare it yourself;
 * Spring provides the arguments:
 *
 * <pre>{@code
 * @Bean
 * SnowcastIdCallback snowcastIds(JdbcMappingContext context, Map<String, SnowcastSequencer> sequencers) {
 *     return new SnowcastIdCallback(context, sequencers, Map.of());
 * }
 * }</pre>
 *
 * <p>Only aggregate roots get IDs, as with Spring Data's own support for sequences. Thread-safe.
 */
public final class SnowcastIdCallback extends EntityIdCallback implements BeforeConvertCallback<Object> {
    /**
     * Creates a callback.
     *
     * @param context the mapping context of the entities
     * @param sequencers the sequencers, with the names of their beans as keys
     * @param sequences the integer sequences, with the names of their beans as keys
     * @throws NullPointerException if an argument is null
     */
    public SnowcastIdCallback(
            RelationalMappingContext context,
            Map<String, SnowcastSequencer> sequencers,
            Map<String, IntegerSequence> sequences) {
        super(context, sequencers, sequences);
    }

    /**
     * Sets the ID of an entity if it has none. Blocks as {@link SnowcastSequencer#next()} and
     * {@link IntegerSequence#next()} do.
     *
     * @return the entity, or a copy if it is immutable
     * @throws org.springframework.data.mapping.MappingException if the annotated property has a type that cannot hold
     *     an ID, if the annotation names a sequencer or integer sequence that does not exist, or if the integer does
     *     not fit an {@code int}
     * @throws TransientDataAccessResourceException if the thread is interrupted while it waits; the thread's interrupt
     *     status is set again
     * @throws com.noctarius.snowcast.SnowcastException if {@link SnowcastSequencer#next()} or
     *     {@link IntegerSequence#next()} throws it
     */
    @Override
    public Object onBeforeConvert(Object entity) {
        return fill(entity);
    }
}
