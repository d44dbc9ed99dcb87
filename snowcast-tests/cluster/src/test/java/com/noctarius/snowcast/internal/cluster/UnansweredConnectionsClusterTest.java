// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.test.Accessors;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class UnansweredConnectionsClusterTest {
    /** Simulates a paused process: the operating system accepts connections, but the process answers nothing. */
    @Test
    void aConnectionThatNobodyAnswersIsClosed() throws Exception {
        Config config = new Config();
        config.setProperty("hazelcast.logging.type", "none");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Accessors.getNodeEngineImpl(member)
                    .getNode()
                    .getServer()
                    .getConnectionManager(EndpointQualifier.MEMBER)
                    .getOrConnect(new Address(silent.getInetAddress(), silent.getLocalPort()));
            try (Socket connection = silent.accept()) {
                connection.setSoTimeout((int) Duration.ofMinutes(3).toMillis());
                assertThat(connection.getInputStream().readAllBytes())
                        .asString()
                        .startsWith("HZC");
            }
        } finally {
            member.getLifecycleService().terminate();
        }
    }
}
