// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Members and clients with several versions of snowcast, and all that they were given: no ID twice. */
final class VersionCluster implements AutoCloseable {
    private static final SnowcastLayout LAYOUT = SnowcastLayout.forMaxLogicalNodeCount(VersionMain.NODES);
    private static final int FEW = 20;

    /** So many that each of three members owns some of their partitions. */
    static final List<String> NAMES =
            IntStream.range(0, 12).mapToObj(i -> "sequencer-" + i).toList();

    private final String name = TcpCluster.newClusterName();
    private final Path directory;
    private final List<String> properties;
    private final Map<VersionProcess, Integer> publicPorts = new HashMap<>();
    private final List<VersionProcess> members = new ArrayList<>();
    private final List<VersionProcess> clients = new ArrayList<>();
    private final Ledger ids = new Ledger();
    private final Map<String, IdLog> logs = new HashMap<>();
    private int started;

    /**
     * Begins with nobody.
     *
     * @param directory an empty one, for the output of the processes
     * @param properties of Hazelcast and snowcast, besides those of quick members
     */
    VersionCluster(Path directory, Map<String, String> properties) {
        this.directory = directory;
        Map<String, String> all = new HashMap<>(Map.of(
                "hazelcast.partition.count", Integer.toString(TestCluster.PARTITIONS),
                "hazelcast.wait.seconds.before.join", "0",
                "hazelcast.graceful.shutdown.max.wait", "20"));
        all.putAll(properties);
        this.properties = all.entrySet().stream()
                .map(entry -> "-D" + entry.getKey() + '=' + entry.getValue())
                .toList();
    }

    VersionProcess addMember(Version version) throws IOException {
        int port = TcpCluster.freePort();
        VersionProcess member = addMember(version, port, port, List.copyOf(publicPorts.values()));
        awaitMembers();
        return member;
    }

    /**
     * Starts a member that others reach at another port.
     *
     * @param peers ports of members; where there are none, it is alone
     */
    VersionProcess addMember(Version version, int port, int publicPort, List<Integer> peers) throws IOException {
        VersionProcess member =
                start("member", version, Integer.toString(port), publicPort, peers.isEmpty() ? List.of(port) : peers);
        publicPorts.put(member, publicPort);
        members.add(member);
        return member;
    }

    VersionProcess addClient(Version version) throws IOException {
        VersionProcess client = start("client", version, VersionMain.CLIENT, 0, List.copyOf(publicPorts.values()));
        clients.add(client);
        return client;
    }

    private VersionProcess start(String role, Version version, String port, int publicPort, List<Integer> peers)
            throws IOException {
        int number = started++;
        String ports = peers.stream().map(String::valueOf).collect(Collectors.joining(","));
        return VersionProcess.start(
                        role + '-' + number + "-of-" + version,
                        version,
                        directory.resolve(number + ".txt"),
                        properties,
                        List.of(name, port, Integer.toString(publicPort), ports))
                .awaitStart();
    }

    int portOf(VersionProcess member) {
        return Objects.requireNonNull(publicPorts.get(member));
    }

    List<VersionProcess> members() {
        return members;
    }

    List<VersionProcess> all() {
        return Stream.concat(members.stream(), clients.stream()).toList();
    }

    /** Ends a member in order: it hands over what it has. */
    void leave(VersionProcess member) {
        member.ask("leave");
        kill(member);
    }

    void kill(VersionProcess member) {
        member.close();
        members.remove(member);
        publicPorts.remove(member);
    }

    /** Waits until all members see each other and each partition has its backup. */
    void awaitMembers() {
        String size = Integer.toString(members.size());
        Await.until(
                size + " members",
                () -> members.stream()
                        .allMatch(member -> member.ask("members").equals(size)
                                && member.ask("safe").equals("true")));
    }

    /** Has everybody take IDs of some names, and fails if one came twice. */
    void useAll(List<String> sequencers) {
        for (VersionProcess process : all()) {
            for (String sequencer : sequencers) {
                takeIds(process, sequencer);
            }
        }
        check();
    }

    void takeIds(VersionProcess process, String sequencer) {
        logs.computeIfAbsent(process + " " + sequencer, key -> ids.open(sequencer, process.toString(), LAYOUT))
                .add(process.numbers("ids", sequencer, FEW));
    }

    /** Fails if an ID came twice. */
    void check() {
        ids.checkIds();
    }

    @Override
    public void close() {
        all().forEach(VersionProcess::close);
    }
}
