// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests a cluster that splits without split-brain protection, and merges. Its sequencer has only two node IDs, so that
 * both sides can use both of them.
 */
@Tag("integration")
class MergeClusterTest {
    private static final long LEASE_MILLIS = 2_000;
    /** A report may begin at most this long before the split: the heartbeat time-out plus twice the maximum skew. */
    private static final Duration UNNOTICED = Duration.ofMinutes(3);

    private final OffsetClock clock = new OffsetClock(0);
    private final List<PossibleDuplicates> found = new CopyOnWriteArrayList<>();
    /** The sequencer's name. Its owner and backup are on different sides, so neither side waits for a recovery. */
    private String name = "";

    @AutoClose
    private final MockCluster cluster =
            MockCluster.of(0, SplitNetwork.properties(Map.of("snowcast.lease.millis", Long.toString(LEASE_MILLIS))));

    @BeforeEach
    void start() {
        for (int i = 0; i < 3; i++) {
            HazelcastInstance member = cluster.addMember(clock::install);
            SnowcastSystem.snowcast(member).addPossibleDuplicatesListener(found::add);
        }
        cluster.ledger().allow(found);
        cluster.awaitSafe();
        name = cluster.nameOwnedBy(cluster.member(2));
        // The attach returns only when the backup has the change, and with it a copy of the partition.
        int partition =
                cluster.member(0).getPartitionService().getPartition(name).getPartitionId();
        TestCluster.create(cluster.member(0), cluster.nameIn(partition));
    }

    /** Separates the third member, which is then the losing side, because it is the smaller one. */
    private SplitNetwork split() {
        return SplitNetwork.cut(List.of(cluster.member(2)), List.of(cluster.member(0), cluster.member(1)))
                .noticed();
    }

    private static Set<Long> set(long[] ids) {
        return Arrays.stream(ids).boxed().collect(Collectors.toSet());
    }

    @Test
    void clientsHearOfItOnceAndTheStatusShowsIt() throws Exception {
        HazelcastInstance client = cluster.addClient();
        SnowcastSystem.snowcast(client).addPossibleDuplicatesListener(found::add);
        TestCluster.create(client, TestCluster.newName()); // A client without a sequencer receives no reports.
        SplitNetwork network = split();
        TwoNodes.useBoth(TwoNodes.create(cluster.member(0), name));
        TwoNodes.useBoth(TwoNodes.create(cluster.member(2), name));

        network.heal().awaitMerge();
        Await.until("a report at each member and the client", () -> found.size() >= 8);
        assertThat(found).hasSize(8);
        assertThat(Set.copyOf(found)).hasSize(2);
        assertThat(SnowcastSystem.clusterStatus(client).possibleDuplicates())
                .hasSize(2)
                .hasSameElementsAs(found);
    }

    @Test
    void whatBothSidesMayHaveIssuedIsReportedAndAfterTheMergeNothingRepeats() throws Exception {
        Instant start = Instant.now();
        SplitNetwork network = split();
        SnowcastSequencer winning = TwoNodes.create(cluster.member(0), name);
        SnowcastSequencer losing = TwoNodes.create(cluster.member(2), name);
        IdLog byWinner = new IdLog();
        IdLog byLoser = new IdLog();
        for (int round = 0; round < 4; round++) {
            byWinner.add(TwoNodes.useBoth(winning));
            byLoser.add(TwoNodes.useBoth(losing));
        }
        Instant end = Instant.now();

        network.heal().awaitMerge();
        Await.until("a report at each member", () -> found.size() >= 6);
        cluster.awaitSafe();
        long[] after = winning.next(1_000);
        long[] afterToo = losing.next(1_000);

        assertThat(found).hasSize(6).allMatch(each -> each.sequencerName().equals(name));
        assertThat(Set.copyOf(found))
                .hasSize(2)
                .extracting(PossibleDuplicates::logicalNodeId)
                .containsExactlyInAnyOrder(0, 1);
        assertThat(found)
                .allMatch(each -> each.to().isBefore(end.plusMillis(2 * LEASE_MILLIS)))
                .allSatisfy(each -> assertThat(each.from()).isBetween(start.minus(UNNOTICED), start));
        Set<Long> bySides = set(byWinner.toArray());
        Set<Long> twice = set(byLoser.toArray());
        twice.retainAll(bySides);
        assertThat(twice).allMatch(id -> found.stream().anyMatch(each -> TwoNodes.covers(each, winning, id)));
        IdCheck.requireUnique(TwoNodes.LAYOUT, List.of(after, afterToo));
        bySides.addAll(set(byLoser.toArray()));
        Set<Long> again = set(after);
        again.addAll(set(afterToo));
        again.retainAll(bySides);
        assertThat(again).isEmpty();
    }

    @Test
    void whatTheLosingSideIssuedIsBelowAllThatTheWinningSideGrantsAfterwards() throws Exception {
        TwoNodes.create(cluster.member(0), name).detachLogicalNode();
        cluster.awaitSafe();
        SplitNetwork network = split();
        SnowcastSequencer losing = TwoNodes.create(cluster.member(2), name);
        // The clock is ahead, so that the IDs are not yet in the past when the sides merge.
        clock.setOffset(8_000);
        long[] ids = TwoNodes.useBoth(losing);
        losing.detachLogicalNode();
        clock.setOffset(0);

        network.heal().awaitMerge();
        Await.until("its table came over", () -> Tables.used(cluster.owner(name), name) == 2);
        cluster.awaitSafe();
        SnowcastSequencer winning = TwoNodes.create(cluster.member(0), name).attachLogicalNode();

        clock.setOffset(8_000);
        long next = winning.next();
        assertThat(winning.timestampValue(next))
                .isGreaterThan(Arrays.stream(ids)
                        .filter(id -> winning.logicalNodeId(id) == winning.logicalNodeId(next))
                        .map(winning::timestampValue)
                        .max()
                        .orElseThrow());
    }

    @Test
    void aClientOfTheLosingSideComesOver() throws Exception {
        SplitNetwork network = split();
        HazelcastInstance loser = cluster.member(2);
        HazelcastInstance client = cluster.addClient(config -> config.getNetworkConfig()
                .addAddress(loser.getCluster().getLocalMember().getAddress().getHost() + ":"
                        + loser.getCluster().getLocalMember().getAddress().getPort()));
        SnowcastSequencer held = TwoNodes.create(client, name);
        Load load = Load.tolerating(SnowcastStateException.class, TestCluster.EPOCH)
                .on(held, 1)
                .awaitMore(1_000);

        network.heal().awaitMerge();
        Await.until("its table came over", () -> Tables.attached(cluster.owner(name), name) > 0);
        cluster.awaitSafe();
        load.on(TwoNodes.create(cluster.member(0), name), 1);

        load.awaitMore(2_000).stopAndCheck();
        assertThat(found).isEmpty();
    }
}
