// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.hazelcast.cluster.ClusterState;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Isolation;
import com.noctarius.snowcast.internal.cluster.Replicas;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Integer sequences while members come, go, crash and lose data. */
@Tag("integration")
class IntegerFaultsClusterTest {
    private static final int ROUNDS = 2;
    private static final Map<String, String> SHORT_CALLS = Map.of("hazelcast.operation.call.timeout.millis", "2000");

    private final String name = TestCluster.newName();

    private static IntegerSequenceConfig.Builder config(String name) {
        return IntegerSequenceConfig.builder(name)
                .lastValue(Long.MAX_VALUE)
                .blockSize(10)
                .maxWait(Duration.ofMinutes(2));
    }

    /** Of a sequence that asks for no block before it has to, and of which a call is to fail for want of one. */
    private static IntegerSequenceConfig.Builder shortOf(String name) {
        return config(name).prefetchThreshold(1).maxWait(Duration.ofSeconds(5));
    }

    private static IntegerSequence create(HazelcastInstance instance, IntegerSequenceConfig config) {
        return SnowcastSystem.snowcast(instance).createIntegerSequence(config);
    }

    private List<IntegerSequence> createOn(List<HazelcastInstance> instances) {
        return instances.stream()
                .map(instance -> create(instance, config(name).build()))
                .toList();
    }

    @Test
    void integersStayUniqueWhileOwnersAndBackupsCrash() {
        try (MockCluster cluster = MockCluster.of(3)) {
            IntegerLoad load = new IntegerLoad().on(createOn(cluster.members()));
            load.on(createOn(List.of(cluster.addClient())));
            for (int round = 0; round < ROUNDS; round++) {
                load.awaitMore(1_000);
                cluster.crash(round % 2 == 0 ? cluster.owner(name) : cluster.backup(name));
                load.awaitMore(500).on(createOn(List.of(cluster.addMember())));
                cluster.awaitSafe();
            }
            load.awaitMore(1_000).stopAndCheck();
        }
    }

    @Test
    void integersStayUniqueWhileOwnersJoinAndLeave() {
        try (MockCluster cluster = MockCluster.of(2)) {
            IntegerLoad load = new IntegerLoad().on(createOn(cluster.members()));
            load.on(createOn(List.of(cluster.addClient())));
            for (int round = 0; round < ROUNDS; round++) {
                load.on(createOn(List.of(cluster.addMember()))).awaitMore(1_000);
                cluster.leave(cluster.owner(name));
                load.awaitMore(1_000);
            }
            load.stopAndCheck();
        }
    }

    @Test
    void integersStayUniqueOverTcpWhileMembersCrash() {
        try (TcpCluster cluster = TcpCluster.of(3, Map.of())) {
            IntegerLoad load = new IntegerLoad().on(createOn(cluster.members()));
            load.on(createOn(List.of(cluster.addClient())));
            for (int round = 0; round < 2; round++) {
                load.awaitMore(2_000);
                cluster.crash(cluster.owner(name));
                load.awaitMore(1_000).on(createOn(List.of(cluster.addMember())));
                cluster.awaitSafe();
            }
            load.awaitMore(1_000).stopAndCheck();
        }
    }

