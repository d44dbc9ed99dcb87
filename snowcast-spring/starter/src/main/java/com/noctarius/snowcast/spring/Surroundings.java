// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * The environment in which this process runs.
 *
 * @param container the kind of container in which the process runs, and how it was recognized, for messages; null
 *     outside a container
 */
record Surroundings(@Nullable String container) {
    private static final String IN_KUBERNETES = "KUBERNETES_SERVICE_HOST";

    /** Docker creates the first file, Podman and CRI-O create the second. */
    private static final List<Path> IN_A_CONTAINER = List.of(Path.of("/.dockerenv"), Path.of("/run/.containerenv"));

    static Surroundings of(Environment environment, Predicate<Path> exists) {
        if (environment.containsProperty(IN_KUBERNETES)) {
            return new Surroundings("a pod of Kubernetes (" + IN_KUBERNETES + " is set)");
        }
        return IN_A_CONTAINER.stream()
                .filter(exists)
                .findFirst()
                .map(sign -> new Surroundings("a container (" + sign + " exists)"))
                .orElse(new Surroundings(null));
    }
}
