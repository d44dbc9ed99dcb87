/**
 * Sequencers and integer sequences as beans of Spring and Spring Boot.
 *
 * <p>With Spring Boot an application needs nothing of this package: the properties {@code snowcast.sequencers.…} and
 * {@code snowcast.sequences.…} make the beans, with health, meters and the endpoint {@code snowcast}. Without Boot,
 * declare a {@link com.noctarius.snowcast.spring.SequencerFactoryBean} or an
 * {@link com.noctarius.snowcast.spring.IntegerSequenceFactoryBean}, and bind
 * {@link com.noctarius.snowcast.spring.SnowcastMetrics} to a registry of Micrometer.
 */
@NullMarked
package com.noctarius.snowcast.spring;

import org.jspecify.annotations.NullMarked;
