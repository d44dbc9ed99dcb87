// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.internal.cluster.ManyHolders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an owner that is paused for so long that the other members remove it. When the owner wakes up, it does not know
 * of its removal. According to the owner's table, the owner still holds its node ID, which another holder now has.
 */
@Tag("integration")
class PausedOwnerClusterTest {
    private static final int FEW = 1_000;
    private static final String NAME = "orders";

    /**
     * The first four members use all four node IDs. A later holder waits until the node ID of the paused owner is free.
     */
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 2, 10);

    @TempDir
    private Path directory = Path.of("");

    @AutoClose
    private @Nullable WriterProcesses started;

    /** Starts four members, which use all node IDs. Three of them are data members. */
    private WriterProcesses start(List<String> properties) throws Exception {
        List<String> flags = new ArrayList<>(List.of(
                "-Dhazelcast.heartbeat.interval.seconds=1",
                "-Dhazelcast.max.no.heartbeat.seconds=12",
                "-Dhazelcast.merge.first.run.delay.seconds=10",
                "-Dhazelcast.merge.next.run.delay.seconds=10",
                "-Dsnowcast.lease.millis=4000",
                "-Dsnowcast.max.clock.skew.millis=500"));
        flags.addAll(properties);
        WriterProcesses processes =
                new WriterProcesses(TcpCluster.newClusterName(), NAME, LAYOUT, directory, flags, new Ledger());
        started = processes;
        while (processes.living().size() < LAYOUT.logicalNodeCount() - 1) {
            processes.addMember();
        }
        processes.addLiteMember();
        processes.awaitSafe();
        processes.awaitMore(FEW);
        return processes;
    }

    /**
     * Pauses the owner until another holder has its node ID. Then waits until the owner generates IDs again, and checks
     * the IDs.
     *
     * @param alsoPaused the processes to pause with the owner
     */
    private static void pauseTheOwner(WriterProcesses processes, List<WriterProcess> alsoPaused) throws Exception {
        WriterProcess waiting = processes.addLiteMember();
        waiting.awaitLine(IdWriter.FAILED);
        WriterProcess owner = processes.awaitOwner();
        List<WriterProcess.Pause> pauses = new ArrayList<>(List.of(owner.pause()));
        for (WriterProcess other : alsoPaused) {
            pauses.add(other.pause());
        }
        waiting.awaitMore(FEW);
        assertThat(pauses).as("stand still").allMatch(WriterProcess.Pause::lasts);
        pauses.forEach(WriterProcess.Pause::close);
        long before = owner.idsWritten();
        Await.until(
                "it has noticed, or goes on as if nothing had happened",
                () -> owner.last(IdWriter.FAILED).isPresent() || owner.idsWritten() > before + FEW);
        processes.kill(waiting);
        alsoPaused.forEach(processes::kill);
        processes.awaitMore(FEW);
        processes.awaitSafe();
        processes.stopAndCheck(List.of());
    }

    /** Simulates a paused owner: the owner's clock moves ahead while the other members remove the owner. */
    @Tag("faults")
    @Test
    void anOwnerWhoseClockMovedOnWhileItWasRemovedWaitsForTheMerge() {
        OffsetClock clock = new OffsetClock(0);
        try (MockCluster cluster =
                MockCluster.of(0, SplitNetwork.properties(Map.of("hazelcast.operation.call.timeout.millis", "3000")))) {
            for (int i = 0; i < 2; i++) {
                cluster.addMember();
            }
            HazelcastInstance owner = cluster.addMember(clock::install);
            cluster.awaitSafe();
            String name = cluster.nameOwnedBy(owner);
            TestCluster.create(owner, name);
            SplitNetwork network = SplitNetwork.cut(List.of(owner), List.of(cluster.member(0), cluster.member(1)));
            clock.setOffset(20_000);
            network.suspected();

            assertThatThrownBy(() -> ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH))
                    .isInstanceOf(SnowcastException.class)
                    .hasMessageContaining("may have been removed by them; it continues when they have merged, or in ");
            TestCluster.create(cluster.member(0), name);

            network.merge();
            cluster.awaitSafe();
            ManyHolders.snowcast(owner).createSequencer(name, TestCluster.EPOCH).detachLogicalNode();
        }
    }

    @Test
    @Tag("soak")
    void anOwnerThatWasRemovedWhileItStoodStillGrantsNothing() throws Exception {
        pauseTheOwner(start(List.of()), List.of());
    }

    @Test
    @Tag("soak")
    void norDoesItWithSplitBrainProtection() throws Exception {
        pauseTheOwner(start(List.of("-D" + IdWriter.QUORUM + "=2")), List.of());
    }

    /**
     * Without backups, only the quorum stops the owner. The lite member lists the owner, but does not count towards the
     * quorum.
     */
    @Test
    @Tag("soak")
    void norDoesItTogetherWithALiteMember() throws Exception {
        WriterProcesses processes = start(List.of("-D" + IdWriter.QUORUM + "=2", "-D" + IdWriter.BACKUPS + "=0"));
        WriterProcess lite = processes.addLiteMember();
        lite.awaitLine(IdWriter.FAILED);
        pauseTheOwner(processes, List.of(lite));
    }
}
