// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the replacement of processes as in Kubernetes: one at a time or several at once, by SIGTERM or SIGKILL. No call
 * may fail in the processes that stay.
 */
@Tag("faults")
class RollingReplacementTest {
    private static final String NAME = "orders";
    private static final SnowcastLayout LAYOUT = SnowcastLayout.forMaxLogicalNodeCount(128);
    private static final int MEMBERS = 3;
    private static final int CLIENTS = 2;
    private static final int SURGE = 1;
    private static final int FEW = 1_000;
    /** The exit code of a JVM that ran its shutdown hooks after SIGTERM: 128 + 15. */
    private static final int TERMINATED = 143;

    private static final String IN_ORDER = "-Dhazelcast.shutdownhook.policy=GRACEFUL";
    /** Longer than any test takes. */
    private static final String LONG_LEASE = "-Dsnowcast.lease.millis=36000000";

    private static final String PAUSE = "-D" + IdWriter.PAUSE + "=5";

    @TempDir
    private Path directory = Path.of("");

    @AutoClose
    private @Nullable WriterProcesses started;

    private int replaced;
    private Duration slowestStop = Duration.ZERO;

    private WriterProcesses processes(int nodeIds, String... flags) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.add(PAUSE);
        all.add("-Dsnowcast.node.id.range=0-" + (nodeIds - 1));
        WriterProcesses processes =
                new WriterProcesses(TcpCluster.newClusterName(), NAME, LAYOUT, directory, all, new Ledger());
        started = processes;
        return processes;
    }

    /** Starts members that generate IDs. Like a pod of a StatefulSet, each starts when the previous one is ready. */
    private WriterProcesses embedded(int nodeIds, String... flags) throws IOException {
        WriterProcesses processes = processes(nodeIds, flags);
        for (int i = 0; i < MEMBERS; i++) {
            ready(processes, processes.addMember());
        }
        return processes;
    }

    private static void ready(WriterProcesses processes, WriterProcess process) {
        process.awaitMore(FEW);
        processes.awaitSafe();
    }

    private void stopInOrder(WriterProcesses processes, WriterProcess process) throws InterruptedException {
        process.requireNoFailure();
        Duration taken = processes.stopInOrder(List.of(process));
        assertThat(process.awaitEnd()).isEqualTo(TERMINATED);
        slowestStop = taken.compareTo(slowestStop) > 0 ? taken : slowestStop;
        replaced++;
    }

    /** Fails if a call has failed in a living process, or if there are duplicate IDs. Prints a summary. */
    private void check(WriterProcesses processes, String what) {
        processes.living().forEach(WriterProcess::requireNoFailure);
        Duration longest = processes.longestWait();
        long ids = processes.stopAndCheck(List.of());
        System.out.printf(
                "%s: %d replaced, %,d IDs, no call failed, longest call %d ms, slowest stop %d ms%n",
                what, replaced, ids, longest.toMillis(), slowestStop.toMillis());
    }

    private static BooleanSupplier rounds(int count) {
        int[] left = {count};
        return () -> left[0]-- > 0;
    }

    /** Replaces members one by one, as a StatefulSet does. There are only as many node IDs as members. */
    private void replaceMembers(BooleanSupplier goesOn) throws Exception {
        WriterProcesses processes = embedded(MEMBERS, IN_ORDER);
        while (goesOn.getAsBoolean()) {
            for (int i = 0; i < MEMBERS; i++) {
                stopInOrder(processes, processes.living().get(0));
                ready(processes, processes.addMember());
            }
        }
        check(processes, "members in the application");
    }

    @Test
    void membersAreReplacedInOrderWithoutANodeIdToSpare() throws Exception {
        replaceMembers(rounds(2));
    }

    @Test
    @Tag("soak")
    void membersAreReplacedInOrderForLong() throws Exception {
        replaceMembers(Soak.ofPercent(50)::goesOn);
    }

    /**
     * Replaces members, which generate no IDs, as a StatefulSet does. Replaces clients as a Deployment does, which
     * starts the new client first.
     */
    private void replaceMembersAndClients(BooleanSupplier goesOn) throws Exception {
        WriterProcesses processes = processes(CLIENTS + SURGE, IN_ORDER);
        List<WriterProcess> servers = new ArrayList<>();
        List<WriterProcess> clients = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            servers.add(processes.addServer());
            processes.awaitSafe();
        }
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(processes.addClient());
        }
        processes.awaitMore(FEW);
        while (goesOn.getAsBoolean()) {
            for (int i = 0; i < MEMBERS; i++) {
                stopInOrder(processes, servers.remove(0));
                servers.add(processes.addServer());
                processes.awaitSafe();
                processes.awaitMore(FEW);
            }
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(processes.addClient());
                processes.awaitMore(FEW);
                stopInOrder(processes, clients.remove(0));
            }
        }
        check(processes, "members apart, with clients");
    }

    @Test
    void membersAndClientsAreReplacedInOrderWithNodeIdsForTheSurge() throws Exception {
        replaceMembersAndClients(rounds(1));
    }

    @Test
    @Tag("soak")
    void membersAndClientsAreReplacedInOrderForLong() throws Exception {
        replaceMembersAndClients(Soak.ofPercent(50)::goesOn);
    }

    /**
     * Killed members can be replaced while there are free node IDs. When no node ID is free, a new member waits until a
     * lease expires.
     */
    @Test
    void eachKilledMemberCostsANodeId() throws Exception {
        WriterProcesses processes = embedded(2 * MEMBERS, LONG_LEASE);
        for (int i = 0; i < MEMBERS; i++) {
            processes.kill(processes.living().get(0));
            ready(processes, processes.addMember());
            replaced++;
        }
        processes.kill(processes.living().get(0));
        WriterProcess refused = processes.addMember();

        assertThat(refused.awaitLine(IdWriter.FAILED))
                .contains("all " + 2 * MEMBERS + " node IDs are in use", "the next is free at ");
        assertThat(refused.idsWritten()).isZero();
        processes.awaitMore(FEW, List.of(refused));
        processes.kill(refused);
        check(processes, "members that are killed");
    }

    /** Without Hazelcast's policy {@code GRACEFUL}, the cluster treats a member that ends by SIGTERM as crashed. */
    @Test
    void withoutThePolicyAStoppedMemberCostsANodeId() throws Exception {
        WriterProcesses processes = embedded(MEMBERS, LONG_LEASE);
        stopInOrder(processes, processes.living().get(0));
        WriterProcess refused = processes.addMember();

        assertThat(refused.awaitLine(IdWriter.FAILED)).contains("all " + MEMBERS + " node IDs are in use");
        processes.awaitMore(FEW, List.of(refused));
        processes.kill(refused);
        check(processes, "members that are stopped without the policy");
    }

    /** Returns flags for a wait of 32 seconds after a loss of data: lease + 2 * skew + heartbeat time-out. */
    private static String[] quickRecovery(int backups) {
        return new String[] {
            "-Dsnowcast.lease.millis=20000",
            "-Dsnowcast.max.clock.skew.millis=1000",
            "-Dhazelcast.max.no.heartbeat.seconds=10",
            "-D" + IdWriter.BACKUPS + "=" + backups
        };
    }

    private static void killOwnerAndBackup(WriterProcesses processes) {
        List<WriterProcess> replicas =
                IntStream.range(0, 2).mapToObj(processes::awaitReplica).toList();
        replicas.forEach(processes::kill);
    }

    @Test
    void whenOwnerAndBackupAreKilledAtOnceTheOthersGoOnAndNewOnesWait() throws Exception {
        WriterProcesses processes = embedded(3 * MEMBERS, quickRecovery(1));
        killOwnerAndBackup(processes);
        processes.awaitMore(FEW);
        WriterProcess next = processes.addMember();

        assertThat(next.awaitLine(IdWriter.FAILED)).contains("no holder can be attached before 20");
        next.awaitMore(FEW);
        checkBut(processes, next);
    }

    @Test
    void withTwoBackupsTwoMembersMayBeKilledAtOnce() throws Exception {
        WriterProcesses processes = embedded(3 * MEMBERS, quickRecovery(2));
        killOwnerAndBackup(processes);
        WriterProcess next = processes.addMember();
        next.awaitMore(FEW);

        assertThat(next.lines(IdWriter.FAILED)).noneMatch(line -> line.contains("no holder can be attached before"));
        checkBut(processes, next);
    }

    /**
     * Kills the newest process, whose first calls may have failed, and runs {@link #check}, which then ignores the
     * failures of that process, but not its IDs.
     */
    private void checkBut(WriterProcesses processes, WriterProcess newest) {
        processes.awaitSafe();
        processes.awaitMore(FEW);
        processes.kill(newest);
        check(processes, "two members that are killed at once");
    }

    @Test
    void membersThatAreStoppedInOrderAtOnceLoseNothing() throws Exception {
        WriterProcesses processes = embedded(MEMBERS, IN_ORDER);
        List<WriterProcess> stopped = List.copyOf(processes.living().subList(0, 2));
        slowestStop = processes.stopInOrder(stopped);
        replaced = stopped.size();
        assertThat(stopped).allSatisfy(each -> assertThat(each.awaitEnd()).isEqualTo(TERMINATED));
        for (int i = 0; i < stopped.size(); i++) {
            ready(processes, processes.addMember());
        }
        processes.awaitMore(FEW);
        check(processes, "two members that are stopped at once");
    }
}
