// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.hibernate;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import java.time.Instant;
import java.util.UUID;

/** Starts Hazelcast members for tests. */
public final class Members {
    public static final SnowcastEpoch EPOCH = SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z"));

    private Members() {}

    public static HazelcastInstance alone() {
        return Hazelcast.newHazelcastInstance(config());
    }

    public static Config config() {
        Config config = new Config().setClusterName("alone-" + UUID.randomUUID());
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        return config;
    }
}
