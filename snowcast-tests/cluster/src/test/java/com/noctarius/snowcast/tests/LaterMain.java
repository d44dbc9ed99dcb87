// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The main class of {@link WireVersionsTest}: a member or client that prints an ID or exception per sequencer. */
public final class LaterMain {
    static final String CLIENT = "client";

    static final Map<String, String> PROPERTIES = SplitNetwork.properties(Map.of("snowcast.lease.millis", "2000"));

    private LaterMain() {}

    /** Arguments: cluster name; own port, or "client"; port of a member; names of sequencers. */
    public static void main(String[] args) throws InterruptedException {
        HazelcastInstance hazelcast =
                args[1].equals(CLIENT) ? startClient(args[0], args[2]) : startMember(args[0], args[1], args[2]);
        for (String name : Arrays.asList(args).subList(3, args.length)) {
            try {
                System.out.println(
                        name + ": ID " + TestCluster.create(hazelcast, name).next());
            } catch (SnowcastException e) {
                System.out.println(name + ": " + e);
            }
        }
        hazelcast.shutdown();
    }

    private static HazelcastInstance startClient(String clusterName, String port) {
        ClientConfig config = new ClientConfig().setClusterName(clusterName);
        config.getNetworkConfig().addAddress(TcpCluster.LOOPBACK + ':' + port);
        return HazelcastClient.newHazelcastClient(config);
    }

    private static HazelcastInstance startMember(String clusterName, String port, String peer) {
        Config config = TestCluster.config(PROPERTIES);
        return Hazelcast.newHazelcastInstance(
                TcpCluster.onLoopback(config, clusterName, Integer.parseInt(port), List.of(Integer.valueOf(peer))));
    }
}
