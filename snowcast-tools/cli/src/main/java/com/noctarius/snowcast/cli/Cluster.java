// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.XmlClientConfigBuilder;
import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** A connection to a cluster, as a client. Ends with the process, too, so that its logical nodes are free at once. */
final class Cluster implements AutoCloseable {
    private static final String NAME = "snowcast-cli";

    private final HazelcastInstance client;
    private final Thread hook;

    private Cluster(HazelcastInstance client) {
        this.client = client;
        this.hook = new Thread(client::shutdown, NAME + "-end");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static Cluster connect(ClusterOptions options, boolean isVerbose) throws IOException {
        return connect(config(options), options, isVerbose);
    }

    /** Connects to the cluster that the member at one address belongs to, wherever the others are. */
    static Cluster connectTo(String address, ClusterOptions options, boolean isVerbose) throws IOException {
        ClientConfig config = config(options);
        config.getNetworkConfig().setAddresses(List.of(address));
        return connect(config, options, isVerbose);
    }

    /** Returns the addresses that a client tries one after the other. */
    static List<String> addresses(ClusterOptions options) throws IOException {
        return config(options).getNetworkConfig().getAddresses();
    }

    private static Cluster connect(ClientConfig config, ClusterOptions options, boolean isVerbose) {
        Logs.configure(isVerbose);
        config.setInstanceName(NAME + '-' + UUID.randomUUID());
        config.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setClusterConnectTimeoutMillis(options.timeout().toMillis());
        try {
            return new Cluster(HazelcastClient.newHazelcastClient(config));
        } catch (IllegalStateException e) {
            throw new SnowcastException(
                    "no member of cluster " + config.getClusterName() + " answered within " + options.timeout() + " at "
                            + config.getNetworkConfig().getAddresses(),
                    e);
        }
    }

    private static ClientConfig config(ClusterOptions options) throws IOException {
        Path file = options.configuration();
        if (file == null) {
            ClientConfig config = new ClientConfig();
            config.setClusterName(options.clusterName());
            config.getNetworkConfig().addAddress(options.addresses().toArray(String[]::new));
            return config;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return file.toString().endsWith(".xml")
                    ? new XmlClientConfigBuilder(in).build()
                    : new YamlClientConfigBuilder(in).build();
        }
    }

    Snowcast snowcast() {
        return SnowcastSystem.snowcast(client);
    }

    /** Returns the members that the cluster lists, by the UUIDs that they have for as long as they belong to it. */
    Map<UUID, String> members() {
        Map<UUID, String> members = new TreeMap<>();
        client.getCluster()
                .getMembers()
                .forEach(member -> members.put(
                        member.getUuid(),
                        member.getAddress().getHost()
                                + ':'
                                + member.getAddress().getPort()));
        return members;
    }

    ClusterStatus status() {
        return ClusterStatus.of(client);
    }

    Optional<SequencerConfig> sequencer(String name) {
        return status().sequencers().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .map(each -> {
                    SequencerConfig.Builder config = SequencerConfig.builder(name)
                            .epoch(each.epoch())
                            .layout(each.layout())
                            .backupCount(each.backupCount());
                    Long above = each.startAbove();
                    return (above == null ? config : config.startAbove(above)).build();
                });
    }

    /** As it is in the cluster: a mistyped name is refused, not made. */
    SequencerConfig requireSequencer(String name) {
        return sequencer(name).orElseThrow(() -> unknown("sequencer", name, names()));
    }

    ClusterStatus.Integers requireIntegers(String name) {
        List<ClusterStatus.Integers> all = status().integerSequences();
        return all.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "integer sequence",
                        name,
                        all.stream().map(ClusterStatus.Integers::name).toList()));
    }

    static IntegerSequenceConfig config(ClusterStatus.Integers integers) {
        if (integers.hasParentStore()) {
            throw new WrongUseException("integer sequence " + integers.name()
                    + " has a parent store, which only a program with that store can open");
        }
        IntegerSequenceConfig.Builder config = IntegerSequenceConfig.builder(integers.name())
                .firstValue(integers.firstValue())
                .lastValue(integers.lastValue())
                .backupCount(integers.backupCount())
                .blockSize(1);
        return (integers.isInClusterOrder() ? config.ordering(com.noctarius.snowcast.Ordering.CLUSTER) : config)
                .build();
    }

    private List<String> names() {
        return status().sequencers().stream().map(ClusterStatus.Sequencer::name).toList();
    }

    private static WrongUseException unknown(String what, String name, List<String> names) {
        return new WrongUseException("the cluster has no " + what + " " + name + ", but " + names);
    }

    @Override
    public void close() {
        client.shutdown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process ends, and the hook has done the same.
            return;
        }
    }
}
