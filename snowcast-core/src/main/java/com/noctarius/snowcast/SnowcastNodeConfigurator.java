// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast;

import com.hazelcast.config.Config;
import java.util.Objects;

/**
 * Has no effect any more. In snowcast 1, this class configured Hazelcast members.
 *
 * @deprecated remove the calls: Hazelcast finds snowcast on the class path by itself
 */
@Deprecated(since = "3.0.0")
public final class SnowcastNodeConfigurator {
    private SnowcastNodeConfigurator() {}

    /** {@return the configuration that Hazelcast would start with, as {@link Config#load()} does} */
    public static Config buildSnowcastAwareConfig() {
        return Config.load();
    }

    /**
     * {@return the given configuration: the same object, unchanged}
     *
     * @param config any configuration
     * @throws NullPointerException if {@code config} is null
     */
    public static Config buildSnowcastAwareConfig(Config config) {
        return Objects.requireNonNull(config, "config");
    }
}
