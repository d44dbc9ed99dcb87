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
 * Whether this process can go on generating IDs. A bean where the application has {@code quarkus-smallrye-health},
 * which gives it a scope; without, no class of MicroProfile Health is needed. Thread-safe.
 */
@org.eclipse.microprofile.health.Readiness
public class SnowcastReadiness implements HealthCheck {
    private final Instance<Sources> sources;

    /**
     * To be called by CDI.
     *
     * @param sources what is configured
     */
    @Inject
    public SnowcastReadiness(Instance<Sources> sources) {
        this.sources = sources;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("snowcast");
        if (ConfigProperties.present().keysBelow("snowcast").isEmpty()) {
            return response.up().build();
        }
        Readiness readiness = Readiness.of(sources.get());
        readiness.details().forEach(response::withData);
        return response.status(readiness.isUp()).build();
    }
}
