// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.cassandra.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster of real Cassandra nodes for tests, in one or several datacenters. Each node is a process on this machine
 * with its own loopback address, and ends when this JVM ends. Needs Linux and Java 17, but neither Docker nor an
 * installation of Cassandra. Not thread-safe.
 */
public final class CassandraCluster implements AutoCloseable {
    private static final Duration AT_MOST = Duration.ofMinutes(5);

    private final Path directory;
    private final List<CassandraNode> nodes;

    private CassandraCluster(Path directory, List<CassandraNode> nodes) {
        this.directory = directory;
        this.nodes = nodes;
    }

    /**
     * Starts one node for each element of {@code datacenters}, and waits until all nodes serve requests and see each
     * other.
     *
     * @param parent where to create a directory for the data of the nodes
     * @param datacenters the datacenter of each node
     */
    public static CassandraCluster start(Path parent, String... datacenters) {
        return start(parent, Map.of(), datacenters);
    }

    /**
     * Starts one node for each element of {@code datacenters}, and waits until all nodes serve requests and see each
     * other.
     *
     * @param parent where to create a directory for the data of the nodes
     * @param settings settings to replace in {@code cassandra.yaml}, or to add to it
     * @param datacenters the datacenter of each node
     */
    public static CassandraCluster start(Path parent, Map<String, String> settings, String... datacenters) {
        return start(parent, settings, List.of(), datacenters);
    }

    /** Starts a node for measurements. Unlike other nodes, it has the memory of a small server, and the C2 compiler. */
    public static CassandraCluster startToMeasure(Path parent, String datacenter) {
        return start(parent, Map.of(), NodeJava.FLAGS_OF_A_SERVER, datacenter);
    }

    private static CassandraCluster start(
            Path parent, Map<String, String> settings, List<String> jvmFlags, String... datacenters) {
        try {
            Files.createDirectories(parent);
            Path directory = Files.createTempDirectory(parent.toAbsolutePath(), "cassandra");
            List<String> hosts = freeHosts(datacenters.length);
            List<CassandraNode> nodes = IntStream.range(0, datacenters.length)
                    .mapToObj(i ->
                            new CassandraNode(hosts.get(i), datacenters[i], directory.resolve("node" + i), jvmFlags))
                    .toList();
            CassandraCluster cluster = new CassandraCluster(directory, nodes);
            try {
                for (int i = 0; i < nodes.size(); i++) {
                    nodes.get(i).configure(i, nodes.size(), String.join(",", hosts), settings);
                    nodes.get(i).launch();
                }
                nodes.forEach(CassandraNode::awaitReady);
                cluster.awaitMembers();
            } catch (IOException | RuntimeException e) {
                cluster.killAll();
                throw e;
            }
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns loopback addresses with free ports. On Linux, all of 127.0.0.0/8 is loopback. */
    private static List<String> freeHosts(int count) {
        Random random = new Random();
        for (int tried = 0; tried < 100; tried++) {
            String subnet = "127." + random.nextInt(1, 250) + "." + random.nextInt(1, 250) + ".";
            List<String> hosts =
                    IntStream.rangeClosed(1, count).mapToObj(i -> subnet + i).toList();
            if (hosts.stream().allMatch(CassandraCluster::isFree)) {
                return hosts;
            }
        }
        throw new IllegalStateException("no free loopback addresses found; are this machine's others than 127.0.0.1?");
    }

    private static boolean isFree(String host) {
        try (ServerSocket storage = new ServerSocket(7000, 1, InetAddress.getByName(host));
                ServerSocket cql = new ServerSocket(9042, 1, InetAddress.getByName(host))) {
            return storage.isBound() && cql.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the nodes, in the order of the datacenters that were given at the start. */
    public List<CassandraNode> nodes() {
        return nodes;
    }

    public CassandraNode node(int index) {
        return nodes.get(index);
    }

    // --- faults

    /** Cuts all datacenters off from each other, in both directions. Clients still reach all nodes. */
    public void cutDatacenters() {
        for (CassandraNode node : nodes) {
            String others = nodes.stream()
                    .filter(other -> !other.datacenter().equals(node.datacenter()))
                    .map(CassandraNode::host)
                    .collect(Collectors.joining(","));
            node.command("cut " + others);
        }
    }

    /** Cuts a node off from all others, in both directions. Clients still reach the node. */
    public void cutOff(CassandraNode node) {
        String others = nodes.stream()
                .filter(other -> other != node)
                .map(CassandraNode::host)
                .collect(Collectors.joining(","));
        node.command("cut " + others);
    }

    /**
     * Drops and delays messages for reads, writes and Paxos between all nodes, until {@link #heal()}.
     *
     * @param dropPercent the percentage of messages to drop
     * @param maxDelayMillis the maximum of the random delay of all other messages
     */
    public void disturb(int dropPercent, int maxDelayMillis) {
        for (CassandraNode from : nodes) {
            for (CassandraNode to : nodes) {
                if (from != to) {
                    String name = "from-" + from.host() + "-to-" + to.host();
                    from.disturb(name, "(PAXOS|READ|MUTATION).*", to, dropPercent, 0, maxDelayMillis);
                }
            }
        }
    }

    /** Ends cuts and disturbances. Dropped messages stay lost. */
    public void heal() {
        nodes.forEach(node -> node.command("heal"));
    }

    // --- waiting

    public void awaitMembers() {
        String all = Integer.toString(nodes.size());
        await(
                "every node sees all others",
                () -> nodes.stream().allMatch(node -> node.command("live").equals(all)));
    }

    /** Waits until all nodes have the same schema. The driver's own check may succeed a little earlier. */
    public void awaitSchema() {
        await(
                "the same schema everywhere",
                () -> nodes.stream()
                                .map(node -> node.command("schema"))
                                .distinct()
                                .count()
                        == 1);
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("not within " + AT_MOST + ": " + what + " in " + this);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    // --- the end

    private void killAll() {
        nodes.forEach(CassandraNode::kill);
    }

    /** Kills all nodes and deletes their data. */
    @Override
    public void close() {
        killAll();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file :
                    new ArrayList<>(files.sorted(Comparator.reverseOrder()).toList())) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return "CassandraCluster" + nodes;
    }
}
