// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.internal.frameworks.Sources;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/**
 * Reports as readiness whether all sequencers, integer sequences and node leases are ready, if
 * {@code micronaut-management} is present.
 */
@Singleton
@Readiness
@Requires(classes = HealthIndicator.class)
@Requires(beans = Sources.class)
final class SnowcastHealthIndicator implements HealthIndicator {
    private final Sources sources;

    SnowcastHealthIndicator(Sources sources) {
        this.sources = sources;
    }

    @Override
    public Publisher<HealthResult> getResult() {
        var readiness = com.noctarius.snowcast.internal.frameworks.Readiness.of(sources);
        return Publishers.just(HealthResult.builder("snowcast", readiness.isUp() ? HealthStatus.UP : HealthStatus.DOWN)
                .details(readiness.details())
                .build());
    }
}
