// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static com.noctarius.snowcast.tests.TestCluster.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.status.ClusterStatus;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("integration")
class StatusClusterTest {
    private static final SequencerConfig ORDERS = SequencerConfig.builder("orders")
            .epoch(EPOCH)
            .layout(new SnowcastLayout(41, 3, 10))
            .startAbove(5)
            .build();

    private static ClusterStatus.Node nodeOf(ClusterStatus status, SnowcastSequencer holder)
            throws InterruptedException {
        int id = holder.logicalNodeId(holder.next());
        return status.sequencers().get(0).nodes().stream()
                .filter(node -> node.id() == id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void membersAndClientsSayWhoHoldsWhat() throws Exception {
        try (MockCluster cluster = MockCluster.of(2)) {
            HazelcastInstance client = cluster.addClient(config -> config.setInstanceName("shop-1"));
            SnowcastSequencer ofMember = cluster.snowcast(0).createSequencer(ORDERS);
            SnowcastSequencer ofOther = cluster.snowcast(1).createSequencer(ORDERS);
            SnowcastSequencer ofClient = SnowcastSystem.snowcast(client).createSequencer(ORDERS);
            IntegerSequence products = cluster.snowcast(0)
                    .createIntegerSequence(IntegerSequenceConfig.builder("products")
                            .store(new MemoryBlockStore())
                            .build());
            assertThat(products.next()).isEqualTo(1);

            for (HazelcastInstance asked : List.of(cluster.member(0), cluster.member(1), client)) {
                ClusterStatus status = SnowcastSystem.clusterStatus(asked);
                assertThat(status.sequencers()).hasSize(1);
                ClusterStatus.Sequencer orders = status.sequencers().get(0);
                assertThat(orders.name()).isEqualTo("orders");
                assertThat(orders.epoch()).isEqualTo(EPOCH);
                assertThat(orders.layout()).isEqualTo(ORDERS.layout());
                assertThat(orders.startAbove()).isEqualTo(5);
                assertThat(orders.timeEnds()).isEqualTo(ORDERS.layout().endOfTime(EPOCH));
                assertThat(orders.turnsNegative()).isNull();
                assertThat(orders.nodeIdCount()).isEqualTo(8);
                assertThat(orders.nodes()).hasSize(3).allSatisfy(node -> {
                    assertThat(node.isAttached()).isTrue();
                    assertThat(node.until()).isAfter(status.time());
                });
                assertThat(nodeOf(status, ofMember).holder()).isEqualTo(memberName(cluster.member(0)));
                assertThat(nodeOf(status, ofOther).holder()).isEqualTo(memberName(cluster.member(1)));
                assertThat(nodeOf(status, ofClient).holder()).startsWith("client shop-1 at 127.0.0.1 #");
                assertThat(status.integerSequences())
                        .as("the store has them, not the cluster")
                        .isEmpty();
                assertThat(status.possibleDuplicates()).isEmpty();
            }

            ofOther.detachLogicalNode();
            // A released node ID is free only when cluster time has passed the time of its last ID. That time may be
            // the present millisecond.
            Await.until(
                    "the released node ID is free",
                    () -> SnowcastSystem.clusterStatus(client)
                                    .sequencers()
                                    .get(0)
                                    .nodes()
                                    .size()
                            == 2);
            cluster.snowcast(0).destroySequencer(ofMember);
            assertThat(SnowcastSystem.clusterStatus(client).sequencers()).isEmpty();
        }
    }

    /** Each partition has several names, and a member requests the status of 16 partitions at once. */
    @Test
    void aStatusHasAllNamesAskedByAClientAndAMemberAlike() throws Exception {
        try (MockCluster cluster = MockCluster.of(2, Map.of("hazelcast.partition.count", "37"))) {
            HazelcastInstance client = cluster.addClient();
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                String name = "name-" + i;
                names.add(name);
                cluster.snowcast(i % 2).createSequencer(name, EPOCH);
            }
            for (HazelcastInstance asked : List.of(client, cluster.member(1))) {
                ClusterStatus status = SnowcastSystem.clusterStatus(asked);
                assertThat(status.sequencers())
                        .extracting(ClusterStatus.Sequencer::name)
                        .containsExactlyElementsOf(names.stream().sorted().toList());
                assertThat(status.sequencers()).allSatisfy(each -> {
                    assertThat(each.nodes()).hasSize(1);
                    assertThat(each.attachedCount()).isOne();
                    assertThat(each.expiringCount()).isZero();
                });
            }
        }
    }

    private static String memberName(HazelcastInstance member) {
        return "member 127.0.0.1:"
                + member.getCluster().getLocalMember().getAddress().getPort();
    }

    @Test
    void theNodeOfACrashedMemberIsAttachedUntilItsLeaseHasEnded() throws Exception {
        OffsetClock clock = new OffsetClock(0);
        Consumer<Config> settings = clock::install;
        try (MockCluster cluster = MockCluster.of(0, TimeStep.PROPERTIES)) {
            List<SnowcastSequencer> holders = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                holders.add(SnowcastSystem.snowcast(cluster.addMember(settings)).createSequencer(ORDERS));
            }
            HazelcastInstance crashing = cluster.addMember(settings);
            cluster.awaitSafe();
            SnowcastSequencer crashed = SnowcastSystem.snowcast(crashing).createSequencer(ORDERS);
            int id = crashed.logicalNodeId(crashed.next());
            String name = memberName(crashing);
            assertThat(is(cluster, id, node -> node.holder().equals(name))).isTrue();
            cluster.crash(crashing);

            Predicate<ClusterStatus.Node> isShown =
                    node -> node.isAttached() && node.holder().equals(name);
            assertThat(is(cluster, id, isShown)).isTrue();
            cluster.awaitSafe(); // Without a backup, the owner renews no lease, and the time step needs renewals.
            cluster.members().forEach(member -> actAsOwner(cluster, member));
            TimeStep.to(TimeStep.MILLIS, clock, cluster.members(), holders);
            assertThat(is(cluster, id, isShown)).isTrue();
            TimeStep.to(2 * TimeStep.MILLIS, clock, cluster.members(), holders);
            Await.until("a free node", () -> !is(cluster, id, node -> true));
            assertThat(SnowcastSystem.clusterStatus(cluster.member(0))
                            .sequencers()
                            .get(0)
                            .nodes())
                    .hasSize(2);
        }
    }

