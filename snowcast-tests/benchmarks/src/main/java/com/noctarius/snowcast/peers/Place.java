// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.peers;

import com.noctarius.snowcast.peers.Subject.Need;
import com.noctarius.snowcast.tests.FreePort;
import com.noctarius.snowcast.tests.NamespaceNetwork;
import com.noctarius.snowcast.tests.NamespaceNetwork.Direction;
import com.noctarius.snowcast.tests.WallClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The environment of the processes of a run: network, database and files. Processes with a database use the network of
 * this machine. All others run in network namespaces if the machine supports them.
 */
final class Place implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int PER_SECOND = 1_000;
    /** A process of a crowd takes fewer IDs per second, because many processes share few processors. */
    private static final int PER_SECOND_IN_A_CROWD = 100;

    /**
     * Without this lower priority, the start of 50 JVMs would delay the other processes and the database for minutes.
     */
    private static final List<String> BEHIND_OTHERS = List.of("nice", "-n", "10");

    /** The first port of members if each place has its own address. */
    private static final int HAZELCASTS_PORT = 5701;

    private final Path directory;
    private final Optional<Path> clockLibrary;
    private final @Nullable NamespaceNetwork network;
    private final @Nullable Database database;
    private final int port;
    /**
     * The number of the network namespace of each process, by the name of the process. Empty if the run has no
     * namespaces. Also empty in a cluster, where each place of the {@link Schedule} has one namespace.
     */
    private final Map<String, Integer> namespaces = new HashMap<>();

    private Place(
            Path directory,
            Optional<Path> clockLibrary,
            @Nullable NamespaceNetwork network,
            @Nullable Database database,
            int port) {
        this.directory = directory;
        this.clockLibrary = clockLibrary;
        this.network = network;
        this.database = database;
        this.port = port;
    }

    /**
     * Prepares the environment.
     *
     * @param directory an empty directory for the files of the run
     * @param hasNamespaces whether this machine can have network namespaces
     */
    static Place of(Need need, Path directory, Optional<Path> clockLibrary, boolean hasNamespaces) throws Exception {
        Database database = need == Need.DATABASE ? Database.start() : null;
        NamespaceNetwork network = need != Need.DATABASE && hasNamespaces ? new NamespaceNetwork() : null;
        int port = network == null ? FreePort.get() : HAZELCASTS_PORT;
        Place place = new Place(directory, clockLibrary, network, database, port);
        if (network != null && need == Need.CLUSTER) {
            for (int i = 0; i < Schedule.PLACES; i++) {
                network.addPlace();
            }
        }
        return place;
    }

    Database database() {
        if (database == null) {
            throw new IllegalStateException("there is no database");
        }
        return database;
    }

    boolean allows(Fault fault) {
        return (fault != Fault.SPLIT || network != null) && (!fault.isOfClock() || clockLibrary.isPresent());
    }

    /**
     * Starts a process. If this machine can set clocks, the clock of the process is {@code clockAhead} ahead from the
     * start on. {@code number} is in the name of the process; another process may have the same. {@code index} is how
     * many processes the run has started before.
     */
    Node start(List<Subject> subjects, int number, int place, Duration clockAhead, boolean isOfCrowd, int index)
            throws IOException {
        Subject first = subjects.get(0);
        String name = (isOfCrowd ? "crowd-" : "host-") + number;
        int namespace = network == null ? Node.NO_PLACE : namespaceOf(first.needs(), name, place, index);
        Setup setup = new Setup(
                subjects.stream().map(Subject::name).toList(),
                name,
                number,
                isOfCrowd,
                database == null ? "" : database.url(),
                address(namespace),
                first.needs() == Need.CLUSTER ? members() : List.of(),
                port,
                first.lease(),
                isOfCrowd ? PER_SECOND_IN_A_CROWD : PER_SECOND,
                Files.createDirectories(directory.resolve(name)),
                directory.resolve("process-" + index));
        Optional<WallClock> clock = clockLibrary.isPresent()
                ? Optional.of(new WallClock(clockLibrary.get(), directory, "process-" + index))
                : Optional.empty();
        clock.ifPresent(present -> present.setAhead(clockAhead));
        List<String> wrapper = new ArrayList<>(wrapper(namespace));
        if (isOfCrowd) {
            wrapper.addAll(BEHIND_OTHERS);
        }
        return Node.start(setup, place, wrapper, clock);
    }

    private int namespaceOf(Need need, String name, int place, int index) throws IOException {
        if (need == Need.CLUSTER) {
            return place == Node.NO_PLACE ? index % Schedule.PLACES : place;
        }
        Integer known = namespaces.get(name);
        int namespace = known == null ? network().addPlace() : known;
        namespaces.put(name, namespace);
        return namespace;
    }

    private NamespaceNetwork network() {
        if (network == null) {
            throw new IllegalStateException("there are no namespaces");
        }
        return network;
    }

    private List<String> wrapper(int namespace) {
        return namespace == Node.NO_PLACE ? List.of() : network().wrapper(namespace);
    }

    private static String address(int namespace) {
        return namespace == Node.NO_PLACE ? LOOPBACK : NamespaceNetwork.address(namespace);
    }

    private List<String> members() {
        return network == null
                ? List.of(LOOPBACK)
                : IntStream.range(0, Schedule.PLACES)
                        .mapToObj(NamespaceNetwork::address)
                        .toList();
    }

    /** Cuts one place off from all others, in both directions. */
    void cutOff(int place) throws IOException {
        Set<Direction> directions = new HashSet<>();
        for (int other = 0; other < Schedule.PLACES; other++) {
            if (other != place) {
                directions.add(new Direction(place, other));
                directions.add(new Direction(other, place));
            }
        }
        network().drop(directions);
    }

    void heal() throws IOException {
        network().heal();
    }

    @Override
    public void close() throws IOException {
        if (network != null) {
            network.close();
        }
        if (database != null) {
            database.close();
        }
    }
}
