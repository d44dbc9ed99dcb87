// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import org.jspecify.annotations.Nullable;

/**
 * Starts members and clients of the cluster of a run. The processes of a crowd, many that start at once, are clients;
 * all other processes are members.
 */
final class Members {
    private static final String QUORUM = "majority";
    /** Enough ports for three members, a twin of one, and a killed member that still holds its port for a moment. */
    private static final int PORTS = 5;

    private static @Nullable HazelcastInstance instance;

    private Members() {}

    /**
     * Returns the member of this process, or its client if the process belongs to a crowd. The first call starts the
     * member or client; all generators of the process share it.
     */
    static synchronized HazelcastInstance join(Setup setup) {
        if (instance == null) {
            instance = setup.isOfCrowd() ? client(setup) : member(setup);
        }
        return instance;
    }

    /**
     * Returns the name of the cluster. Runs that share this machine's network have different ports, and thus different
     * names.
     */
    private static String cluster(Setup setup) {
        return "peers-" + setup.port();
    }

    private static HazelcastInstance client(Setup setup) {
        ClientConfig config = new ClientConfig().setClusterName(cluster(setup));
        setup.members().forEach(member -> config.getNetworkConfig().addAddress(member + ':' + setup.port()));
        return HazelcastClient.newHazelcastClient(config);
    }

    private static HazelcastInstance member(Setup setup) {
        Config config = new Config().setClusterName(cluster(setup));
        // If another process has the port at this address, the member takes one of the next ports.
        config.getNetworkConfig().setPort(setup.port()).setPortAutoIncrement(true);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(setup.address());
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        setup.members().forEach(member -> addMember(join, member, setup.port()));
        // With these settings, members notice a fault of ten seconds, and recover from it soon.
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

    /** Adds all ports that members can have at one address. */
    private static void addMember(JoinConfig join, String member, int first) {
        for (int port = first; port < first + PORTS; port++) {
            join.getTcpIpConfig().addMember(member + ':' + port);
        }
    }
}
