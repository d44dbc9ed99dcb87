/**
 * Support for sequencers, integer sequences and node leases as beans of Spring and Spring Boot.
 *
 * <p>With Spring Boot, applications do not use this package directly: the properties {@code snowcast.sequencers.…},
 * {@code snowcast.sequences.…} and {@code snowcast.node-leases.…} define the beans, and auto-configuration adds health,
 * meters and the actuator endpoint {@code snowcast}. Without Boot, declare a
 * {@link com.noctarius.snowcast.spring.SequencerFactoryBean},
 * {@link com.noctarius.snowcast.spring.IntegerSequenceFactoryBean} or
 * {@link com.noctarius.snowcast.spring.NodeLeaseFactoryBean}, and bind
 * {@link com.noctarius.snowcast.spring.SnowcastMetrics} to a Micrometer registry.
 */
@NullMarked
package com.noctarius.snowcast.spring;

import org.jspecify.annotations.NullMarked;
