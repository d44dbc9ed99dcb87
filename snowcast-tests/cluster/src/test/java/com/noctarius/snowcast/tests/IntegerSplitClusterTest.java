// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.cluster.Metrics;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Integer sequences in a network that splits. */
@Tag("integration")
class IntegerSplitClusterTest {
    private final List<PossibleDuplicateIntegers> found = new CopyOnWriteArrayList<>();

    @AutoClose
    private final MockCluster cluster =
            MockCluster.of(0, SplitNetwork.properties(Map.of("hazelcast.operation.call.timeout.millis", "3000")));

    private static IntegerSequence create(HazelcastInstance instance, String name) {
        return SnowcastSystem.snowcast(instance)
                .createIntegerSequence(IntegerSequenceConfig.builder(name)
                        .blockSize(10)
                        .prefetchThreshold(1)
                        // A block takes longer on a busy machine than on another.
                        .maxWait(Duration.ofSeconds(5))
                        .build());
    }

    private SplitNetwork split() {
        return SplitNetwork.cut(List.of(cluster.member(2)), List.of(cluster.member(0), cluster.member(1)))
                .noticed();
    }

    private static void draw(IntegerSequence from, int count, Set<Long> into) throws InterruptedException {
        for (long integer : from.next(count)) {
            into.add(integer);
        }
    }

    @Test
    void whatBothSidesHandedOutIsReportedAndAfterTheMergeNothingRepeats() throws Exception {
        cluster.grants().allow(List.of(), found);
        List<UUID> listeners = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            listeners.add(
                    SnowcastSystem.snowcast(cluster.addMember()).addPossibleDuplicateIntegersListener(found::add));
        }
        cluster.awaitSafe();
        String name = cluster.nameOwnedBy(cluster.member(2));
        IntegerSequence losing = create(cluster.member(2), name);
        IntegerSequence winning = create(cluster.member(0), name);
        IntegerLoad load = new IntegerLoad();
        for (int i = 0; i < 15; i++) {
            load.draw(losing);
            load.draw(winning);
        }
        SplitNetwork network = split();
        Set<Long> byLoser = new HashSet<>();
        Set<Long> byWinner = new HashSet<>();
        draw(losing, 95, byLoser);
        draw(winning, 32, byWinner); // and has a block in hand that the other side has used
        network.heal().awaitMerge();
        Await.until("a report at each member", () -> found.size() >= 3);
        cluster.awaitSafe();

