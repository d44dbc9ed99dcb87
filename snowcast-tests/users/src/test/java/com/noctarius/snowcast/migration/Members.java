// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.migration;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.util.UUID;

/** Starts single members, which find no other member. */
final class Members {
    private Members() {}

    static HazelcastInstance start() {
        Config config = new Config().setClusterName("migration-" + UUID.randomUUID());
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        return Hazelcast.newHazelcastInstance(config);
    }
}