    /** It does not begin at the first value by itself, and when told to, then above what this process was given. */
    @Test
    void aClientOfAClusterThatWasStartedAnewFailsUntilTheSequenceIsCreatedAgain() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(1, Map.of())) {
            int port = TcpCluster.portOf(cluster.member(0));
            HazelcastInstance client = cluster.addClient(
                    settings -> settings.setProperty("hazelcast.client.invocation.timeout.seconds", "3"));
            IntegerSequence sequence = create(client, shortOf(name).build());
            assertThat(sequence.next(5)).containsExactly(1, 2, 3, 4, 5);
            cluster.crash(cluster.member(0));
            cluster.addMemberAt(port);

            Await.until("the client has noticed", () -> sequence.remaining() == 0);
            assertThatThrownBy(sequence::next)
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessageContaining("does not exist in this cluster");
            assertThat(create(client, config(name).build())).isSameAs(sequence);
            Await.until("the next block", () -> sequence.remaining() > 0);
            assertThat(sequence.next()).isEqualTo(11);
        }
    }

    /** What was reserved with a lost answer is not lost itself. */
    @Test
    void aRequestWhoseAnswerIsLostIsAskedAgainAndTakesOneBlock() throws Exception {
        try (MockCluster cluster = MockCluster.of(3, SHORT_CALLS)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance member = cluster.members().stream()
                    .filter(each -> each != owner && each != cluster.backup(name))
                    .findAny()
                    .orElseThrow();
            IntegerSequence sequence = create(member, shortOf(name).build());
            for (long expected = 1; expected < 10; expected++) {
                assertThat(sequence.next()).isEqualTo(expected);
            }
            Answers answers = Answers.lose(owner, member);
            assertThat(sequence.next()).isEqualTo(10);
            assertThatThrownBy(sequence::next).isExactlyInstanceOf(SnowcastException.class);
            Await.until("a request without an answer", () -> sequence.stats().failureCount() > 0);
            answers.loseNoMore();

            IntegerSequence other = create(owner, config(name).build());
            assertThat(other.next()).isEqualTo(21);
            Await.until("the answer", () -> sequence.remaining() > 0);
            assertThat(sequence.next()).isEqualTo(11);
        }
    }

    @Test
    void nothingIsReservedWhileABackupIsMissing() throws Exception {
        try (MockCluster cluster = MockCluster.of(3, SHORT_CALLS)) {
            HazelcastInstance owner = cluster.owner(name);
            IntegerSequence sequence = create(owner, shortOf(name).build());
            assertThat(sequence.next(9)).hasSize(9);
            TestCluster.changeState(owner, ClusterState.NO_MIGRATION);
            cluster.crash(cluster.backup(name));
            Await.until("two members", () -> owner.getCluster().getMembers().size() == 2);
            assertThat(sequence.next()).as("which asks for the next block").isEqualTo(10);
            Await.until("a refusal", () -> sequence.stats().problem().contains("has 0 of 1 backups at present"));
            assertThatThrownBy(sequence::next)
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessageContaining("has 0 of 1 backups at present");

            TestCluster.changeState(owner, ClusterState.ACTIVE);
            Await.until("the next block", () -> sequence.remaining() > 0);
            assertThat(sequence.next()).isEqualTo(11);
        }
    }

    /** An owner in between, which the present one never heard of: once for a copy of all, once for a change. */
    @Test
    void aCopyGoesByThePresentOwnerThoughItsClockIsBehindThatOfAFormerOne() throws Exception {
        try (MockCluster cluster = MockCluster.of(3)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance copy = cluster.replica(name, 2);
            IntegerSequence sequence = create(owner, shortOf(name).build());
            IntegerLoad load = new IntegerLoad();
            load.draw(sequence);
            Replicas.hearOfAnotherOwner(copy, owner, name, Duration.ofHours(1));
            cluster.crash(cluster.backup(name));
            cluster.awaitSafe();
            assertThat(Replicas.poolDifference(cluster.members())).isEmpty();

            Replicas.hearOfAnotherOwner(copy, owner, name, Duration.ofHours(1));
            while (load.draw(sequence) <= 10) {
                // The second block is the first change after that.
            }
            assertThat(Replicas.poolDifference(cluster.members())).isEmpty();
            cluster.crash(owner);
            cluster.addMember();
            cluster.awaitSafe();
            load.draw(create(copy, config(name).build()));
        }
    }

    // --- loss of all replicas

    @Test
    void aLostCounterAndNewNamesBesideItAreRefusedUntilSomebodySaysWhereToGoOn() throws Exception {
        try (MockCluster cluster = MockCluster.of(4, SHORT_CALLS)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance backup = cluster.backup(name);
            List<HazelcastInstance> survivors = new ArrayList<>(cluster.members());
            survivors.removeAll(List.of(owner, backup));
            IntegerSequence sequence = create(survivors.get(0), shortOf(name).build());
            IntegerLoad load = new IntegerLoad();
            for (int i = 0; i < 25; i++) {
                load.draw(sequence);
            }
            Threads.run(2, index -> cluster.crash(index == 0 ? owner : backup));
            cluster.awaitSafe();
            Isolation.awaitEnd(survivors);

            for (int i = 0; i < 5; i++) {
                load.draw(sequence);
            }
            String lost = "all replicas of its pool were lost at 20";
            assertThatThrownBy(sequence::next)
                    .isExactlyInstanceOf(SnowcastException.class)
                    .hasMessageContaining(lost);
            Snowcast snowcast = SnowcastSystem.snowcast(survivors.get(1));
            assertThatThrownBy(() -> snowcast.createIntegerSequence(config(name).build()))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining(lost)
                    .hasMessageContaining("resumeIntegerSequence(config, v, t)");
            assertThatThrownBy(() -> snowcast.resumeIntegerSequence(
                            config(name).build(), 31, Instant.parse("2020-01-01T00:00:00Z")))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class);

            Instant afterLoss = afterLossOf(survivors.get(1), name);
            assertThat(SnowcastSystem.snowcast(survivors.get(0))
                            .resumeIntegerSequence(config(name).build(), 5, afterLoss))
                    .as("the instance that was given 30 integers")
                    .isSameAs(sequence);
            Await.until("the next block", () -> sequence.remaining() > 0);
            assertThat(load.draw(sequence)).isEqualTo(31);
            load.draw(snowcast.createIntegerSequence(config(name).build()));
        }
    }

    /** Returns the first moment after the loss, as an operator reads it in the refusal. */
    private static Instant afterLossOf(HazelcastInstance member, String name) {
        Throwable refusal = catchThrowable(() -> create(member, config(name).build()));
        Matcher moment = Pattern.compile("were lost at (\\S+),").matcher(refusal.getMessage());
        assertThat(moment.find()).as(refusal.getMessage()).isTrue();
        return Instant.parse(moment.group(1)).plusMillis(1);
    }

    /** The backup became one when the partitions were assigned, and has acknowledged nothing: so there was nothing. */
    @Test
    void aNewNameBeginsThoughItsOwnerCrashedBeforeItHadSentAnything() throws Exception {
        try (MockCluster cluster = MockCluster.of(3, SHORT_CALLS)) {
            HazelcastInstance backup = cluster.backup(name);
            HazelcastInstance owner = cluster.owner(name);
            int partition = owner.getPartitionService().getPartition(name).getPartitionId();
            Await.until(
                    "the owner's and the copy",
                    () -> Replicas.has(owner, partition) && Replicas.has(backup, partition));
            Replicas.missAll(backup);
            assertThat(Replicas.has(backup, partition)).isFalse();
            cluster.crash(owner);
            Await.until("a promotion", () -> Replicas.isOwner(backup, partition));
            cluster.awaitSafe();
            assertThat(create(backup, config(name).build()).next()).isEqualTo(1);
        }
    }

    /** It took the place of a backup that had acknowledged what there was, and has no data. */
    @Test
    void aNewNameIsRefusedByAReplicaThatReturnedWithoutData() throws Exception {
        try (TcpCluster cluster = TcpCluster.of(3, Map.of())) {
            create(cluster.owner(name), config(name).build()).next();
            HazelcastInstance returned = cluster.loseDataOf(name);
            HazelcastInstance other = cluster.members().stream()
                    .filter(member -> member != returned)
                    .findAny()
                    .orElseThrow();
            assertThatThrownBy(() -> create(other, config(name).build()))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("were lost at 20");
        }
    }

    /** The cluster lives: a lite member has what it was given. */
    @Test
    void aClusterThatWasLeftWithoutDataMembersBeginsNothingAnew() throws Exception {
        try (MockCluster cluster = MockCluster.of(1, SHORT_CALLS)) {
            HazelcastInstance lite = cluster.addMember(config -> config.setLiteMember(true));
            IntegerSequence sequence = create(lite, config(name).build());
            assertThat(sequence.next()).isEqualTo(1);
            cluster.crash(cluster.member(0));
            HazelcastInstance fresh = cluster.addMember();
            Await.until("partitions", () -> fresh.getPartitionService().isLocalMemberSafe());
            assertThatThrownBy(() -> create(fresh, config(name).build()))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("were lost at 20");
        }
    }

    /** The one that is left has a replica, in which a name is missing that the owner said there is. */
    @Test
    void aNewNameInALostPartitionIsRefused() throws Exception {
        try (MockCluster cluster = MockCluster.of(2, SHORT_CALLS)) {
            HazelcastInstance owner = cluster.owner(name);
            HazelcastInstance survivor = cluster.backup(name);
            int partition = owner.getPartitionService().getPartition(name).getPartitionId();
            create(owner, config(name).build()).next();
            Replicas.missPools(survivor, partition);
            cluster.crash(owner);

            String newName = cluster.nameIn(partition);
            Await.until("an answer", () -> Replicas.isOwner(survivor, partition));
            Isolation.awaitEnd(List.of(survivor));
            assertThatThrownBy(() -> create(survivor, config(newName).build()))
                    .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                    .hasMessageContaining("all replicas of its pool were lost at 20");
            IntegerSequence resumed = SnowcastSystem.snowcast(survivor)
                    .resumeIntegerSequence(config(newName).build(), 100, afterLossOf(survivor, newName));
            assertThat(resumed.next()).isEqualTo(100);
        }
    }
}
