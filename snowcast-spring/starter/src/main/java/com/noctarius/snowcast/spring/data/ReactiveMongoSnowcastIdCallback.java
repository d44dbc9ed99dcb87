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
 * A callback that sets the IDs of new documents of Spring Data MongoDB with a reactive driver; see {@link SnowcastId}
 * and {@link SnowcastSequence}. The auto-configuration for Spring Boot declares it. Without Boot, declare it yourself;
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
 * <p>Never blocks the thread of a subscriber. Only documents get IDs, not the objects embedded in them. Thread-safe.
 */
public final class ReactiveMongoSnowcastIdCallback extends EntityIdCallback
        implements ReactiveBeforeConvertCallback<Object> {
    /**
     * Creates a callback.
     *
     * @param context the mapping context of the documents
     * @param sequencers the sequencers by the names of their beans
     * @param sequences the integer sequences by the names of their beans
     * @throws NullPointerException if an argument is null
     */
    public ReactiveMongoSnowcastIdCallback(
            MongoMappingContext context,
            Map<String, SnowcastSequencer> sequencers,
            Map<String, IntegerSequence> sequences) {
        super(context, sequencers, sequences);
    }

    /**
     * Sets the ID of a document that has none when a subscriber subscribes.
     *
     * @return a publisher of the document, or of a copy if it is immutable. It fails with a
     *     {@link org.springframework.data.mapping.MappingException} if the annotation is on a property of another type,
     *     or names a sequencer or integer sequence that does not exist, or if the integer does not fit an {@code int};
     *     and with the exceptions of {@link SnowcastSequencer#nextAsync()} and {@link IntegerSequence#nextAsync()}
     */
    @Override
    public Publisher<Object> onBeforeConvert(Object document, String collection) {
        return LaterIds.fill(ids, document);
    }
}
