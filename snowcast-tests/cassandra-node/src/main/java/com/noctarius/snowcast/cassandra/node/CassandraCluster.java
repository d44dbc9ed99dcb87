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
 * Cassandra nodes of one or several datacenters on this machine, on loopback addresses that nobody else uses. They end
 * when this JVM does. Needs Linux and Java 17, and neither Docker nor an installation. Not thread-safe.
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
     * Starts nodes, and waits until they serve and every one sees all others.
     *
     * @param parent where a directory for their data is made
     * @param datacenters one for each node
     * @return the cluster
     */
    public static CassandraCluster start(Path parent, String... datacenters) {
        return start(parent, Map.of(), datacenters);
    }

    /**
     * Starts nodes, and waits until they serve and every one sees all others.
     *
     * @param parent where a directory for their data is made
     * @param settings what their {@code cassandra.yaml} has instead of, or in addition to, what it has otherwise
     * @param datacenters one for each node
     * @return the cluster
     */
    public static CassandraCluster start(Path parent, Map<String, String> settings, String... datacenters) {
        return start(parent, settings, List.of(), datacenters);
    }

    /**
     * Starts a node that may use as much memory as a small server, and all compilers, which a test does without.
     *
     * @param parent where a directory for its data is made
     * @param datacenter that of the node
     * @return the cluster
     */
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

    /** On Linux the whole of 127.0.0.0/8 is loopback. */
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

    /**
     * Returns the nodes.
     *
     * @return in the order of their datacenters
     */
    public List<CassandraNode> nodes() {
        return nodes;
    }

    /**
     * Returns a node.
     *
     * @param index its position
     * @return the node
     */
    public CassandraNode node(int index) {
        return nodes.get(index);
    }

    // --- faults

    /** Cuts all datacenters off from each other, in both directions. Clients still reach each of them. */
    public void cutDatacenters() {
        for (CassandraNode node : nodes) {
            String others = nodes.stream()
                    .filter(other -> !other.datacenter().equals(node.datacenter()))
                    .map(CassandraNode::host)
                    .collect(Collectors.joining(","));
            node.command("cut " + others);
        }
    }

    /**
     * Cuts a node off from all others, in both directions. Clients still reach it.
     *
     * @param node one of this cluster
     */
    public void cutOff(CassandraNode node) {
        String others = nodes.stream()
                .filter(other -> other != node)
                .map(CassandraNode::host)
                .collect(Collectors.joining(","));
        node.command("cut " + others);
    }

    /**
     * Loses and delays messages about reads, writes and agreement between all nodes, until {@link #heal()}.
     *
     * @param dropPercent how many are lost
     * @param maxDelayMillis the others are delayed at random up to this
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

    /** Ends cuts and disturbances. Messages that were lost stay lost. */
    public void heal() {
        nodes.forEach(node -> node.command("heal"));
    }

    // --- waiting

    /** Waits until every node sees all others. */
    public void awaitMembers() {
        String all = Integer.toString(nodes.size());
        await(
                "every node sees all others",
                () -> nodes.stream().allMatch(node -> node.command("live").equals(all)));
    }

    /** Waits until all nodes have the same schema; what the driver waits for is a little less. */
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
