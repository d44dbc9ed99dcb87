// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests processes that are killed or paused, or have different clocks. */
@Tag("faults")
class ProcessesClusterTest {
    private static final long SHORT_LEASE_MILLIS = 1_500;
    private static final long LONG_LEASE_MILLIS = 600_000;
    private static final int FEW = 2_000;
    private static final String NAME = "orders";

    private final String clusterName = "snowcast-" + UUID.randomUUID();

    @TempDir
    private Path directory = Path.of("");

    @AutoClose
    private @Nullable WriterProcesses started;

    private WriterProcesses processes(SnowcastLayout layout, long maxSkewMillis) {
        return processes(clusterName, layout, SHORT_LEASE_MILLIS, maxSkewMillis, new Ledger());
    }

    /** Makes processes whose own lease is short, in a cluster whose lease is {@code clusterLeaseMillis}. */
    private WriterProcesses processes(
            String cluster, SnowcastLayout layout, long clusterLeaseMillis, long maxSkewMillis, Ledger ledger) {
        WriterProcesses processes = new WriterProcesses(
                cluster,
                NAME,
                layout,
                directory,
                List.of(
                        "-Dsnowcast.lease.millis=" + clusterLeaseMillis,
                        "-Dsnowcast.max.clock.skew.millis=" + maxSkewMillis,
                        "-D" + IdWriter.LEASE + '=' + SHORT_LEASE_MILLIS),
                ledger);
        started = processes;
        return processes;
    }

    /** The leases in this process are long: on a busy machine a short one could run out, too, and free its node ID. */
    @Test
    void aHolderThatStoodStillForLongerThanItsLeaseGetsAnotherNodeId() throws Exception {
        SnowcastLayout twoNodes = new SnowcastLayout(41, 1, 10);
        Map<String, String> properties = Map.of(
                "snowcast.lease.millis", Long.toString(LONG_LEASE_MILLIS), "snowcast.max.clock.skew.millis", "500");
        SequencerConfig config =
                SequencerConfig.builder(NAME).epoch(EPOCH).layout(twoNodes).build();
        try (TcpCluster cluster = TcpCluster.of(2, properties)) {
            SnowcastSequencer leaving =
                    SnowcastSystem.snowcast(cluster.member(0)).createSequencer(config);
            WriterProcesses processes = processes(cluster.name(), twoNodes, LONG_LEASE_MILLIS, 500, cluster.ledger());
            WriterProcess holder = processes.addLiteMember(TcpCluster.portOf(cluster.member(0)));
            holder.awaitMore(FEW);

            WriterProcess.Pause pause = holder.pause();
            SnowcastSequencer successor = TestCluster.whenANodeIdIsFree(
                    () -> SnowcastSystem.snowcast(cluster.member(1)).createSequencer(config));
            Load load = Load.of(EPOCH).on(successor, 1).awaitMore(1_000);
            assertThat(pause.lasts()).as("stands still").isTrue();
            leaving.detachLogicalNode();
            long before = holder.idsWritten();
            pause.close();

            holder.awaitMore(FEW);
            load.awaitMore(1_000);
            processes.close();
            List<long[]> idsOfSuccessor = load.stopAndCheck();
            processes.stopAndCheck(idsOfSuccessor);
            long[] ids = holder.ids();
            int formerNode = twoNodes.logicalNodeId(ids[0]);
            assertThat(twoNodes.logicalNodeId(idsOfSuccessor.get(0)[0])).isEqualTo(formerNode);
            assertThat(twoNodes.logicalNodeId(ids[ids.length - 1])).isEqualTo(1 - formerNode);
            assertThat(ids.length).isGreaterThan((int) before);
        }
    }

    @Test
    void idsStayUniqueInDifferentTimes() throws Exception {
        WriterProcesses processes = processes(new SnowcastLayout(41, 4, 10), 300_000);
        WriterProcess lagging = processes.addMember(-90_000);
        lagging.awaitMore(FEW);
        processes.addMember(0);
        processes.addMember(60_000);
        processes.awaitSafe();
        processes.awaitMore(FEW);

        WriterProcess tooFarAhead = processes.addMember(600_000);
        assertThat(tooFarAhead.awaitLine(IdWriter.FAILED))
                .contains("clock must be at most 300000 ms ahead of cluster time (this clock 20", ", cluster time 20");
        assertThat(tooFarAhead.idsWritten()).isZero();
        processes.kill(tooFarAhead);
        processes.awaitSafe();

        processes.kill(lagging);
        processes.addMember(-120_000);
        processes.awaitSafe();
        processes.awaitMore(FEW);
        processes.stopAndCheck(List.of());
    }
}