        Set<Long> twice = new HashSet<>(byLoser);
        twice.retainAll(byWinner);
        assertThat(twice).isNotEmpty();
        assertThat(Set.copyOf(found)).hasSize(1);
        PossibleDuplicateIntegers report = found.get(0);
        assertThat(report.sequenceName()).isEqualTo(name);
        assertThat(twice).allMatch(integer -> integer >= report.first() && integer <= report.last());
        assertThat(report.first()).as("nothing from before the split").isGreaterThan(30);
        for (HazelcastInstance member : cluster.members()) {
            assertThat(Metrics.of(member))
                    .containsEntry("possibleDuplicateIntegers", report.last() - report.first() + 1)
                    .containsEntry("possibleDuplicates", 0L);
        }
        byWinner.addAll(byLoser);
        for (IntegerSequence sequence : List.of(losing, winning, create(cluster.member(1), name))) {
            for (long integer : sequence.next(30)) {
                assertThat(byWinner.add(integer)).as(integer + " once").isTrue();
                load.draw(sequence);
            }
        }
        assertThat(SnowcastSystem.snowcast(cluster.member(0)).removePossibleDuplicatesListener(listeners.get(0)))
                .isTrue();
    }

    /** The owner cuts blocks for requests while it waits for its backup in vain. */
    @Test
    void withAQuorumNothingIsReportedThoughTheOwnerThatWasCutOffHasCutBlocks() throws Exception {
        for (int i = 0; i < 3; i++) {
            HazelcastInstance member = cluster.addMember(config -> SplitNetwork.protect(config, 2));
            SnowcastSystem.snowcast(member).addPossibleDuplicateIntegersListener(found::add);
        }
        cluster.awaitSafe();
        HazelcastInstance owner = cluster.member(2);
        String name = cluster.nameOwnedBy(owner);
        IntegerSequence losing = create(owner, name);
        IntegerSequence winning = create(cluster.member(0), name);
        IntegerLoad load = new IntegerLoad();
        load.draw(losing);
        load.draw(winning);
        long before = Replicas.lastChange(owner, name);
        SplitNetwork network = SplitNetwork.cut(List.of(owner), List.of(cluster.member(0), cluster.member(1)));
        for (int i = 0; i < 9; i++) {
            load.draw(losing); // Then its block is used up.
        }
        CompletableFuture<Long> unanswered = losing.nextAsync().toCompletableFuture();
        Await.until("the owner cuts a block", () -> Replicas.lastChange(owner, name) != before);
        network.noticed();
        for (int i = 0; i < 30; i++) {
            load.draw(winning);
        }
        network.merge();
        cluster.awaitSafe();
        Await.until("the next block", () -> goesOn(losing, load));
        unanswered.handle((integer, failure) -> integer).get(1, TimeUnit.MINUTES);

        assertThat(found).isEmpty();
        for (HazelcastInstance member : cluster.members()) {
            assertThat(Metrics.of(member)).containsEntry("possibleDuplicateIntegers", 0L);
        }
    }

    @Test
    void aSequenceThatOnlyTheLosingSideKnewGoesOn() throws Exception {
        for (int i = 0; i < 3; i++) {
            cluster.addMember();
        }
        cluster.awaitSafe();
        String name = cluster.nameOwnedBy(cluster.member(2));
        // The owner and the backup are to know that nothing was there, which they learn soon after the start at the
        // latest.
        int partition =
                cluster.member(0).getPartitionService().getPartition(name).getPartitionId();
        create(cluster.member(0), cluster.nameIn(partition));
        SplitNetwork network = split();
        IntegerSequence losing = create(cluster.member(2), name);
        IntegerLoad load = new IntegerLoad();
        for (int i = 0; i < 25; i++) {
            load.draw(losing);
        }
        network.heal().awaitMerge();
        Await.until("its pool came over", () -> goesOn(losing, load));
        load.draw(create(cluster.member(0), name));
        load.draw(losing);
        assertThat(found).isEmpty();
    }

    private static boolean goesOn(IntegerSequence sequence, IntegerLoad load) {
        try {
            load.draw(sequence);
            return true;
        } catch (SnowcastException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theSideBelowTheQuorumHandsOutNothingMoreAndNoIntegerComesTwice() throws Exception {
        for (int i = 0; i < 3; i++) {
            HazelcastInstance member = cluster.addMember(config -> SplitNetwork.protect(config, 2));
            SnowcastSystem.snowcast(member).addPossibleDuplicateIntegersListener(found::add);
        }
        cluster.awaitSafe();
        String name = cluster.nameOwnedBy(cluster.member(2));
        IntegerSequence lonely = create(cluster.member(2), name);
        IntegerSequence other = create(cluster.member(0), name);
        IntegerLoad load = new IntegerLoad();
        load.draw(lonely);
        load.draw(other);
        SplitNetwork network = split();
        for (int i = 0; i < 9; i++) {
            load.draw(lonely);
        }
        assertThatThrownBy(lonely::next)
                .isExactlyInstanceOf(SnowcastException.class)
                .hasRootCauseInstanceOf(SplitBrainProtectionException.class);
        assertThatThrownBy(() -> create(cluster.member(2), TestCluster.newName()))
                .isExactlyInstanceOf(SnowcastUnavailableException.class)
                .hasCauseInstanceOf(SplitBrainProtectionException.class);
        for (int i = 0; i < 30; i++) {
            load.draw(other);
        }
        network.heal().awaitMerge();
        cluster.awaitSafe();
        Await.until("the next block", () -> goesOn(lonely, load));
        for (int i = 0; i < 30; i++) {
            load.draw(lonely);
            load.draw(other);
        }
        assertThat(found).isEmpty();
    }
}
