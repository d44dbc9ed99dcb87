// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A member of a cluster on the loopback interface, and the environment variables with which commands find the cluster.
 */
final class TestMember implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final HazelcastInstance member;
    private final Map<String, String> environment;

    private TestMember(HazelcastInstance member, Map<String, String> environment) {
        this.member = member;
        this.environment = environment;
    }

    static TestMember start() throws IOException {
        int port = freePort();
        String cluster = "cli-" + UUID.randomUUID();
        return new TestMember(
                start(cluster, port, port),
                Map.of("SNOWCAST_ADDRESS", LOOPBACK + ':' + port, "SNOWCAST_CLUSTER", cluster));
    }

    TestMember startPeer() throws IOException {
        int port = member.getCluster().getLocalMember().getAddress().getPort();
        return new TestMember(start(member.getConfig().getClusterName(), freePort(), port), environment);
    }

    /** Starts a member of another cluster with the same name. The two members do not search for each other. */
    TestMember startStranger() throws IOException {
        int port = freePort();
        return new TestMember(start(member.getConfig().getClusterName(), port, port), environment);
    }

    String address() {
        return LOOPBACK
                + ':'
                + member.getCluster().getLocalMember().getAddress().getPort();
    }

    private static HazelcastInstance start(String cluster, int port, int peer) {
        Config config = new Config();
        config.setClusterName(cluster);
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember(LOOPBACK + ':' + peer);
        return Hazelcast.newHazelcastInstance(config);
    }

    /** Returns a free port below Linux's default ports of outgoing connections, so that no such connection takes it. */
    static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 32_768);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // The port is in use.
            }
        }
    }

    Map<String, String> environment() {
        return environment;
    }

    Snowcast snowcast() {
        return SnowcastSystem.snowcast(member);
    }

    SnowcastSequencer sequencer(String name) {
        return snowcast().createSequencer(name, SnowcastEpoch.byInstant(Instant.parse("2024-01-01T00:00:00Z")));
    }

    CommandRun run(String... arguments) {
        return CommandRun.of("", environment, null, arguments);
    }

    @Override
    public void close() {
        member.getLifecycleService().terminate();
    }
}
