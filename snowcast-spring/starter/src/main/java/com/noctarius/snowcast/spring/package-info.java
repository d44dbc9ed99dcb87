/**
 * Sequencers, integer sequences and node leases as beans of Spring and Spring Boot.
 *
 * <p>With Spring Boot, an application does not use this package directly: the properties {@code snowcast.sequencers.…},
 * {@code snowcast.sequences.…} and {@code snowcast.node-leases.…} define the beans, with health, meters and the
 * endpoint {@code snowcast}. Without Boot, declare a {@link com.noctarius.snowcast.spring.SequencerFactoryBean},
 * {@link com.noctarius.snowcast.spring.IntegerSequenceFactoryBean} or
 * {@link com.noctarius.snowcast.spring.NodeLeaseFactoryBean}, and bind
 * {@link com.noctarius.snowcast.spring.SnowcastMetrics} to a Micrometer registry.
 */
@NullMarked
package com.noctarius.snowcast.spring;

import org.jspecify.annotations.NullMarked;
