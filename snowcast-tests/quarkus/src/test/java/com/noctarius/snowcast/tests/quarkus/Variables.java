// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests.quarkus;

import io.smallrye.config.EnvConfigSource;
import java.io.Serial;
import java.util.Map;

/**
 * Environment variables of every start of the application: one that sets a property, and those that Kubernetes sets for
 * Services whose names begin with "snowcast".
 */
public final class Variables extends EnvConfigSource {
    @Serial
    private static final long serialVersionUID = 1L;

    public Variables() {
        super(
                Map.of(
                        "SNOWCAST_JDBC_TABLE_PREFIX", "shop",
                        "SNOWCAST_HAZELCAST_PORT", "tcp://10.0.0.1:5701",
                        "SNOWCAST_SEQUENCERS_SERVICE_HOST", "10.0.0.2"),
                300);
    }
}
