// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cli;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.XmlClientConfigBuilder;
import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client connection to a cluster. It also closes when the process exits, so that its node IDs become free at once.
 */
final class Cluster implements Source {
    private static final String NAME = "snowcast-cli";
    private static final long AFTER_REFUSAL_MILLIS = 1_000;

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

    /** Connects to the cluster through the member at one address. */
    static Cluster connectTo(String address, ClusterOptions options, boolean isVerbose) throws IOException {
        ClientConfig config = config(options);
        config.getNetworkConfig().setAddresses(List.of(address));
        return connect(config, options, isVerbose);
    }

    static List<String> addresses(ClusterOptions options) throws IOException {
        return config(options).getNetworkConfig().getAddresses();
    }

    private static Cluster connect(ClientConfig config, ClusterOptions options, boolean isVerbose) {
        Logs.configure(isVerbose);
        config.setInstanceName(NAME + '-' + UUID.randomUUID());
        config.setProperty("hazelcast.logging.type", "jdk"); // The class Logs searches this log for refusals.
        config.getConnectionStrategyConfig()
                .getConnectionRetryConfig()
                .setClusterConnectTimeoutMillis(options.timeout().toMillis());
        return new Cluster(client(config, options.timeout()));
    }

    /** Starts a client. If a member refuses it, waits only another second for the members at other addresses. */
    private static HazelcastInstance client(ClientConfig config, Duration timeout) {
        CompletableFuture<Void> refused = new CompletableFuture<>();
        CompletableFuture<HazelcastInstance> client = new CompletableFuture<>();
        Logs.Watch watch = Logs.onRefusal(config.getInstanceName(), () -> refused.complete(null));
        try {
            Thread thread = new Thread(
                    () -> {
                        try {
                            client.complete(HazelcastClient.newHazelcastClient(config));
                        } catch (Throwable e) {
                            client.completeExceptionally(e); // Otherwise the caller would wait for ever.
                        }
                    },
                    NAME + "-start");
            thread.setDaemon(true);
            thread.start();
            CompletableFuture.anyOf(client, refused)
                    .exceptionally(failure -> null)
                    .join();
            return refused.isDone() ? client.get(AFTER_REFUSAL_MILLIS, TimeUnit.MILLISECONDS) : client.get();
        } catch (TimeoutException | ExecutionException e) {
            // The start continues in the background; shut the client down if it succeeds after all.
            CompletableFuture<Void> unused = client.thenAccept(HazelcastInstance::shutdown);
            throw notConnected(config, timeout, refused.isDone(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SnowcastException("interrupted while it connected", e);
        } finally {
            watch.end();
        }
    }

    private static RuntimeException notConnected(
            ClientConfig config, Duration timeout, boolean isRefused, Exception failure) {
        if (failure.getCause() instanceof RuntimeException cause && !(cause instanceof IllegalStateException)) {
            return cause;
        }
        if (failure.getCause() instanceof OutOfMemoryError error) {
            throw error;
        }
        if (failure.getCause() instanceof Error error) {
            return new SnowcastException("the client of the cluster cannot start: " + error, error);
        }
        List<String> addresses = config.getNetworkConfig().getAddresses();
        return new SnowcastException(
                isRefused
                        ? "a member at " + addresses + " refuses the connection: its cluster is not named "
                                + config.getClusterName()
                                + " (give its cluster-name as --cluster-name or SNOWCAST_CLUSTER),"
                                + " or it requires credentials (--client-config)"
                        : "no member of cluster " + config.getClusterName() + " answered within "
                                + Text.duration(timeout) + " at " + addresses
                                + ": is a member running there, and is its port open to this machine?",
                failure);
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

    @Override
    public String called() {
        return "the cluster";
    }

    @Override
    public Snowcast snowcast() {
        return SnowcastSystem.snowcast(client);
    }

    /** Returns the addresses of the members that the cluster lists, by UUID. */
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

    @Override
    public ClusterStatus status() {
        return SnowcastSystem.clusterStatus(client);
    }

    @Override
    public void close() {
        client.shutdown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is exiting, so the shutdown hook closes the client, too.
            return;
        }
    }
}
