// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.quarkus;

import com.noctarius.snowcast.internal.frameworks.TextProperties;
import io.smallrye.config.EnvConfigSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * The MicroProfile configuration: at build time the configuration of the build, later that of the running application.
 * In a property name, a key that contains dots is in quotation marks.
 */
record ConfigProperties(Config config) implements TextProperties {
    private static final Pattern OF_KEY = Pattern.compile("(snowcast\\.[^.]+)\\.(.+\\..+)(\\.[^.]+)");
    private static final Pattern KEY = Pattern.compile("\"([^\"]+)\".*|([^.]+).*");

    static ConfigProperties present() {
        return new ConfigProperties(ConfigProvider.getConfig());
    }

    @Override
    public Optional<String> get(String name) {
        return config.getOptionalValue(quoted(name), String.class);
    }

    private static String quoted(String name) {
        return OF_KEY.matcher(name).replaceFirst("$1.\"$2\"$3");
    }

    @Override
    public Set<String> keysBelow(String prefix) {
        return keysBelow(prefix, Set.of());
    }

    @Override
    public Set<String> exactKeysBelow(String prefix) {
        Set<String> ofVariables = new HashSet<>();
        for (ConfigSource source : config.getConfigSources()) {
            if (source instanceof EnvConfigSource) {
                ofVariables.addAll(source.getPropertyNames());
            }
        }
        return keysBelow(prefix, ofVariables);
    }

    private Set<String> keysBelow(String prefix, Set<String> ignoredNames) {
        String last = ".any";
        String quoted = quoted(prefix + last);
        String begin = quoted.substring(0, quoted.length() - last.length() + 1);
        Set<String> keys = new TreeSet<>();
        for (String name : config.getPropertyNames()) {
            if (name.startsWith(begin) && !ignoredNames.contains(name)) {
                Matcher key = KEY.matcher(name.substring(begin.length()));
                if (key.matches()) {
                    keys.add(key.group(1) == null ? key.group(2) : key.group(1));
                }
            }
        }
        return keys;
    }
}
