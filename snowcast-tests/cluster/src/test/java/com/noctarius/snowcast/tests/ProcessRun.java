// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Runs a random schedule of faults: processes write IDs to files while some of them are killed and paused. */
final class ProcessRun implements AutoCloseable {
    private static final int MIN_MEMBERS = 2;
    private static final int MAX_MEMBERS = 4;
    private static final int MAX_CLIENTS = 2;
    private static final int MORE = 300;
    private static final long LEASE_MILLIS = 1_500;
    private static final long MAX_CLOCK_OFFSET_MILLIS = 5_000;
    private static final Duration UNTIL_REMOVED = Duration.ofSeconds(16);
    private static final String NAME = "orders";

    /** A layout with 16 node IDs, because after a crash a node ID stays reserved until its lease ends. */
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 4, 10);

    private static final List<String> FLAGS = List.of(
            "-Dsnowcast.lease.millis=" + LEASE_MILLIS,
            // Far more than the clocks are off, so that no owner refuses a holder because of its clock.
            "-Dsnowcast.max.clock.skew.millis=60000",
            "-Dhazelcast.heartbeat.interval.seconds=1",
            "-Dhazelcast.max.no.heartbeat.seconds=12",
            "-Dhazelcast.merge.first.run.delay.seconds=10",
            "-Dhazelcast.merge.next.run.delay.seconds=10");

    enum Kind {
        /** A member with a wrong clock joins. */
        JOIN(5),
        /** A client with a wrong clock joins. */
        JOIN_CLIENT(4),
        /** A member is killed by SIGKILL. */
        KILL(4),
        /** A client is killed by SIGKILL. */
        KILL_CLIENT(2),
        /** A member is stopped by SIGTERM. */
        TERMINATE(2),
        /** A member is paused for up to several leases, while the next steps run. */
        STOP(3),
        /** A client is paused for up to several leases, while the next steps run. */
        STOP_CLIENT(4),
        /** A member is paused until the others have removed it, and then continues. */
        STOP_UNTIL_REMOVED(1),
        /** No fault: waits for pauses to end, and until all processes have generated more IDs. */
        REST(3);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    private final long seed;
    private final Random random;
    private final WriterProcesses processes;
    private final Ledger ledger = new Ledger();
    private final Map<Kind, Integer> faults = new EnumMap<>(Kind.class);
    private final List<Process> pauses = new ArrayList<>();

    private ProcessRun(long seed, Path directory) {
        this.seed = seed;
        this.random = new Random(seed);
        this.processes = new WriterProcesses(TcpCluster.newClusterName(), NAME, LAYOUT, directory, FLAGS, ledger);
    }

    /**
     * Runs the first {@code steps} steps of the schedule that a seed determines, and checks the result. Returns a
     * summary.
     *
     * @param directory an empty directory for the files of the processes
     */
    static String of(long seed, int steps, Path directory) throws Exception {
        try (ProcessRun run = new ProcessRun(seed, directory)) {
            try {
                return run.perform(steps);
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        e.getMessage() + "\nrepeat with -Dsnowcast.seed=" + seed + ", steps " + run.faults, e);
            }
        }
    }

    private String perform(int steps) throws Exception {
        for (int i = 0; i <= MIN_MEMBERS; i++) {
            processes.addMember();
        }
        processes.awaitSafe();
        processes.addClient();
        processes.awaitMore(MORE);
        begin();
        for (int i = 0; i < steps; i++) {
            perform(next());
        }
        awaitEndOfPauses();
        processes.awaitSafe();
        processes.awaitMore(MORE);
        processes.stopAndCheck(List.of());
        return seed + " (PROCESSES): " + steps + " steps, " + ledger + ", "
                + processes.all().size() + " processes, faults " + faults;
    }

    // --- steps

    private Kind next() {
        Kind[] possible = Stream.of(Kind.values())
                .filter(this::isPossible)
                .flatMap(kind -> Stream.generate(() -> kind).limit(kind.weight))
                .toArray(Kind[]::new);
        return possible[random.nextInt(possible.length)];
    }

    private boolean isPossible(Kind kind) {
        int members = members().size();
        int clients = clients().size();
        return switch (kind) {
            case JOIN -> members < MAX_MEMBERS;
            case JOIN_CLIENT -> clients < MAX_CLIENTS;
            case KILL, TERMINATE -> members > MIN_MEMBERS;
            case STOP_UNTIL_REMOVED -> members > MIN_MEMBERS;
            case KILL_CLIENT, STOP_CLIENT -> clients > 0;
            case STOP, REST -> true;
        };
    }

    /**
     * Begins a schedule. Twice kills the member that is then the oldest, and starts another one. Then pauses a member,
     * and then a client, each for longer than a lease.
     */
    private void begin() throws Exception {
        for (int i = 0; i < MIN_MEMBERS; i++) {
            perform(Kind.KILL, () -> kill(members().get(0)));
            perform(Kind.JOIN, this::join);
            processes.awaitMore(MORE);
        }
        stopForLongerThanALease(Kind.STOP, members().get(0));
        stopForLongerThanALease(Kind.STOP_CLIENT, clients().get(0));
    }

    private void stopForLongerThanALease(Kind kind, WriterProcess process) throws Exception {
        perform(kind, () -> {
            pauses.add(process.pauseFor(Duration.ofMillis(LEASE_MILLIS + 1_000)));
            awaitEndOfPauses();
        });
        processes.awaitMore(MORE);
    }

    private interface Step {
        void run() throws Exception;
    }

    private void perform(Kind kind, Step step) throws Exception {
        faults.merge(kind, 1, Integer::sum);
        step.run();
    }

    private void perform(Kind kind) throws Exception {
        perform(kind, () -> step(kind));
    }

    private void join() throws Exception {
        processes.addMember(clockOffset());
        processes.awaitSafe();
    }

    private void kill(WriterProcess member) throws Exception {
        // A paused member may have the only backup, which would be lost if the others removed that member from the
        // cluster.
        awaitEndOfPauses();
        processes.awaitSafe();
        processes.kill(member);
        processes.awaitSafe();
    }

    private void step(Kind kind) throws Exception {
        switch (kind) {
            case JOIN -> join();
            case JOIN_CLIENT -> processes.addClient(clockOffset());
            case KILL -> kill(choice(members()));
            case KILL_CLIENT -> processes.kill(choice(clients()));
            case TERMINATE -> {
                awaitEndOfPauses();
                processes.stopInOrder(List.of(choice(members())));
                processes.awaitSafe();
            }
            case STOP -> stop(choice(members()));
            case STOP_CLIENT -> stop(choice(clients()));
            case STOP_UNTIL_REMOVED -> {
                awaitEndOfPauses();
                processes.awaitSafe();
                pauses.add(choice(members()).pauseFor(UNTIL_REMOVED));
                awaitEndOfPauses();
                processes.awaitSafe();
            }
            case REST -> {
                awaitEndOfPauses();
                processes.awaitMore(MORE);
            }
        }
    }

    private void stop(WriterProcess process) throws IOException {
        pauses.add(process.pauseFor(Duration.ofMillis(100 + random.nextInt((int) (3 * LEASE_MILLIS)))));
    }

    private void awaitEndOfPauses() throws InterruptedException {
        for (Process pause : pauses) {
            pause.waitFor();
        }
        pauses.clear();
    }

    private long clockOffset() {
        return random.nextLong(-MAX_CLOCK_OFFSET_MILLIS, MAX_CLOCK_OFFSET_MILLIS + 1);
    }

    private WriterProcess choice(List<WriterProcess> among) {
        return among.get(random.nextInt(among.size()));
    }

    private List<WriterProcess> members() {
        return processes.living().stream()
                .filter(process -> process.task().role() != IdWriter.Role.CLIENT)
                .toList();
    }

    private List<WriterProcess> clients() {
        return processes.living().stream()
                .filter(process -> process.task().role() == IdWriter.Role.CLIENT)
                .toList();
    }

    @Override
    public void close() {
        processes.close();
    }
}
