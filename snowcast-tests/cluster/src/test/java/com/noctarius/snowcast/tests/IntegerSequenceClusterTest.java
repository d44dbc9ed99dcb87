// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.cluster.Replicas;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Integer sequences on members and clients of one cluster in which nothing goes wrong. */
@Tag("integration")
class IntegerSequenceClusterTest {
    @AutoClose
    private static MockCluster cluster;

    private static HazelcastInstance client;

    private final String name = TestCluster.newName();

    @BeforeAll
    static void start() {
        cluster = MockCluster.of(3);
        client = cluster.addClient();
    }

    private IntegerSequenceConfig.Builder config() {
        return IntegerSequenceConfig.builder(name).blockSize(10).maxWait(Duration.ofSeconds(20));
    }

    private static Snowcast snowcast(HazelcastInstance instance) {
        return SnowcastSystem.snowcast(instance);
    }

    private static List<Snowcast> all() {
        List<Snowcast> all = new ArrayList<>();
        cluster.members().forEach(member -> all.add(snowcast(member)));
        all.add(snowcast(client));
        return all;
    }

    private List<IntegerSequence> createOnAll(IntegerSequenceConfig config) {
        return all().stream().map(each -> each.createIntegerSequence(config)).toList();
    }

    @Test
    void theSameConfigurationGivesTheSameInstanceAndAnotherDefinitionIsRefused() {
        IntegerSequenceConfig config = config().build();
        List<IntegerSequence> sequences = createOnAll(config);
        for (int i = 0; i < 4; i++) {
            Snowcast snowcast = all().get(i);
            assertThat(snowcast.createIntegerSequence(
                            config().blockSize(77).maxWait(Duration.ZERO).build()))
                    .isSameAs(sequences.get(i));
            Map<String, IntegerSequenceConfig.Builder> others = Map.of(
                    "first value 1, not first value 2",
                    config().firstValue(2),
                    "last value 2147483647, not last value 5",
                    config().lastValue(5),
                    "backup count 1, not backup count 2",
                    config().backupCount(2));
            others.forEach((difference, other) -> assertThatThrownBy(
                            () -> snowcast.createIntegerSequence(other.build()))
                    .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                    .hasMessageContaining(name + " is registered with another definition: " + difference + " (take"));
        }
    }

    @Test
    void whatIsLeftAtCloseIsHandedOutNext() throws Exception {
        for (HazelcastInstance instance : List.of(cluster.member(0), client)) {
            String own = name + instance.getName();
            IntegerSequenceConfig config = IntegerSequenceConfig.builder(own)
                    .blockSize(10)
                    .prefetchThreshold(1)
                    .build();
            IntegerSequence first = snowcast(instance).createIntegerSequence(config);
            assertThat(first.next(4)).containsExactly(1, 2, 3, 4);
            first.close();
            assertThatThrownBy(first::next).isExactlyInstanceOf(SnowcastStateException.class);

            IntegerSequence second = snowcast(instance).createIntegerSequence(config);
            assertThat(second).isNotSameAs(first);
            assertThat(second.next()).isEqualTo(5);
        }
    }

    @Test
    void aShutdownGivesBackWhatIsLeft() throws Exception {
        HazelcastInstance leaving = cluster.addMember();
        HazelcastInstance leavingClient = cluster.addClient();
        cluster.awaitSafe();
        IntegerSequenceConfig config = config().prefetchThreshold(1).build();
        IntegerSequence ofMember = snowcast(leaving).createIntegerSequence(config);
        assertThat(ofMember.next()).isEqualTo(1);
        cluster.leave(leaving);
        assertThatThrownBy(ofMember::next).hasMessageContaining("shut down");
        IntegerSequence ofClient = snowcast(leavingClient).createIntegerSequence(config);
        assertThat(ofClient.next()).isEqualTo(2);
        leavingClient.shutdown();

        assertThat(snowcast(cluster.member(0)).createIntegerSequence(config).next())
                .isEqualTo(3);
        cluster.awaitSafe();
    }

    @Test
    void aDestroyedSequenceIsClosedEverywhereAndTheNextOneBeginsAbove() throws Exception {
        IntegerLoad load = new IntegerLoad();
        List<IntegerSequence> before = createOnAll(config().build());
        for (int i = 0; i < 50; i++) {
            load.draw(before.get(i % 4));
        }
        snowcast(cluster.member(1)).destroyIntegerSequence(before.get(1));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(before.get(i)::next)
                    .isExactlyInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("destroyed");
        }
        Await.until(
                "the client heard of it", () -> before.get(3).stats().problem().contains("destroyed"));

