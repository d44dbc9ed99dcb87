// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;

/** Members of the cluster of a run, and clients, of which a crowd consists. */
final class Members {
    private static final String CLUSTER = "peers";
    private static final String QUORUM = "majority";
    private static final int PORT = 5701;

    private Members() {}

    /** Starts a member, or a client for a process of a crowd. */
    static HazelcastInstance join(Setup setup) {
        return setup.isOfCrowd() ? client(setup) : member(setup);
    }

    private static HazelcastInstance client(Setup setup) {
        ClientConfig config = new ClientConfig().setClusterName(CLUSTER);
        setup.members().forEach(member -> config.getNetworkConfig().addAddress(member + ':' + PORT));
        return HazelcastClient.newHazelcastClient(config);
    }

    private static HazelcastInstance member(Setup setup) {
        Config config = new Config().setClusterName(CLUSTER);
        // The next ports are for a process that is started where another one already is.
        config.getNetworkConfig().setPort(PORT).setPortAutoIncrement(true);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(setup.address());
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        setup.members().forEach(join.getTcpIpConfig()::addMember);
        // A fault of ten seconds is to be noticed, and to be over soon after.
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1")
                .setProperty("hazelcast.max.no.heartbeat.seconds", "8")
                .setProperty("hazelcast.merge.first.run.delay.seconds", "5")
                .setProperty("hazelcast.merge.next.run.delay.seconds", "5")
                .setProperty("hazelcast.partition.migration.timeout", "60")
                .setProperty(
                        "snowcast.lease.millis", Long.toString(setup.lease().toMillis()))
                .setProperty("snowcast.max.clock.skew.millis", "5000")
                .setProperty("snowcast.split.brain.protection.name", QUORUM)
                .addSplitBrainProtectionConfig(
                        new SplitBrainProtectionConfig(QUORUM, true).setMinimumClusterSize(Schedule.PLACES / 2 + 1));
        return Hazelcast.newHazelcastInstance(config);
    }
}
