// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SnowcastLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that owns the name stands still for so long that the others remove it. When it wakes up it knows nothing of
 * that, and its table still says that its own holder has the node ID that another holder was granted meanwhile.
 */
class PausedOwnerClusterTest {
    private static final int FEW = 1_000;
    private static final String NAME = "orders";

    /** Four node IDs for five holders: one waits for a node ID that is free, and takes that of the process that stopped. */
    private static final SnowcastLayout LAYOUT = new SnowcastLayout(41, 2, 10);

    @TempDir
    private Path directory = Path.of("");

    private @Nullable WriterProcesses started;

    /**
     * Starts a cluster whose oldest member owns no partitions: when the oldest stops, Hazelcast needs long to agree upon
     * another master.
     */
    private WriterProcesses start(int dataMembers, List<String> properties) throws Exception {
        List<String> flags = new ArrayList<>(List.of(
                "-Dhazelcast.heartbeat.interval.seconds=1",
                "-Dhazelcast.max.no.heartbeat.seconds=12",
                "-Dhazelcast.merge.first.run.delay.seconds=10",
                "-Dhazelcast.merge.next.run.delay.seconds=10",
                "-Dsnowcast.lease.millis=4000",
                "-Dsnowcast.max.clock.skew.millis=500"));
        flags.addAll(properties);
        WriterProcesses processes =
                new WriterProcesses(TcpCluster.newClusterName(), NAME, LAYOUT, directory, flags, new GrantLedger());
        started = processes;
        processes.addLiteMember();
        for (int i = 0; i < dataMembers; i++) {
            processes.addMember();
        }
        processes.awaitSafe();
        return processes;
    }

    @AfterEach
    void stop() {
        if (started != null) {
            started.close();
        }
    }

    /** Stops the owner until its node ID is another holder's, and lets it go on until it has come back. */
    private static void pauseTheOwner(WriterProcesses processes) throws Exception {
        while (processes.living().size() < LAYOUT.logicalNodeCount()) {
            processes.addLiteMember();
        }
        processes.awaitSafe();
        processes.awaitMore(FEW);
        WriterProcess waiting = processes.addLiteMember();
        waiting.awaitLine(IdWriter.FAILED);
        WriterProcess owner = processes.awaitOwner();
        try (WriterProcess.Pause pause = owner.pause()) {
            waiting.awaitMore(FEW);
            assertThat(pause.lasts()).as("stands still").isTrue();
        }
        long before = owner.idsWritten();
        Await.until(
                "it has noticed, or goes on as if nothing had happened",
                () -> owner.last(IdWriter.FAILED).isPresent() || owner.idsWritten() > before + FEW);
        processes.kill(waiting);
        processes.awaitMore(FEW);
        processes.awaitSafe();
        processes.stopAndCheck(List.of());
    }

    @Test
    void anOwnerThatWasRemovedWhileItStoodStillGrantsNothing() throws Exception {
        pauseTheOwner(start(3, List.of()));
    }

    @Test
    void norDoesItWithSplitBrainProtection() throws Exception {
        pauseTheOwner(start(3, List.of("-D" + IdWriter.QUORUM + "=2")));
    }
}
