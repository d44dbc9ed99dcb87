// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring.data;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.persistence.SnowcastId;
import com.noctarius.snowcast.persistence.SnowcastSequence;
import java.util.Map;
import org.reactivestreams.Publisher;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

/**
 * A callback that sets the IDs of new documents of reactive Spring Data MongoDB, for {@link SnowcastId} and
 * {@link SnowcastSequence}. The auto-configuration for Spring Boot declares it. Without Boot, declare it yourself;
 * Spring provides the arguments:
 *
 * <pre>{@code
 * @Bean
 * ReactiveMongoSnowcastIdCallback snowcastIds(
 *         MongoMappingContext context,
 *         Map<String, SnowcastSequencer> sequencers,
 *         Map<String, IntegerSequence> sequences) {
 *     return new ReactiveMongoSnowcastIdCallback(context, sequencers, sequences);
 * }
 * }</pre>
 *
 * <p>Never blocks the subscriber's thread. Only documents get IDs, not the objects embedded in them. Thread-safe.
 */
public final class ReactiveMongoSnowcastIdCallback extends EntityIdCallback
        implements ReactiveBeforeConvertCallback<Object> {
    /**
     * Creates a callback.
     *
     * @param context the mapping context of the documents
     * @param sequencers the sequencers, with the names of their beans as keys
     * @param sequences the integer sequences, with the names of their beans as keys
     * @throws NullPointerException if an argument is null
     */
    public ReactiveMongoSnowcastIdCallback(
            MongoMappingContext context,
            Map<String, SnowcastSequencer> sequencers,
            Map<String, IntegerSequence> sequences) {
        super(context, sequencers, sequences);
    }

    /**
     * Returns a publisher that sets the document's ID, if it has none, when a subscriber subscribes.
     *
     * @return a publisher of the document, or of a copy if it is immutable. The publisher fails with a
     *     {@link org.springframework.data.mapping.MappingException} if the annotated property has a type that cannot
     *     hold an ID, if the annotation names a sequencer or integer sequence that does not exist, or if the integer
     *     does not fit an {@code int}. The publisher also fails with the exceptions of
     *     {@link SnowcastSequencer#nextAsync()} and {@link IntegerSequence#nextAsync()}
     */
    @Override
    public Publisher<Object> onBeforeConvert(Object document, String collection) {
        return LaterIds.fill(ids, document);
    }
}
