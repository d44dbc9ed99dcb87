// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.internal.frameworks.TextProperties;
import io.micronaut.core.value.PropertyResolver;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The configuration of a Micronaut application, as text. */
record EnvironmentProperties(PropertyResolver environment) implements TextProperties {
    @Override
    public Optional<String> get(String name) {
        return environment.getProperty(name, String.class);
    }

    @Override
    public Set<String> keysBelow(String prefix) {
        return new TreeSet<>(environment.getPropertyEntries(prefix));
    }
}
