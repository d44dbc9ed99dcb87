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
 * Gives new documents of Spring Data MongoDB on a reactive driver their IDs; see {@link SnowcastId} and
 * {@link SnowcastSequence}. Spring Boot declares one by auto-configuration; without Boot, declare it, and Spring finds
 * the arguments:
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
 * <p>Never blocks the thread that subscribes. Only documents themselves get IDs, not what is embedded in them.
 * Thread-safe.
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
     * Sets the ID of a document that has none, again for each subscriber.
     *
     * @return gives the document, or a copy if it is immutable; or fails with a
     *     {@link org.springframework.data.mapping.MappingException} if the annotation is on a property of another type,
     *     or names a sequencer or integer sequence that does not exist, or if the integer does not fit an {@code int};
     *     or as {@link SnowcastSequencer#nextAsync()} and {@link IntegerSequence#nextAsync()} fail
     */
    @Override
    public Publisher<Object> onBeforeConvert(Object document, String collection) {
        return LaterIds.fill(ids, document);
    }
}
