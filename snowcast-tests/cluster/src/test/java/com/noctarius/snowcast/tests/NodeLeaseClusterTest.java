// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests node leases of members and clients. */
@Tag("integration")
class NodeLeaseClusterTest {
    @AutoClose
    private static MockCluster cluster;

    private static HazelcastInstance client;

    private final String name = TestCluster.newName();

    @BeforeAll
    static void start() {
        cluster = MockCluster.of(2);
        client = cluster.addClient();
    }

    private static Stream<ClusterStatus.Sequencer> shown(HazelcastInstance asked, String name) {
        return SnowcastSystem.clusterStatus(asked).sequencers().stream()
                .filter(each -> each.name().equals(name));
    }

    private NodeLeaseConfig config(int maxNodeCount) {
        return NodeLeaseConfig.builder(name).maxNodeCount(maxNodeCount).build();
    }

    private List<NodeLease> leaseOnAll(int maxNodeCount) {
        return Stream.of(cluster.member(0), cluster.member(1), client)
                .map(instance -> SnowcastSystem.snowcast(instance).leaseNode(config(maxNodeCount)))
                .toList();
    }

    @Test
    void membersAndClientsHaveDifferentNodeIdsAndAreShown() {
        List<NodeLease> leases = leaseOnAll(3);
        assertThat(leases.stream().map(NodeLease::nodeId)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(SnowcastSystem.snowcast(client).nodeLeases()).contains(leases.get(2));
        assertThat(SnowcastSystem.snowcast(client).sequencers()).isEmpty();

        for (HazelcastInstance asked : List.of(cluster.member(0), client)) {
            ClusterStatus.Sequencer shown = shown(asked, name).findFirst().orElseThrow();
            assertThat(shown.isNodeLease()).isTrue();
            assertThat(shown.maxNodeCount()).isEqualTo(3);
            assertThat(shown.nodeIdCount()).isEqualTo(3);
            assertThat(shown.attachedCount()).isEqualTo(3);
        }
        assertThat(cluster.snowcast(0).metrics())
                .contains(new Snowcast.Metric(
                        "logicalNodeId", "lease", name, leases.get(0).nodeId()));
    }

    @Test
    void allNodeIdsUpTo65535CanBeLeased() {
        NodeLease lease = cluster.snowcast(0).leaseNode(config(NodeLeaseConfig.MAX_NODE_COUNT));
        NodeLease other = SnowcastSystem.snowcast(client).leaseNode(config(NodeLeaseConfig.MAX_NODE_COUNT));
        assertThat(lease.nodeId()).isBetween(0, 65_535).isNotEqualTo(other.nodeId());
        assertThat(shown(client, name))
                .allMatch(each -> each.nodeIdCount() == 65_536)
                .hasSize(1);
    }

    /** The generators would issue duplicates if two of them had the same node ID at the same time. */
    @Test
    void guardedGeneratorsThatKeepLeasingShareNoId() {
        List<HazelcastInstance> instances = List.of(cluster.member(0), client, cluster.member(1), cluster.addClient());
        List<LongStream.Builder> ids = new ArrayList<>();
        instances.forEach(each -> ids.add(LongStream.builder()));
        Threads.run(instances.size(), index -> {
            for (int cycle = 0; cycle < 60; cycle++) {
                try (NodeLease lease =
                        SnowcastSystem.snowcast(instances.get(index)).leaseNode(config(4))) {
                    NodeLease.Generator generator = generator(lease);
                    IntStream.range(0, 50).forEach(i -> ids.get(index).add(generator.getAsLong()));
                }
            }
        });
        long[] all = ids.stream().flatMapToLong(LongStream.Builder::build).toArray();
        assertThat(all).hasSize(4 * 60 * 50).doesNotHaveDuplicates();
    }

    /** Returns a generator of IDs with the time, the node ID, and a counter that starts at 0 in each millisecond. */
    private static NodeLease.Generator generator(NodeLease lease) {
        return lease.generator(
                nodeId -> {
                    long[] last = new long[2];
                    return () -> {
                        long millis = System.currentTimeMillis();
                        last[1] = millis == last[0] ? last[1] + 1 : 0;
                        last[0] = millis;
                        return millis << 20 | (long) nodeId << 16 | last[1];
                    };
                },
                id -> id >>> 20);
    }
}
