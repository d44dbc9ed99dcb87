// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.tests.NamespaceNetwork.Direction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A random schedule of partitions over three members and a client, each in a network namespace of its own. All of them
 * take IDs all the time. What they took is checked from outside, and after each partition all have to go on.
 */
final class PartitionRun implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final int CLIENT = MEMBERS;
    private static final int PORT = 5701;
    private static final int MORE = 100;
    private static final int LOST_PERCENT = 30;
    /** Longer than a lease: what the greater side extends is over for the other one. */
    private static final int SIDE_MILLIS = 6_000;
    /** Two merges of Hazelcast are due in that time. */
    private static final int MERGE_MILLIS = 15_000;

    private static final String NAME = "orders";

    /**
     * A node ID cools for a lease when the answer to a detachment is lost, and four holders attach every few seconds.
     */
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 4, 10);

    /** As many node IDs as holders: one that counts as free too early is granted at once. */
    private static final SnowcastLayout FEW_NODE_IDS = new SnowcastLayout(41, 2, 10);

    private static final List<String> FLAGS = List.of(
            "-D" + IdWriter.IS_BUSY + "=true",
            "-Dsnowcast.lease.millis=4000",
            "-Dsnowcast.max.clock.skew.millis=5000",
            "-Dhazelcast.heartbeat.interval.seconds=1",
            "-Dhazelcast.max.no.heartbeat.seconds=8",
            // How long Hazelcast waits for a migration whose answer was lost; 5 minutes by default.
            "-Dhazelcast.partition.migration.timeout=60",
            "-Dhazelcast.merge.first.run.delay.seconds=5",
            "-Dhazelcast.merge.next.run.delay.seconds=5");

    /** What happens to the network. */
    enum Kind {
        /** One member and the others do not reach each other; the client reaches all. */
        SPLIT,
        /** No member reaches another one; the client reaches all. */
        APART,
        /** What one member sends to another one is lost. */
        ONE_WAY,
        /** One member receives nothing. */
        DEAF,
        /** Two members do not reach each other; the third one and the client reach all. */
        BRIDGE,
        /** As {@link #SPLIT}, again and again for some seconds. */
        FLAPPING,
        /** A part of all packets is lost. */
        LOSS,
        /** As {@link #SPLIT}, and the client reaches one of the sides. */
        CLIENT_ON_ONE_SIDE,
        /**
         * As {@link #SPLIT}, then as {@link #APART}, then the one that was alone and one of the others are together.
         */
        MOVING,
        /**
         * As {@link #SPLIT}, and those of the greater side are killed and start again where they reach the other one.
         */
        MAJORITY_CRASH;

        /** Whether a quorum follows another one. An operator would have to resume integer sequences of the cluster. */
        boolean isOfTwoQuorums() {
            return this == MOVING || this == MAJORITY_CRASH;
        }
    }

    private final long seed;
    private final boolean isProtected;
    private final List<Kind> kinds;
    private final int longestMillis;
    private final Random random;
    private final Path directory;
    private final WriterProcesses processes;
    private final History history;
    private final NamespaceNetwork network;
    private final Liveness liveness = new Liveness();
    private final Map<Kind, Integer> faults = new EnumMap<>(Kind.class);
    private final WriterProcess[] atPlace = new WriterProcess[MEMBERS + 1];

    private PartitionRun(
            long seed, boolean isProtected, List<Kind> kinds, SnowcastLayout layout, Duration longest, Path directory)
            throws IOException {
        this.seed = seed;
        this.isProtected = isProtected;
        this.kinds = kinds;
        this.longestMillis = (int) longest.toMillis();
        this.random = new Random(seed);
        this.directory = directory;
        List<String> flags = new ArrayList<>(FLAGS);
        if (isProtected) {
            flags.add("-D" + IdWriter.QUORUM + "=2");
        }
        this.processes = new WriterProcesses(
                        TcpCluster.newClusterName(), NAME, layout, directory, flags, new GrantLedger())
                .withHistory();
        this.history = History.part(nemesis(), 0);
        this.network = new NamespaceNetwork();
    }

    private Path nemesis() {
        return directory.resolve("nemesis.edn");
    }

    /**
     * Runs a seed's schedule, which has each kind of fault once, in random order; checks what came of it.
     *
     * @param longest how long a fault lasts at most after both sides have noticed it
     * @param allRuns learns how soon all went on
     * @param directory an empty one, for what the processes write
     * @return what to tell
     */
    static String of(long seed, boolean isProtected, Duration longest, Liveness allRuns, Path directory)
            throws Exception {
        List<Kind> kinds =
                Stream.of(Kind.values()).filter(kind -> !kind.isOfTwoQuorums()).toList();
        return perform(new PartitionRun(seed, isProtected, kinds, LAYOUT, longest, directory), allRuns);
    }

    /** Runs the schedules in which the data of a quorum is old, over few node IDs. */
    static String ofMovingQuorums(long seed, int times, Duration longest, Liveness allRuns, Path directory)
            throws Exception {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Stream.of(Kind.values()).filter(Kind::isOfTwoQuorums).forEach(kinds::add);
        }
        return perform(new PartitionRun(seed, true, kinds, FEW_NODE_IDS, longest, directory), allRuns);
    }

    private static String perform(PartitionRun of, Liveness allRuns) throws Exception {
        try (PartitionRun run = of) {
            try {
                return run.perform();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        e.getMessage() + "\nrepeat with -Dsnowcast.seed=" + run.seed + ", faults so far " + run.faults
                                + run.liveness,
                        e);
            } finally {
                allRuns.addAll(run.liveness);
            }
        }
    }

    private String perform() throws Exception {
        history.begun("PARTITIONS", seed, !isProtected);
        start();
        List<Kind> shuffled = new ArrayList<>(kinds);
        Collections.shuffle(shuffled, random);
        for (Kind kind : shuffled) {
            suffer(kind);
        }
        return seed + (isProtected ? " (PARTITIONS, quorum 2 of 3): " : " (PARTITIONS, no protection): ") + "faults "
                + faults + ", " + network.dropped() + " packets dropped" + check() + liveness;
    }

    private void start() throws IOException {
        for (int i = 0; i <= MEMBERS; i++) {
            WriterProcess process = startAt(network.addPlace());
            if (i != CLIENT) {
                process.awaitLine(IdWriter.CLUSTER);
            }
        }
        processes.awaitSafe();
        processes.awaitMore(MORE);
    }

    private WriterProcess startAt(int place) throws IOException {
        List<String> members = IntStream.range(0, MEMBERS)
                .mapToObj(each -> NamespaceNetwork.address(each) + ':' + PORT)
                .toList();
        IdWriter.Role role = place == CLIENT ? IdWriter.Role.CLIENT : IdWriter.Role.MEMBER;
        WriterProcess process =
                processes.addAt(network.wrapper(place), role, NamespaceNetwork.address(place), PORT, members);
        atPlace[place] = process;
        return process;
    }

    /** Ends when the cluster is whole, and everybody has used up what was in hand before. */
    private void suffer(Kind kind) throws IOException {
        faults.merge(kind, 1, Integer::sum);
        history.fault("nemesis", kind.name(), kind.name());
        long dropped = network.dropped();
        perform(kind);
        network.heal();
        history.fault("nemesis", kind.name(), kind.name());
        if (network.dropped() == dropped) {
            throw new AssertionError("no packet was dropped: " + kind);
        }
        List<Liveness.Work> works = kind.isOfTwoQuorums()
                ? List.of(Liveness.Work.IDS, Liveness.Work.GRANTS)
                : List.of(Liveness.Work.values());
        liveness.awaitRecovery(kind.name(), processes, works, MORE);
        history.settled();
    }

    private void perform(Kind kind) throws IOException {
        List<Integer> members = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(members, random);
        int one = members.get(0);
        int other = members.get(1);
        List<Integer> others = members.subList(1, MEMBERS);
        switch (kind) {
            case SPLIT -> {
                network.drop(between(List.of(one), others));
                awaitRemovals(members);
            }
            case APART -> {
                Set<Direction> directions = between(List.of(one), others);
                directions.addAll(between(List.of(other), List.of(members.get(2))));
                network.drop(directions);
                awaitRemovals(members);
            }
            case ONE_WAY -> network.drop(Set.of(new Direction(one, other)));
            case DEAF ->
                network.drop(IntStream.rangeClosed(0, MEMBERS)
                        .filter(from -> from != one)
                        .mapToObj(from -> new Direction(from, one))
                        .toList());
            case BRIDGE -> network.drop(between(List.of(one), List.of(other)));
            case FLAPPING -> {
                int times = 2 + random.nextInt(4);
                for (int i = 0; i < times; i++) {
                    network.drop(between(List.of(one), others));
                    park(500, longestMillis / 2);
                    network.heal();
                    park(200, longestMillis / 4);
                }
                return;
            }
            case MOVING -> {
                Set<Direction> first = between(List.of(one), others);
                network.drop(first);
                awaitRemovals(members);
                park(SIDE_MILLIS, SIDE_MILLIS + longestMillis);
                first.addAll(between(List.of(other), List.of(members.get(2))));
                network.drop(first);
                members.forEach(each -> atPlace[each].awaitFewerThan(2));
                network.drop(between(List.of(other), List.of(one, members.get(2))));
                park(MERGE_MILLIS, MERGE_MILLIS + longestMillis);
                return;
            }
            case MAJORITY_CRASH -> {
                network.drop(between(List.of(one), others));
                awaitRemovals(members);
                park(SIDE_MILLIS, SIDE_MILLIS + longestMillis);
                others.forEach(each -> processes.kill(atPlace[each]));
                network.heal();
                for (int each : others) {
                    startAt(each);
                }
                return;
            }
            case LOSS -> network.lose(LOST_PERCENT);
            case CLIENT_ON_ONE_SIDE -> {
                Set<Direction> directions = between(List.of(one), others);
                directions.addAll(between(List.of(CLIENT), random.nextBoolean() ? others : List.of(one)));
                network.drop(directions);
                awaitRemovals(members);
            }
        }
        park(1_000, longestMillis);
    }

    /** Waits until every member has removed another one. */
    private void awaitRemovals(List<Integer> members) {
        members.forEach(each -> atPlace[each].awaitFewerThan(MEMBERS));
    }

    /** How long the fault lasts: maybe so short that the members do not remove each other, maybe for several leases. */
    private void park(int minMillis, int maxMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(minMillis, maxMillis));
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static Set<Direction> between(List<Integer> one, List<Integer> other) {
        Set<Direction> directions = new HashSet<>();
        for (int a : one) {
            for (int b : other) {
                directions.add(new Direction(a, b));
                directions.add(new Direction(b, a));
            }
        }
        return directions;
    }

    // --- what came of it

    private String check() throws IOException {
        if (isProtected) {
            processes.stopAndCheck(List.of());
        }
        processes.close();
        history.close();
        List<Path> parts = new ArrayList<>(List.of(nemesis()));
        processes.all().forEach(process -> parts.add(process.task().history()));
        Path file = History.file(
                History.directory().orElse(directory), "PARTITIONS-" + (isProtected ? "PROTECTED-" : "") + seed);
        HistoryParts.join(parts, file);
        return "\n    " + HistoryChecker.requireValid(file);
    }

    @Override
    public void close() {
        processes.close();
        history.close();
        network.close();
    }
}
