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
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs a random schedule of network faults between three members and a client, each in a separate network namespace.
 * All of them generate IDs all the time, and must continue after each fault. At the end, the run checks the files with
 * their IDs. A schedule of all faults also pauses and kills processes, and sets their clocks.
 */
final class PartitionRun implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final int CLIENT = MEMBERS;
    private static final int PORT = 5701;
    private static final int MORE = 100;
    private static final int LOST_PERCENT = 30;
    /**
     * Longer than a lease. In this time, the larger side renews leases that the smaller side then considers expired.
     */
    private static final int SIDE_MILLIS = 6_000;
    /** Hazelcast searches for other clusters, to merge with them, at least twice in this time. */
    private static final int MERGE_MILLIS = 15_000;
    /** How far a wrong clock is ahead, in seconds; negative if it is behind. The maximum skew is 5 seconds. */
    private static final int[] SECONDS_AHEAD = {-3_600, -30, -2, 2, 30, 3_600};

    private static final String NAME = "orders";

    /** A layout with 16 node IDs for four holders: a failed release reserves a node ID until its lease ends. */
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 4, 10);

    /**
     * A layout with as many node IDs as holders. If an owner frees a node ID too early, it soon grants this node ID,
     * because hardly any other one is free.
     */
    private static final SnowcastLayout FEW_NODE_IDS = new SnowcastLayout(41, 2, 10);

    private static final List<String> FLAGS = List.of(
            "-D" + IdWriter.IS_BUSY + "=true",
            "-D" + IdWriter.PAUSE + "=20",
            "-Dsnowcast.lease.millis=4000",
            "-Dsnowcast.max.clock.skew.millis=5000",
            "-Dhazelcast.heartbeat.interval.seconds=1",
            "-Dhazelcast.max.no.heartbeat.seconds=8",
            // The seconds that Hazelcast waits for a migration whose answer was lost. By default, these are 300.
            "-Dhazelcast.partition.migration.timeout=60",
            "-Dhazelcast.merge.first.run.delay.seconds=5",
            "-Dhazelcast.merge.next.run.delay.seconds=5");

    private static final List<String> FLAGS_OF_ALL = List.of(
            "-D" + MoreIds.PROPERTY + "=true",
            // The output then has the log, which shows rare states.
            "-Dhazelcast.logging.type=jdk");

    enum Kind {
        /** One member and the others do not reach each other. The client reaches all. */
        SPLIT,
        /** No member reaches another one. The client reaches all. */
        APART,
        /** All packets from one member to one other member are lost. */
        ONE_WAY,
        /** One member receives nothing. */
        DEAF,
        /** Two members do not reach each other. The third one and the client reach all. */
        BRIDGE,
        /** Like {@link #SPLIT}, several times, each time for at most half of the maximum duration of a fault. */
        FLAPPING,
        LOSS,
        /** Like {@link #SPLIT}, but the client reaches only one of the sides. */
        CLIENT_ON_ONE_SIDE,
        /** Like {@link #SPLIT}, then {@link #APART}. Then the split-off member and one of the others are together. */
        MOVING,
        /** Like {@link #SPLIT}. Then the larger side's members are killed, and restart when the network is healed. */
        MAJORITY_CRASH,
        /** All members are paused, possibly for longer than the heartbeat time-out, and wake up one after the other. */
        PAUSE_OF_ALL,
        /** Two members are paused. During the pause, the third one is killed and restarts. */
        PAUSE_AND_CRASH,
        /** All members are killed, and start again with their high-water marks. The client continues. */
        CRASH_OF_ALL,
        WRONG_CLOCK,
        /** The client is killed, and restarts with a wall clock that is far ahead. */
        WRONG_CLOCK_AT_START;

        /** Returns whether one quorum of members follows another one during the fault. */
        boolean isOfTwoQuorums() {
            return this == MOVING || this == MAJORITY_CRASH;
        }

        boolean isOfNetwork() {
            return compareTo(PAUSE_OF_ALL) < 0;
        }
    }

    /** The states that a schedule of all faults must reach, with the words in a process's output that show them. */
    private enum RareState {
        MERGED(IdWriter.LIFECYCLE + " MERGED"),
        BELOW_THE_QUORUM("SplitBrainProtection"),
        GAVE_UP_ITS_DATA("without its data, since others may have granted meanwhile"),
        WAITED_AFTER_A_LOSS("no holder can be attached before"),
        NODE_IDS_IN_USE("node IDs are in use"),
        CLOCK_TOO_FAR_AHEAD("ahead of cluster time");

        private final String words;

        RareState(String words) {
            this.words = words;
        }
    }

    private final long seed;
    private final boolean isProtected;
    private final List<Kind> kinds;
    private final int longestMillis;
    private final Random random;
    private final Ledger ledger = new Ledger();
    private final WriterProcesses processes;
    private final NamespaceNetwork network;
    private final Liveness liveness = new Liveness();
    private final Map<Kind, Integer> faults = new EnumMap<>(Kind.class);
    private final WriterProcess[] atPlace = new WriterProcess[MEMBERS + 1];

    /** The clock of each place in a schedule of all faults. In other schedules, the list is empty. */
    private final List<WallClock> clocks = new ArrayList<>();

    /** How far {@link #setAClock} has set a clock ahead during the present fault. Zero if it was not called. */
    private int secondsAhead;

    private PartitionRun(
            long seed,
            boolean isProtected,
            List<Kind> kinds,
            SnowcastLayout layout,
            Duration longest,
            Optional<Path> clockLibrary,
            Path directory)
            throws IOException {
        this.seed = seed;
        this.isProtected = isProtected;
        this.kinds = kinds;
        this.longestMillis = (int) longest.toMillis();
        this.random = new Random(seed);
        List<String> flags = new ArrayList<>(FLAGS);
        if (isProtected) {
            flags.add("-D" + IdWriter.QUORUM + "=2");
        }
        if (clockLibrary.isPresent()) {
            flags.addAll(FLAGS_OF_ALL);
            flags.add("-Dsnowcast.high.water.mark.dir=" + directory.resolve("marks"));
            for (int place = 0; place <= MEMBERS; place++) {
                clocks.add(new WallClock(clockLibrary.get(), directory, "place-" + place));
            }
        }
        this.processes = new WriterProcesses(TcpCluster.newClusterName(), NAME, layout, directory, flags, ledger);
        if (!isProtected) {
            processes.allowReported();
        }
        this.network = new NamespaceNetwork();
    }

    private boolean isOfAll() {
        return !clocks.isEmpty();
    }

    /**
     * Runs the schedule of a seed, and checks the result. The schedule has each network fault once, in random order,
     * except the faults of {@link #ofMovingQuorums}.
     *
     * @param longest the maximum duration of a fault other than {@link Kind#FLAPPING}, counted after the members have
     *     noticed the fault if it splits them
     * @param directory an empty directory for the files of the processes
     * @return a summary
     */
    static String of(long seed, boolean isProtected, Duration longest, Path directory) throws Exception {
        List<Kind> kinds = Stream.of(Kind.values())
                .filter(kind -> kind.isOfNetwork() && !kind.isOfTwoQuorums())
                .toList();
        PartitionRun run = new PartitionRun(seed, isProtected, kinds, LAYOUT, longest, Optional.empty(), directory);
        return perform(run, () -> false);
    }

    /** Runs faults in which a quorum of members may have outdated data. The sequencer has few node IDs. */
    static String ofMovingQuorums(long seed, int times, Duration longest, Path directory) throws Exception {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Stream.of(Kind.values()).filter(Kind::isOfTwoQuorums).forEach(kinds::add);
        }
        PartitionRun run = new PartitionRun(seed, true, kinds, FEW_NODE_IDS, longest, Optional.empty(), directory);
        return perform(run, () -> false);
    }

    /**
     * Runs all kinds of faults repeatedly, with sequencers and node leases, some of which have no more node IDs than
     * holders. Fails if a kind of fault was not run, or a {@link RareState} was not reached.
     *
     * @param clockLibrary the library that sets the clocks of the processes
     */
    static String ofAll(long seed, BooleanSupplier goesOn, Duration longest, Path clockLibrary, Path directory)
            throws Exception {
        List<Kind> kinds = List.of(Kind.values());
        PartitionRun run =
                new PartitionRun(seed, true, kinds, FEW_NODE_IDS, longest, Optional.of(clockLibrary), directory);
        return perform(run, goesOn);
    }

    private static String perform(PartitionRun of, BooleanSupplier goesOn) throws Exception {
        try (PartitionRun run = of) {
            try {
                return run.perform(goesOn);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        e.getMessage() + "\nrepeat with -Dsnowcast.seed=" + run.seed + ", faults so far " + run.faults
                                + run.liveness,
                        e);
            }
        }
    }

    private String perform(BooleanSupplier goesOn) throws Exception {
        start();
        do {
            List<Kind> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, random);
            for (Kind kind : shuffled) {
                if (!isOfAll() || goesOn.getAsBoolean()) {
                    suffer(kind);
                }
            }
        } while (goesOn.getAsBoolean());
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
        List<String> wrapper = new ArrayList<>(network.wrapper(place));
        if (isOfAll()) {
            wrapper.addAll(clocks.get(place).wrapper());
        }
        WriterProcess process = processes.addAt(wrapper, role, NamespaceNetwork.address(place), PORT, members);
        atPlace[place] = process;
        return process;
    }

    /** Runs a fault, ends it, and waits until all members list each other and all processes continue. */
    private void suffer(Kind kind) throws IOException {
        faults.merge(kind, 1, Integer::sum);
        long dropped = network.dropped();
        secondsAhead = 0;
        // Occasionally a clock is also wrong during another fault.
        if (isOfAll() && random.nextInt(3) == 0) {
            setAClock();
        }
        perform(kind);
        network.heal();
        clocks.forEach(clock -> clock.setAhead(Duration.ZERO));
        if (kind.isOfNetwork() && network.dropped() == dropped) {
            throw new AssertionError("no packet was dropped: " + kind);
        }
        String fault = secondsAhead == 0 ? kind.name() : kind + " and a clock ahead by " + secondsAhead + " s";
        liveness.awaitRecovery(fault, processes, MORE);
        processes.settle();
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
                startAt(others);
                return;
            }
            case PAUSE_OF_ALL -> {
                List<WriterProcess.Pause> pauses = pause(members);
                park(1_000, longestMillis);
                for (WriterProcess.Pause pause : pauses) {
                    pause.close();
                    park(1, 3_000);
                }
                return;
            }
            case PAUSE_AND_CRASH -> {
                List<WriterProcess.Pause> pauses = pause(others);
                park(1, longestMillis / 2);
                processes.kill(atPlace[one]);
                startAt(List.of(one));
                park(1_000, longestMillis);
                pauses.forEach(WriterProcess.Pause::close);
                return;
            }
            case CRASH_OF_ALL -> {
                members.forEach(each -> processes.kill(atPlace[each]));
                startAt(members);
                return;
            }
            case WRONG_CLOCK -> setAClock();
            case WRONG_CLOCK_AT_START -> {
                processes.kill(atPlace[CLIENT]);
                clocks.get(CLIENT).setAhead(Duration.ofSeconds(random.nextBoolean() ? 30 : 3_600));
                WriterProcess client = startAt(CLIENT);
                Await.until("it is refused", () -> client.hasSaid(RareState.CLOCK_TOO_FAR_AHEAD.words));
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

    /**
     * Starts members with right clocks. If the first member of a cluster had a wrong clock, cluster time and the
     * high-water mark would be wrong, too.
     */
    private void startAt(List<Integer> places) throws IOException {
        for (int place : places) {
            if (isOfAll()) {
                clocks.get(place).setAhead(Duration.ZERO);
            }
            startAt(place);
        }
    }

    private List<WriterProcess.Pause> pause(List<Integer> places) throws IOException {
        List<WriterProcess.Pause> pauses = new ArrayList<>();
        for (int place : places) {
            pauses.add(atPlace[place].pause());
        }
        return pauses;
    }

    private void setAClock() {
        secondsAhead = SECONDS_AHEAD[random.nextInt(SECONDS_AHEAD.length)];
        clocks.get(random.nextInt(clocks.size())).setAhead(Duration.ofSeconds(secondsAhead));
    }

    private void awaitRemovals(List<Integer> members) {
        members.forEach(each -> atPlace[each].awaitFewerThan(MEMBERS));
    }

    /** Waits for a random time, which may be too short to remove a member, or as long as several leases. */
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

    // --- the result

    private String check() {
        long ids = processes.stopAndCheck(List.of());
        return isOfAll() ? ", " + ids + " IDs, none twice; processes that reached " + reached() : ", " + ledger;
    }

    private Map<RareState, Long> reached() {
        Map<RareState, Long> reached = new EnumMap<>(RareState.class);
        for (RareState state : RareState.values()) {
            long count = processes.all().stream()
                    .filter(process -> process.hasSaid(state.words))
                    .count();
            reached.put(state, count);
        }
        if (reached.containsValue(0L) || !faults.keySet().containsAll(kinds)) {
            throw new AssertionError("not each fault or rare state was reached: " + reached);
        }
        return reached;
    }

    @Override
    public void close() {
        processes.close();
        network.close();
    }
}
