// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastUnavailableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests two members that start at the same time, as pods can, and at first do not find each other. Each forms a cluster
 * of one. The clusters merge when the members find each other.
 */
@Tag("integration")
class PodsClusterTest {
    private final String name = TestCluster.newName();
    private final List<Pod> pods = new ArrayList<>();

    private record Pod(TcpCluster cluster, List<PossibleDuplicates> found) {
        HazelcastInstance member() {
            return cluster.member(0);
        }

        /**
         * Adds another pod to the addresses that this pod knows. Hazelcast reads these addresses at each search for
         * other clusters.
         */
        void discover(Pod other) {
            member().getConfig()
                    .getNetworkConfig()
                    .getJoin()
                    .getTcpIpConfig()
                    .addMember(TcpCluster.LOOPBACK + ':' + TcpCluster.portOf(other.member()));
        }
    }

    /** Starts members that do not know each other. */
    private void startPods(Consumer<Config> settings) {
        String clusterName = TcpCluster.newClusterName();
        Ledger ledger = new Ledger();
        for (int i = 0; i < 2; i++) {
            TcpCluster cluster = new TcpCluster(clusterName, SplitNetwork.properties(Map.of()), ledger);
            Pod pod = new Pod(cluster, new CopyOnWriteArrayList<>());
            pods.add(pod);
            cluster.addMember(settings);
            cluster.snowcast(0).addPossibleDuplicatesListener(pod.found::add);
        }
    }

    private void findEachOther() {
        pods.get(0).discover(pods.get(1));
        pods.get(1).discover(pods.get(0));
        new SplitNetwork(List.of(pods.get(0).member()), List.of(pods.get(1).member())).awaitMerge();
    }

    @AfterEach
    void stop() {
        pods.forEach(pod -> pod.cluster.close());
    }

    private List<SnowcastSequencer> create() {
        return pods.stream().map(pod -> TwoNodes.create(pod.member(), name)).toList();
    }

    private static List<long[]> useBothNodesAtOnce(List<SnowcastSequencer> sequencers) {
        long[][] ids = new long[sequencers.size()][];
        Threads.run(ids.length, index -> ids[index] = TwoNodes.useBoth(sequencers.get(index)));
        return List.of(ids);
    }

    private static Set<Long> set(long[] ids) {
        return new HashSet<>(LongStream.of(ids).boxed().toList());
    }

    @Test
    @Tag("faults")
    void withoutProtectionWhatBothMayHaveIssuedIsReportedWhenTheyMergeAndAfterwardsNothingRepeats() throws Exception {
        startPods(config -> {});
        pods.forEach(pod -> pod.cluster.ledger().allow(pod.found));
        List<SnowcastSequencer> sequencers = create();
        List<Set<Long>> before = List.of(new HashSet<>(), new HashSet<>());
        Set<Long> twice = new HashSet<>();
        // Waits until there is a duplicate ID of each node ID, because the test expects a report of each node ID. A
        // node ID that the sides used only at different times is not reported.
        Await.until("an ID of each node that both issued", () -> {
            List<long[]> more = useBothNodesAtOnce(sequencers);
            IntStream.range(0, 2).forEach(i -> before.get(i).addAll(set(more.get(i))));
            twice.addAll(before.get(0));
            twice.retainAll(before.get(1));
            return twice.stream().map(TwoNodes.LAYOUT::logicalNodeId).distinct().count() == 2;
        });

        findEachOther();
        Await.until(
                "a report of each node ID at each member", () -> pods.stream().allMatch(pod -> pod.found.size() >= 2));
        List<long[]> after =
                List.of(sequencers.get(0).next(1_000), sequencers.get(1).next(1_000));

        for (Pod pod : pods) {
            assertThat(pod.found)
                    .allMatch(each -> each.sequencerName().equals(name))
                    .extracting(PossibleDuplicates::logicalNodeId)
                    .containsExactlyInAnyOrder(0, 1);
            assertThat(twice)
                    .allMatch(id -> pod.found.stream().anyMatch(each -> TwoNodes.covers(each, sequencers.get(0), id)));
        }
        IdCheck.requireUnique(TwoNodes.LAYOUT, after);
        after.forEach(ids -> assertThat(set(ids))
                .doesNotContainAnyElementsOf(before.get(0))
                .doesNotContainAnyElementsOf(before.get(1)));
    }

    @Test
    void withProtectionNeitherIssuesAnythingAloneAndBothDoWhenTheyHaveMerged() throws Exception {
        startPods(config -> SplitNetwork.protect(config, 2));
        for (Pod pod : pods) {
            assertThatThrownBy(() -> TwoNodes.create(pod.member(), name))
                    .isExactlyInstanceOf(SnowcastUnavailableException.class)
                    .hasCauseInstanceOf(SplitBrainProtectionException.class);
        }

        findEachOther();
        List<SnowcastSequencer> sequencers = create();
        List<long[]> ids =
                List.of(sequencers.get(0).next(1_000), sequencers.get(1).next(1_000));

        IdCheck.requireUnique(TwoNodes.LAYOUT, ids);
        assertThat(pods).allMatch(pod -> pod.found.isEmpty());
    }
}
