// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.micronaut;

import com.noctarius.snowcast.internal.frameworks.TextProperties;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.core.naming.NameUtils;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The configuration of a Micronaut application, as text. */
record EnvironmentProperties(Environment environment) implements TextProperties {
    @Override
    public Optional<String> get(String name) {
        return environment.getProperty(name, String.class);
    }

    @Override
    public Set<String> keysBelow(String prefix) {
        return new TreeSet<>(environment.getPropertyEntries(prefix));
    }

    @Override
    public Set<String> exactKeysBelow(String prefix) {
        return written(prefix).keySet();
    }

    /** Returns {@code myOrders} for the key {@code my-orders}, to which Micronaut changes it. */
    @Override
    public String asWritten(String prefix, String key) {
        Set<String> forms = written(prefix).getOrDefault(key, Set.of(key));
        if (forms.size() > 1) {
            throw new IllegalArgumentException("the keys " + String.join(" and ", forms) + " of " + prefix
                    + " cannot be distinguished: write the key in one of these forms everywhere");
        }
        return forms.iterator().next();
    }

    /** Returns Micronaut's forms of the keys, with the forms in the files and other sources with exact names. */
    private Map<String, Set<String>> written(String prefix) {
        int position = prefix.split("\\.", -1).length;
        Map<String, Set<String>> keys = new TreeMap<>();
        for (PropertySource source : environment.getPropertySources()) {
            if (source.getConvention() != PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE) {
                for (String name : source) {
                    String changed = NameUtils.hyphenate(name, true);
                    if (changed.startsWith(prefix + ".")) {
                        keys.computeIfAbsent(changed.split("\\.", -1)[position], key -> new TreeSet<>())
                                .add(name.split("\\.", -1)[position]);
                    }
                }
            }
        }
        return keys;
    }
}
