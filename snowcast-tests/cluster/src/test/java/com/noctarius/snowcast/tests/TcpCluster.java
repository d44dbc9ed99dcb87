// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.ClusterState;
import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Consumer;

/** A cluster whose members and clients use TCP on the loopback interface. */
final class TcpCluster extends TestCluster {
    static final String LOOPBACK = "127.0.0.1";

    private final String name;
    private Optional<String> onlyAddress = Optional.empty();
    private OptionalInt nextPort = OptionalInt.empty();

    TcpCluster(String name, Map<String, String> properties, Ledger ledger) {
        super(properties, ledger);
        this.name = name;
    }

    static TcpCluster of(int size, Map<String, String> properties) {
        return of(newClusterName(), size, properties);
    }

    static String newClusterName() {
        return "snowcast-" + UUID.randomUUID();
    }

    /** Starts a cluster. Two clusters with the same name do not join, because neither has the other's addresses. */
    static TcpCluster of(String name, int size, Map<String, String> properties) {
        TcpCluster cluster = new TcpCluster(name, properties, new Ledger());
        for (int i = 0; i < size; i++) {
            cluster.addMember();
        }
        cluster.awaitSafe();
        return cluster;
    }

    String name() {
        return name;
    }

    static int portOf(HazelcastInstance member) {
        return member.getCluster().getLocalMember().getAddress().getPort();
    }

    /** Starts a member at a port, such as the port of a crashed member. */
    HazelcastInstance addMemberAt(int port) {
        nextPort = OptionalInt.of(port);
        return addMember();
    }

    @Override
    HazelcastInstance newMember(Config config) {
        int port = nextPort.isPresent() ? nextPort.getAsInt() : FreePort.get();
        nextPort = OptionalInt.empty();
        // Present members only, because each absent one delays the start by a second.
        List<Integer> peers = members().stream().map(TcpCluster::portOf).toList();
        return Hazelcast.newHazelcastInstance(onLoopback(config, name, port, peers));
    }

    /**
     * Crashes the backup of a name, starts a new member in its place, discards the new member's data, and then crashes
     * the owner. Returns the new member, which is then the owner.
     */
    HazelcastInstance loseDataOf(String sequence) {
        HazelcastInstance owner = owner(sequence);
        HazelcastInstance backup = backup(sequence);
        int partition = owner.getPartitionService().getPartition(sequence).getPartitionId();
        TestCluster.changeState(owner, ClusterState.FROZEN);
        int port = portOf(backup);
        crash(backup);
        HazelcastInstance returned = addMemberAt(port);
        Await.until("its place", () -> isReplica(returned, sequence, 1));
        Replicas.missAll(returned);
        crash(owner);
        awaitSize();
        TestCluster.changeState(returned, ClusterState.ACTIVE);
        Await.until("a promotion", () -> Replicas.isOwner(returned, partition));
        awaitSafe();
        return returned;
    }

    /** Completes the configuration of a member at a port. The member searches for other members at the peers' ports. */
    static Config onLoopback(Config config, String clusterName, int port, Collection<Integer> peers) {
        List<String> addresses =
                peers.stream().map(peer -> LOOPBACK + ':' + peer).toList();
        return at(LOOPBACK, port, addresses, config.setClusterName(clusterName));
    }

    /**
     * Completes the configuration of a member at an address. The member searches for other members at the peers'
     * addresses.
     */
    static Config at(String host, int port, Collection<String> peers, Config config) {
        config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(host);
        JoinConfig join = config.getNetworkConfig().getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true);
        peers.forEach(join.getTcpIpConfig()::addMember);
        return config;
    }

    /** Starts a client that knows only one port, that of a member or of a {@link Relay}. */
    HazelcastInstance addClientAt(int port, Consumer<ClientConfig> settings) {
        onlyAddress = Optional.of(LOOPBACK + ':' + port);
        return addClient(settings);
    }

    @Override
    HazelcastInstance newClient(ClientConfig config) {
        config.setClusterName(name);
        List<String> addresses = new ArrayList<>();
        onlyAddress.ifPresent(addresses::add);
        members().stream()
                .filter(member -> onlyAddress.isEmpty())
                .forEach(member -> addresses.add(LOOPBACK + ':' + portOf(member)));
        // The addresses that a test has added come last.
        addresses.addAll(config.getNetworkConfig().getAddresses());
        config.getNetworkConfig().setAddresses(addresses);
        onlyAddress = Optional.empty();
        return HazelcastClient.newHazelcastClient(config);
    }

    @Override
    void terminate() {
        terminateAll();
    }
}
