// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSystem;

/**
 * The main class of {@link StartsClusterTest}: starts a member and a client, prints an ID or an exception for each, and
 * exits.
 */
public final class StartMain {
    private StartMain() {}

    public static void main(String[] args) {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        ClientConfig clientConfig = new ClientConfig();
        int port = member.getCluster().getLocalMember().getAddress().getPort();
        clientConfig.getNetworkConfig().addAddress("127.0.0.1:" + port);
        System.out.println("snowcast: " + outcome(member));
        System.out.println("client: " + outcome(HazelcastClient.newHazelcastClient(clientConfig)));
        member.getMap("map").put("key", "value");
        System.out.println("member: " + member.getMap("map").get("key"));
        Runtime.getRuntime().halt(0);
    }

    private static String outcome(HazelcastInstance hazelcast) {
        try {
            return "ID "
                    + SnowcastSystem.snowcast(hazelcast)
                            .createSequencer("orders", SnowcastEpoch.byTimestamp(0))
                            .next();
        } catch (RuntimeException | InterruptedException e) {
            return e.toString();
        }
    }
}
