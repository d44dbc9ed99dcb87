// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.examples;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A cluster of members in this JVM, which find each other over the loopback interface only. */
final class LocalCluster implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final List<HazelcastInstance> members;

    private LocalCluster(List<HazelcastInstance> members) {
        this.members = members;
    }

    static LocalCluster start(int size) {
        return start(size, Map.of());
    }

    static LocalCluster start(int size, Map<String, String> properties) {
        setDefault("hazelcast.logging.type", "none");
        setDefault("hazelcast.phone.home.enabled", "false");
        String clusterName = "snowcast-example-" + UUID.randomUUID();
        List<Integer> ports = freePorts(size);
        List<HazelcastInstance> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(Hazelcast.newHazelcastInstance(config(clusterName, ports.subList(0, i + 1), properties)));
        }
        return new LocalCluster(List.copyOf(members));
    }

    private static void setDefault(String property, String value) {
        System.setProperty(property, System.getProperty(property, value));
    }

    /** Returns the configuration of the member at the last port. Its peers are the members at the other ports. */
    private static Config config(String clusterName, List<Integer> ports, Map<String, String> properties) {
        Config config = new Config().setClusterName(clusterName);
        config.setProperty("hazelcast.wait.seconds.before.join", "0");
        properties.forEach(config::setProperty);
        config.getJetConfig().setEnabled(false);
        config.getNetworkConfig().setPort(ports.get(ports.size() - 1)).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        ports.forEach(port -> join.getTcpIpConfig().addMember(LOOPBACK + ":" + port));
        return config;
    }

    private static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports.add(socket.getLocalPort());
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no free port", e);
        }
        return ports;
    }

    List<HazelcastInstance> members() {
        return members;
    }

    @Override
    public void close() {
        members.forEach(HazelcastInstance::shutdown);
    }
}
