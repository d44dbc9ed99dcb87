// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import org.jspecify.annotations.Nullable;

/** A web application of {@link RedeployTest} with a member and a client, which it shuts down when it ends. */
public class RedeployedHazelcast implements ServletContextListener {
    private @Nullable HazelcastInstance member;
    private @Nullable HazelcastInstance client;

    @Override
    public final void contextInitialized(ServletContextEvent event) {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", "11");
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        HazelcastInstance started = Hazelcast.newHazelcastInstance(config);
        member = started;
        ClientConfig clientConfig = new ClientConfig();
        clientConfig.setProperty("hazelcast.client.shutdownhook.enabled", "false");
        clientConfig
                .getNetworkConfig()
                .addAddress("127.0.0.1:"
                        + started.getCluster().getLocalMember().getAddress().getPort());
        HazelcastInstance connected = HazelcastClient.newHazelcastClient(clientConfig);
        client = connected;
        connected.getMap("map").put("key", "value");
        use(started);
        use(connected);
    }

    void use(HazelcastInstance hazelcast) {
        hazelcast.getMap("map").getAsync("key").toCompletableFuture().join();
    }

    @Override
    public final void contextDestroyed(ServletContextEvent event) {
        if (client != null) {
            client.shutdown();
        }
        if (member != null) {
            member.shutdown();
        }
    }
}
