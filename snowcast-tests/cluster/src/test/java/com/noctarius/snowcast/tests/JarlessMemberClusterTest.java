// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.PartitionService;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSystem;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests members that have Hazelcast but not snowcast on their class path, each in a separate process. */
@Tag("faults")
class JarlessMemberClusterTest {
    @Test
    void aMemberWithoutTheJarYieldsAClearMessageAndNoHang(@TempDir Path directory) throws Exception {
        Duration callTimeout = Duration.ofSeconds(6);
        Map<String, String> properties =
                Map.of("hazelcast.operation.call.timeout.millis", Long.toString(callTimeout.toMillis()));
        try (TcpCluster cluster = TcpCluster.of(1, properties)) {
            HazelcastInstance member = cluster.member(0);
            try (JavaProcess jarless = start(cluster.name(), FreePort.get(), TcpCluster.portOf(member), directory)) {
                Await.until(
                        "a second member",
                        () -> member.getCluster().getMembers().size() == 2 || !jarless.isAlive());
                assertThat(jarless.isAlive()).as(jarless.output()).isTrue();
                String name = nameOwnedByTheOther(member);
                long start = System.nanoTime();

                assertThatThrownBy(() -> SnowcastSystem.snowcast(member).createSequencer(name, EPOCH))
                        .isInstanceOf(SnowcastException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining("snowcast on their class path");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(callTimeout.multipliedBy(10));
            }
        }
    }

    @Test
    void aClientIsToldSoToo(@TempDir Path directory) throws Exception {
        String clusterName = TcpCluster.newClusterName();
        int port = FreePort.get();
        try (JavaProcess jarless = start(clusterName, port, port, directory)) {
            ClientConfig config = TestCluster.clientConfig().setClusterName(clusterName);
            config.getNetworkConfig().addAddress("127.0.0.1:" + port);
            config.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(180_000);
            HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
            try {
                assertThatThrownBy(() -> SnowcastSystem.clusterStatus(client))
                        .isExactlyInstanceOf(SnowcastException.class)
                        .hasMessageStartingWith("status of the cluster: a data member of the cluster cannot read the"
                                + " request; all of them need the same version of snowcast on their class path");
                assertThatThrownBy(() -> TestCluster.create(client, "orders"))
                        .isExactlyInstanceOf(SnowcastException.class)
                        .hasMessageContaining("sequencer orders")
                        .hasMessageContaining("snowcast on their class path");
                assertThat(jarless.isAlive()).isTrue();
            } finally {
                client.shutdown();
            }
        }
    }

    private static String nameOwnedByTheOther(HazelcastInstance member) {
        PartitionService partitions = member.getPartitionService();
        String[] name = {""};
        Await.until("a partition of the other member", () -> {
            name[0] = TestCluster.newName();
            var owner = partitions.getPartition(name[0]).getOwner();
            return owner != null && !owner.localMember();
        });
        return name[0];
    }

    /** Starts a member. If {@code peerPort} is the member's own {@code port}, the member starts a new cluster. */
    private static JavaProcess start(String clusterName, int port, int peerPort, Path directory) throws Exception {
        StartsClusterTest.copy(JarlessMain.class, directory);
        return JavaProcess.start(
                directory,
                directory + File.pathSeparator + StartsClusterTest.locationOf(Hazelcast.class),
                JarlessMain.class,
                clusterName,
                Integer.toString(port),
                Integer.toString(peerPort),
                Integer.toString(TestCluster.PARTITIONS));
    }
}