        List<IntegerSequence> after = createOnAll(config().lastValue(500).build());
        for (int i = 0; i < 50; i++) {
            load.draw(after.get(i % 4));
        }
        snowcast(cluster.member(1)).destroyIntegerSequence(before.get(1));
        load.draw(after.get(0));
        snowcast(client).destroyIntegerSequence(after.get(3));
        assertThatThrownBy(after.get(0)::next).isExactlyInstanceOf(SnowcastStateException.class);
        assertThatThrownBy(() -> snowcast(client)
                        .createIntegerSequence(config().lastValue(40).build()))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("the last value, 40, leaves no room");
    }

    /** Also one that is no backup: it may be the only one that is left. */
    @Test
    void everyReplicaKnowsEveryName() {
        snowcast(client).createIntegerSequence(config().build());
        for (HazelcastInstance member : cluster.members()) {
            assertThat(Replicas.pools(member, name)).contains(name);
        }
    }

    @Test
    void openSequencesAreListedWithoutThoseThatCouldNotBeCreated() throws Exception {
        HazelcastInstance passing = cluster.addClient();
        for (HazelcastInstance instance : List.of(cluster.member(0), passing)) {
            Snowcast snowcast = snowcast(instance);
            String own = name + instance.getName();
            IntegerSequence inCluster = snowcast.createIntegerSequence(
                    IntegerSequenceConfig.builder(own).build());
            IntegerSequence inStore = snowcast.createIntegerSequence(IntegerSequenceConfig.builder(own + "-store")
                    .store(new MemoryBlockStore())
                    .build());
            assertThat(snowcast(cluster.member(1)).integerSequences()).doesNotContain(inCluster, inStore);
            assertThatThrownBy(() -> snowcast(cluster.member(1))
                            .createIntegerSequence(IntegerSequenceConfig.builder(own)
                                    .firstValue(9)
                                    .build()))
                    .isInstanceOf(IntegerSequenceAlreadyRegisteredException.class);
            assertThat(snowcast(cluster.member(1)).integerSequences())
                    .extracting(IntegerSequence::name)
                    .doesNotContain(own);
            assertThat(snowcast.integerSequences()).contains(inCluster, inStore);
            assertThat(inCluster.isClosed()).isFalse();

            inStore.close();
            assertThat(inStore.isClosed()).isTrue();
            assertThat(snowcast.integerSequences()).contains(inCluster).doesNotContain(inStore);
            IntegerSequence again = snowcast.createIntegerSequence(IntegerSequenceConfig.builder(own + "-store")
                    .store(new MemoryBlockStore())
                    .build());
            assertThat(snowcast.integerSequences()).contains(again);
            snowcast(cluster.member(2))
                    .destroyIntegerSequence(snowcast(cluster.member(2))
                            .createIntegerSequence(
                                    IntegerSequenceConfig.builder(own).build()));
            Await.until("it heard of its destruction", inCluster::isClosed);
            assertThat(snowcast.integerSequences()).doesNotContain(inCluster);
        }
        Snowcast ended = snowcast(passing);
        passing.shutdown();
        assertThat(ended.integerSequences()).isEmpty();
    }

    @Test
    void aSequenceWithAStoreOfItsOwnNeedsNoCluster() throws Exception {
        MemoryBlockStore store = new MemoryBlockStore();
        IntegerSequenceConfig config = config().store(store).build();
        IntegerSequence sequence = snowcast(client).createIntegerSequence(config);
        assertThat(sequence.next()).isEqualTo(1);
        assertThat(snowcast(client).createIntegerSequence(config)).isSameAs(sequence);
        assertThatThrownBy(() -> snowcast(client)
                        .createIntegerSequence(
                                config().store(new MemoryBlockStore()).build()))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class);

        snowcast(client).destroyIntegerSequence(sequence);
        snowcast(client).destroyIntegerSequence(sequence);
        assertThatThrownBy(sequence::next).isExactlyInstanceOf(SnowcastStateException.class);
        assertThat(snowcast(client).createIntegerSequence(config).next())
                .as("its data stays")
                .isEqualTo(2);
        assertThat(snowcast(cluster.member(0))
                        .createIntegerSequence(config().build())
                        .next())
                .isEqualTo(1);
    }
}
