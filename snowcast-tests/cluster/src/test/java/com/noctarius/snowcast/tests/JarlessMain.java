// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;

/**
 * The main class of {@link JarlessMemberClusterTest}. Needs only Hazelcast. The process ends with its standard input.
 */
public final class JarlessMain {
    private JarlessMain() {}

    /** Arguments: cluster name, own port, port of a member, number of partitions. */
    public static void main(String[] args) throws Exception {
        Config config = new Config().setClusterName(args[0]);
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", args[3]);
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.getNetworkConfig().setPort(Integer.parseInt(args[1])).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:" + args[2]);
        Hazelcast.newHazelcastInstance(config);
        while (System.in.read() >= 0) {
            // The test sends no input. When the test's process ends, the stream ends, and so does this process.
        }
        Runtime.getRuntime().halt(0);
    }
}