    @Test
    void aReleasedNodeIsExpiringUntilTheTimeOfItsIds() throws Exception {
        OffsetClock ahead = new OffsetClock(30_000);
        try (MockCluster cluster = MockCluster.of(1)) {
            HazelcastInstance client = cluster.addClient(ahead::install);
            SnowcastSequencer released = SnowcastSystem.snowcast(client).createSequencer(ORDERS);
            int id = released.logicalNodeId(released.next());
            assertThat(is(cluster, id, ClusterStatus.Node::isAttached)).isTrue();
            released.detachLogicalNode();
            assertThat(is(cluster, id, node -> !node.isAttached())).isTrue();
            ClusterStatus.Sequencer orders =
                    SnowcastSystem.clusterStatus(client).sequencers().get(0);
            assertThat(orders.attachedCount()).isZero();
            assertThat(orders.expiringCount()).isOne();
        }
    }

    /**
     * Makes a member act as an owner after another member has left. Otherwise the next step of time would look like a
     * pause to the member, and it would wait long for the member that has left.
     */
    private static void actAsOwner(MockCluster cluster, HazelcastInstance member) {
        String name = Stream.generate(TestCluster::newName)
                .filter(each -> cluster.owner(each).equals(member))
                .findFirst()
                .orElseThrow();
        Snowcast snowcast = SnowcastSystem.snowcast(member);
        snowcast.destroySequencer(snowcast.createSequencer(
                SequencerConfig.builder(name).epoch(ORDERS.epoch()).build()));
    }

    private static boolean is(MockCluster cluster, int id, Predicate<ClusterStatus.Node> condition) {
        return SnowcastSystem.clusterStatus(cluster.member(0)).sequencers().get(0).nodes().stream()
                .anyMatch(node -> node.id() == id && condition.test(node));
    }
}
