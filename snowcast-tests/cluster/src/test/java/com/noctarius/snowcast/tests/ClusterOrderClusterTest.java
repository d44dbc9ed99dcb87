// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSystem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Integers in the order of calls over all members and clients. */
@Tag("integration")
class ClusterOrderClusterTest {
    private static final int ROUNDS = 2;

    private final String name = TestCluster.newName();

    private static IntegerSequenceConfig config(String name) {
        return IntegerSequenceConfig.builder(name)
                .lastValue(Long.MAX_VALUE)
                .ordering(Ordering.CLUSTER)
                .maxWait(Duration.ofSeconds(5))
                .build();
    }

    private static IntegerSequence create(HazelcastInstance instance, String name) {
        return SnowcastSystem.snowcast(instance).createIntegerSequence(config(name));
    }

    private List<IntegerSequence> createOn(List<HazelcastInstance> instances) {
        return instances.stream().map(instance -> create(instance, name)).toList();
    }

    @Test
    void callsAreInOrderOnMembersAndClientsAndShareRequests() throws Exception {
        try (MockCluster cluster = MockCluster.of(2)) {
            List<IntegerSequence> sequences =
                    createOn(List.of(cluster.member(0), cluster.member(1), cluster.addClient()));
            new RealTimeOrder().on(sequences, 8).awaitMore(5_000).stopAndCheck();
            for (IntegerSequence sequence : sequences) {
                assertThat(sequence.stats().reservationCount())
                        .isLessThan(sequence.stats().issuedCount() / 2);
                assertThat(sequence.remaining()).isZero();
            }
        }
    }

    @Test
    void callsStayInOrderWhileOwnersAndBackupsCrash() {
        try (MockCluster cluster = MockCluster.of(3)) {
            RealTimeOrder order = new RealTimeOrder().on(createOn(cluster.members()), 2);
            order.on(createOn(List.of(cluster.addClient())), 2);
            for (int round = 0; round < ROUNDS; round++) {
                order.awaitMore(500);
                cluster.crash(round % 2 == 0 ? cluster.owner(name) : cluster.backup(name));
                order.awaitMore(500).on(createOn(List.of(cluster.addMember())), 2);
                cluster.awaitSafe();
            }
            order.awaitMore(500).stopAndCheck();
        }
    }

    @Test
    void callsStayInOrderWhileOwnersJoinAndLeave() {
        try (MockCluster cluster = MockCluster.of(2)) {
            RealTimeOrder order = new RealTimeOrder().on(createOn(cluster.members()), 2);
            order.on(createOn(List.of(cluster.addClient())), 2);
            for (int round = 0; round < ROUNDS; round++) {
                order.on(createOn(List.of(cluster.addMember())), 2).awaitMore(500);
                cluster.leave(cluster.owner(name));
                order.awaitMore(500);
            }
            order.stopAndCheck();
        }
    }

    /** Both sides go on, so their integers are in no order; and from the merge on they are again. */
    @Test
    void afterASplitWithoutProtectionWhatCameTwiceIsReportedAndOrderIsBack() throws Exception {
        List<PossibleDuplicateIntegers> found = new CopyOnWriteArrayList<>();
        try (MockCluster cluster =
                MockCluster.of(0, SplitNetwork.properties(Map.of("hazelcast.operation.call.timeout.millis", "3000")))) {
            cluster.grants().allow(List.of(), found);
            for (int i = 0; i < 3; i++) {
                SnowcastSystem.snowcast(cluster.addMember()).addPossibleDuplicateIntegersListener(found::add);
            }
            cluster.awaitSafe();
            String split = cluster.nameOwnedBy(cluster.member(2));
            IntegerSequence losing = create(cluster.member(2), split);
            IntegerSequence winning = create(cluster.member(0), split);
            SplitNetwork network = SplitNetwork.cut(
                            List.of(cluster.member(2)), List.of(cluster.member(0), cluster.member(1)))
                    .noticed();
            long ofLoser = losing.next(40)[39];
            long ofWinner = winning.next(20)[19];
            network.heal().awaitMerge();
            Await.until("a report at each member", () -> found.size() >= 3);
            cluster.awaitSafe();

            assertThat(found).allMatch(report -> report.sequenceName().equals(split) && report.last() >= ofWinner);
            RealTimeOrder order = new RealTimeOrder();
            long first = create(cluster.member(1), split).next();
            assertThat(first).isGreaterThan(Math.max(ofLoser, ofWinner));
            order.on(List.of(losing, winning, create(cluster.member(1), split)), 2)
                    .awaitMore(500)
                    .stopAndCheck();
        }
    }

    @Test
    void withProtectionTheOrderHoldsThroughASplit() {
        try (MockCluster cluster =
                MockCluster.of(0, SplitNetwork.properties(Map.of("hazelcast.operation.call.timeout.millis", "3000")))) {
            for (int i = 0; i < 3; i++) {
                cluster.addMember(config -> SplitNetwork.protect(config, 2));
            }
            cluster.awaitSafe();
            String split = cluster.nameOwnedBy(cluster.member(2));
            RealTimeOrder order = new RealTimeOrder();
            order.on(
                            cluster.members().stream()
                                    .map(member -> create(member, split))
                                    .toList(),
                            2)
                    .awaitMore(300);
            SplitNetwork network = SplitNetwork.cut(
                            List.of(cluster.member(2)), List.of(cluster.member(0), cluster.member(1)))
                    .noticed();
            order.awaitMore(300);
            network.heal().awaitMerge();
            cluster.awaitSafe();
            order.awaitMore(500).stopAndCheck();
        }
    }

    @Test
    void allInstancesHaveTheOrderingAndALaterIncarnationMayHaveAnother() throws Exception {
        try (MockCluster cluster = MockCluster.of(2)) {
            IntegerSequence inOrder = create(cluster.member(0), name);
            long before = inOrder.next();
            IntegerSequenceConfig inBlocks = IntegerSequenceConfig.builder(name)
                    .lastValue(Long.MAX_VALUE)
                    .blockSize(10)
                    .build();
            for (HazelcastInstance instance : List.of(cluster.member(0), cluster.member(1), cluster.addClient())) {
                Snowcast snowcast = SnowcastSystem.snowcast(instance);
                assertThatThrownBy(() -> snowcast.createIntegerSequence(inBlocks))
                        .isInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                        .hasMessageContaining("ordering CLUSTER, not ordering STRICT");
            }
            SnowcastSystem.snowcast(cluster.member(0)).destroyIntegerSequence(inOrder);
            IntegerSequence blocks = SnowcastSystem.snowcast(cluster.member(1)).createIntegerSequence(inBlocks);
            long between = blocks.next();
            assertThat(between).isGreaterThan(before);
            SnowcastSystem.snowcast(cluster.member(1)).destroyIntegerSequence(blocks);
            assertThat(create(cluster.member(0), name).next()).isGreaterThan(between);
        }
    }
}
