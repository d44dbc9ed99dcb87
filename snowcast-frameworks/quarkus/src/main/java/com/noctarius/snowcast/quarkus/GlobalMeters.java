// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import com.noctarius.snowcast.internal.frameworks.SnowcastMeters;
import com.noctarius.snowcast.internal.frameworks.Sources;
import io.micrometer.core.instrument.Metrics;

/** Registers meters in Micrometer's global registry, for Quarkus. A separate class, because Micrometer is optional. */
final class GlobalMeters {
    private GlobalMeters() {}

    static AutoCloseable of(Sources sources) {
        return new SnowcastMeters(sources, Metrics.globalRegistry);
    }
}
