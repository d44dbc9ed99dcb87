// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import java.util.Objects;

/** Makes the configurations of members on a mock network, and finds their services. */
final class Members {
    private Members() {}

    /** Makes the configuration of a member that starts quickly, with properties as pairs of a key and a value. */
    static Config config(String... properties) {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", "11");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        for (int i = 0; i < properties.length; i += 2) {
            config.setProperty(properties[i], properties[i + 1]);
        }
        return config;
    }

    static SnowcastService service(HazelcastInstance member) {
        return (SnowcastService) Objects.requireNonNull(member.getUserContext().get(SnowcastService.NAME));
    }
}
