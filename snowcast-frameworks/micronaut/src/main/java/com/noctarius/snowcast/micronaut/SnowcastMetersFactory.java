// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.internal.frameworks.SnowcastMeters;
import com.noctarius.snowcast.internal.frameworks.Sources;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;

/**
 * The factory of the meters, if Micrometer is present. It is not a {@code MeterBinder}, because the sources need the
 * connection pool, and the registry calls binders before the pool exists.
 */
@Factory
@Requires(classes = MeterRegistry.class)
@Requires(beans = {MeterRegistry.class, Sources.class})
final class SnowcastMetersFactory {
    @Context
    @Bean(preDestroy = "close")
    SnowcastMeters meters(Sources sources, MeterRegistry registry) {
        return new SnowcastMeters(sources, registry);
    }
}
