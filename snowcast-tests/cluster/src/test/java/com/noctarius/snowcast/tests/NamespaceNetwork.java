// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A network of places: Linux namespaces with an address, connected by a bridge. Each place can drop the packets that it
 * receives from chosen other places. The network requires root, and the commands {@code ip} and {@code iptables}.
 *
 * <p>The places and the bridge are in unnamed namespaces. Each namespace exists as long as its helper process, which
 * ends with this JVM at the latest. The network of the machine does not change.
 */
public final class NamespaceNetwork implements AutoCloseable {
    private static final String SUBNET = "10.213.77.";

    /** A rule of {@code iptables-save --counters} that drops packets. */
    private static final Pattern DROPPED = Pattern.compile("(?m)^\\[(\\d+):\\d+] -A INPUT .*-j DROP$");

    private final Process bridge;
    private final List<Process> places = new ArrayList<>();
    private long dropped;

    /** The packets from one place to another. */
    public record Direction(int from, int to) {}

    public NamespaceNetwork() throws IOException {
        bridge = newNamespace();
        try {
            run(bridge, "ip link add br0 type bridge && ip link set br0 up", "");
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns the reason why this machine cannot have such a network, if there is one. */
    public static Optional<String> obstacle() {
        try (NamespaceNetwork network = new NamespaceNetwork()) {
            network.addPlace();
            network.lose(30);
            network.drop(Set.of(new Direction(1, 0)));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    "network namespaces need Linux, root, and the commands ip and iptables: " + e.getMessage());
        }
    }

    /** Adds a place: a namespace with an address that all other places reach. Returns its number. */
    public int addPlace() throws IOException {
        int place = places.size();
        Process namespace = newNamespace();
        places.add(namespace);
        run(
                bridge,
                "ip link add p" + place + " type veth peer name eth0 netns " + namespace.pid() + " && ip link set p"
                        + place + " master br0 up",
                "");
        run(
                namespace,
                "ip addr add " + address(place) + "/24 dev eth0 && ip link set lo up && ip link set eth0 up",
                "");
        return place;
    }

    public static String address(int place) {
        return SUBNET + (place + 1);
    }

    /**
     * Returns the beginning of a command line. The caller appends a command. The process that the command line starts
     * then runs this command itself, in the network of the place.
     */
    public List<String> wrapper(int place) {
        return enter(places.get(place));
    }

    /** Drops the packets in the given directions, and no longer in the directions of an earlier call. */
    public void drop(Collection<Direction> directions) throws IOException {
        for (int i = 0; i < places.size(); i++) {
            int to = i;
            setRules(
                    i,
                    directions.stream()
                            .filter(direction -> direction.to() == to)
                            .map(direction -> "-A INPUT -s " + address(direction.from()) + " -j DROP")
                            .toList());
        }
    }

    /** Drops the given percentage of all packets, at random, at every receiver. */
    void lose(int percent) throws IOException {
        for (int i = 0; i < places.size(); i++) {
            setRules(
                    i,
                    List.of("-A INPUT -i eth0 -m statistic --mode random --probability " + percent / 100.0
                            + " -j DROP"));
        }
    }

    public void heal() throws IOException {
        drop(Set.of());
    }

    /** Returns the number of packets dropped by rules that are no longer in force. */
    long dropped() {
        return dropped;
    }

    private void setRules(int place, List<String> rules) throws IOException {
        String former = run(
                places.get(place),
                "iptables-save --counters --table filter && iptables-restore",
                "*filter\n:INPUT ACCEPT [0:0]\n" + String.join("\n", rules) + "\nCOMMIT\n");
        dropped += DROPPED.matcher(former)
                .results()
                .mapToLong(rule -> Long.parseLong(rule.group(1)))
                .sum();
    }

    // --- namespaces

    /** Creates a namespace that exists until the returned process ends, which is at the latest with this JVM. */
    private static Process newNamespace() throws IOException {
        Process process = new ProcessBuilder("unshare", "--net", "sh", "-c", "echo; exec cat")
                .redirectErrorStream(true)
                .start();
        int first = process.getInputStream().read();
        if (first != '\n') {
            String said = (char) first + new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.destroyForcibly();
            throw new IOException(said.strip());
        }
        return process;
    }

    private static List<String> enter(Process namespace) {
        return List.of("nsenter", "--net", "--target", Long.toString(namespace.pid()));
    }

    private static String run(Process namespace, String script, String input) throws IOException {
        List<String> command = new ArrayList<>(enter(namespace));
        command.addAll(List.of("sh", "-c", script));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(script + ": " + said.strip());
            }
            return said;
        } catch (InterruptedException e) {
            throw new IOException("interrupted: " + script, e);
        }
    }

    @Override
    public void close() {
        places.forEach(Process::destroyForcibly);
        bridge.destroyForcibly();
    }
}
