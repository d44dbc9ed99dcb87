// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a member with little memory from which a client requests the whole status many times at once. */
@Tag("faults")
class StatusMemoryClusterTest {
    private static final int NODES = 69_312;
    private static final int REQUESTS = 64;
    private static final List<String> FLAGS = List.of(
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dhazelcast.operation.thread.count=2",
            "-Dhazelcast.io.thread.count=2");

    @TempDir
    private Path directory;

    @Test
    void aMemberHasMemoryForOneReadingHoweverManyAreAskedFor() throws Exception {
        String clusterName = TcpCluster.newClusterName();
        int port = FreePort.get();
        try (JavaProcess process = JavaProcess.start(
                directory.resolve("output.txt"),
                FLAGS,
                System.getProperty("java.class.path"),
                CrowdedMemberMain.class,
                List.of(clusterName, Integer.toString(port), Integer.toString(NODES)))) {
            Await.until("a member whose nodes are held", () -> {
                assertThat(process.isAlive()).as(process.output()).isTrue();
                return process.output().contains(CrowdedMemberMain.READY);
            });
            ClientConfig config = TestCluster.clientConfig().setClusterName(clusterName);
            config.getNetworkConfig().addAddress("127.0.0.1:" + port);
            HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
            ExecutorService threads = Executors.newFixedThreadPool(REQUESTS);
            try {
                List<CompletableFuture<ClusterStatus>> answers = IntStream.range(0, REQUESTS)
                        .mapToObj(
                                i -> CompletableFuture.supplyAsync(() -> SnowcastSystem.clusterStatus(client), threads))
                        .toList();
                for (CompletableFuture<ClusterStatus> answer : answers) {
                    assertWhole(answer.get(8, TimeUnit.MINUTES));
                }
                assertThat(process.isAlive()).as(process.output()).isTrue();
                assertWhole(SnowcastSystem.clusterStatus(client));
            } finally {
                client.getLifecycleService().terminate();
                threads.shutdownNow();
            }
        }
    }

    private static void assertWhole(ClusterStatus status) {
        assertThat(status.sequencers().stream()
                        .mapToInt(ClusterStatus.Sequencer::attachedCount)
                        .sum())
                .isEqualTo(NODES);
        List<ClusterStatus.Node> nodes = status.sequencers().stream()
                .flatMap(each -> each.nodes().stream())
                .toList();
        assertThat(nodes).hasSize(ClusterStatus.MAX_NODES);
        for (ClusterStatus.Sequencer each : status.sequencers()) {
            assertThat(each.nodes()).extracting(ClusterStatus.Node::id).doesNotHaveDuplicates();
        }
    }
}
