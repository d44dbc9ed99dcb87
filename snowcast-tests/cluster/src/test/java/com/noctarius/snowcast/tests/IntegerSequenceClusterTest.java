// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests integer sequences of a member's or client's Snowcast: they live as long as it does. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class IntegerSequenceClusterTest {
    private final Side side;
    private final MemoryBlockStore store = new MemoryBlockStore();

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;
    private Snowcast snowcast;

    IntegerSequenceClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(1);
        instance = side.in(cluster);
        snowcast = SnowcastSystem.snowcast(instance);
    }

    private IntegerSequenceConfig.Builder config() {
        return IntegerSequenceConfig.builder("numbers")
                .blockSize(10)
                .prefetchThreshold(1)
                .store(store);
    }

    @Test
    void theSameConfigurationGivesTheSameInstanceAndAnotherDefinitionIsRefused() {
        IntegerSequence numbers = snowcast.createIntegerSequence(config().build());
        assertThat(snowcast.createIntegerSequence(
                        config().blockSize(77).maxWait(Duration.ZERO).build()))
                .isSameAs(numbers);
        Map<String, IntegerSequenceConfig.Builder> others = Map.of(
                "with another definition: first value 1, not 0 (take", config().firstValue(0),
                "with another definition: last value 2147483647, not 5 (take", config().lastValue(5),
                "with another store: ", config().store(new MemoryBlockStore()));
        others.forEach((difference, other) -> assertThatThrownBy(() -> snowcast.createIntegerSequence(other.build()))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                .hasMessageStartingWith("integer sequence numbers is registered " + difference));
    }

    @Test
    void whatIsLeftAtCloseIsHandedOutNext() throws Exception {
        IntegerSequence first = snowcast.createIntegerSequence(config().build());
        assertThat(first.next(4)).containsExactly(1, 2, 3, 4);
        first.close();
        assertThatThrownBy(first::next).isExactlyInstanceOf(SnowcastStateException.class);

        IntegerSequence second = snowcast.createIntegerSequence(config().build());
        assertThat(second).isNotSameAs(first);
        assertThat(second.next()).isEqualTo(5);
    }

    @Test
    void aShutdownClosesASequenceAndGivesBackWhatIsLeft() throws Exception {
        HazelcastInstance staying = cluster.addMember();
        cluster.awaitSafe();
        IntegerSequence numbers = snowcast.createIntegerSequence(config().build());
        assertThat(numbers.next()).isEqualTo(1);
        instance.shutdown();

        assertThat(numbers.isClosed()).isTrue();
        assertThatThrownBy(numbers::next)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("shut down");
        assertThat(SnowcastSystem.snowcast(staying)
                        .createIntegerSequence(config().build())
                        .next())
                .isEqualTo(2);
    }

    @Test
    void processesThatShareAStoreShareTheSequence() throws Exception {
        List<IntegerSequence> sequences = List.of(
                snowcast.createIntegerSequence(config().build()),
                SnowcastSystem.snowcast(cluster.addMember()).createIntegerSequence(config().build()),
                SnowcastSystem.snowcast(cluster.addClient()).createIntegerSequence(config().build()));
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < 99; i++) {
            assertThat(all.add(sequences.get(i % 3).next())).isTrue();
        }
        assertThat(all).allMatch(number -> number <= 120);
    }

    @Test
    void openSequencesAreListedWithoutThoseThatCouldNotBeCreated() {
        IntegerSequence numbers = snowcast.createIntegerSequence(config().build());
        IntegerSequence bills = snowcast.createIntegerSequence(
                IntegerSequenceConfig.builder("bills").store(store).build());
        assertThatThrownBy(() -> snowcast.createIntegerSequence(IntegerSequenceConfig.builder("refused")
                        .firstValue(7)
                        .store(new MemoryBlockStore())
                        .build()))
                .hasMessageContaining("the first integer is 1");
        assertThat(snowcast.integerSequences()).containsExactlyInAnyOrder(numbers, bills);
        assertThat(SnowcastSystem.snowcast(cluster.addMember()).integerSequences())
                .isEmpty();

        bills.close();
        assertThat(snowcast.integerSequences()).containsExactly(numbers);
        instance.shutdown();
        assertThat(snowcast.integerSequences()).isEmpty();
    }
}
