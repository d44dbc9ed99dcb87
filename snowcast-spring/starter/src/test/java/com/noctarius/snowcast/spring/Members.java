// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Configures and starts Hazelcast members and clients. A member forms its own cluster, unless it is one of two. */
final class Members {
    private Members() {}

    /** Returns the configuration of a member that does not search for others, and whose cluster name is unique. */
    static Config config() {
        Config config = com.noctarius.snowcast.hibernate.Members.config();
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        // Bind only this address, because other tests run members at the same port of other loopback addresses.
        return config.setProperty("hazelcast.socket.bind.any", "false");
    }

    /** Returns the configuration of one of two members, with a split-brain protection that requires both. */
    static Config oneOfTwo(String clusterName, int port, int peer, String protection) {
        Config config = config().setClusterName(clusterName);
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        config.getNetworkConfig()
                .getJoin()
                .getTcpIpConfig()
                .setEnabled(true)
                .setMembers(List.of("127.0.0.1:" + port, "127.0.0.1:" + peer));
        SplitBrainProtectionConfig both = new SplitBrainProtectionConfig(protection, true, 2);
        both.setProtectOn(SplitBrainProtectionOn.READ_WRITE);
        return config.addSplitBrainProtectionConfig(both);
    }

    static HazelcastInstance start() {
        return Hazelcast.newHazelcastInstance(config());
    }

    static ClientConfig clientConfig(HazelcastInstance member) {
        ClientConfig config = new ClientConfig();
        config.setClusterName(member.getConfig().getClusterName());
        config.getNetworkConfig()
                .addAddress("127.0.0.1:"
                        + member.getCluster().getLocalMember().getAddress().getPort());
        return config;
    }

    static HazelcastInstance startClient(HazelcastInstance member) {
        return HazelcastClient.newHazelcastClient(clientConfig(member));
    }

    /** Returns a list to which a state is added when the member begins to shut down. */
    static <T> List<T> atShutdown(HazelcastInstance member, Supplier<T> state) {
        List<T> states = new CopyOnWriteArrayList<>();
        member.getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleState.SHUTTING_DOWN) {
                states.add(state.get());
            }
        });
        return states;
    }
}
