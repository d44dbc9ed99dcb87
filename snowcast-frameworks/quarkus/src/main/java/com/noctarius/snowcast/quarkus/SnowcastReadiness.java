// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import com.noctarius.snowcast.internal.frameworks.Readiness;
import com.noctarius.snowcast.internal.frameworks.Sources;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Reports whether all sequencers, integer sequences and node leases are ready, as a readiness check. It becomes a bean
 * only if the application has {@code quarkus-smallrye-health}, which gives it a scope. Without this extension the class
 * is not loaded, so the application does not need MicroProfile Health. Thread-safe.
 */
@org.eclipse.microprofile.health.Readiness
public class SnowcastReadiness implements HealthCheck {
    private final Instance<Sources> sources;

    /**
     * Creates the check; CDI calls this.
     *
     * @param sources the configured sources
     */
    @Inject
    public SnowcastReadiness(Instance<Sources> sources) {
        this.sources = sources;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("snowcast");
        if (ConfigProperties.present().exactKeysBelow("snowcast").isEmpty()) {
            return response.up().build();
        }
        Readiness readiness = Readiness.of(sources.get());
        readiness.details().forEach(response::withData);
        return response.status(readiness.isUp()).build();
    }
}
