// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Tests integer sequences as beans of Spring contexts without Boot. The contexts share a member. */
class IntegerSequenceFactoryBeanTest extends MemberOfTests {
    private String name;
    private final MemoryBlockStore memory = new MemoryBlockStore();

    @BeforeEach
    void ownName() {
        name = "sequence-" + UUID.randomUUID();
    }

    private static IntegerSequenceConfig config(String name, BlockStore store) {
        // Disable reservations in the background, because closing a sequence during a reservation may leave a gap.
        return IntegerSequenceConfig.builder(name)
                .blockSize(10)
                .prefetchThreshold(1)
                .store(store)
                .build();
    }

    private ConfigurableApplicationContext context() {
        return context(snowcast, config(name, memory));
    }

    private static ConfigurableApplicationContext context(Snowcast snowcast, IntegerSequenceConfig config) {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(
                "sequence", IntegerSequenceFactoryBean.class, () -> new IntegerSequenceFactoryBean(snowcast, config));
        context.refresh();
        return context;
    }

    private static IntegerSequence sequence(ConfigurableApplicationContext context) {
        return context.getBean(IntegerSequence.class);
    }

    @Test
    void isOpenFromStartToCloseAndThenGivesBackWhatIsLeft() throws InterruptedException {
        ConfigurableApplicationContext context = context();
        IntegerSequence sequence = sequence(context);
        assertThat(sequence.next(8)).endsWith(7, 8);
        context.close();
        assertThat(sequence.isClosed()).isTrue();
        assertThatThrownBy(sequence::next).isInstanceOf(SnowcastStateException.class);
        assertThat(snowcast.integerSequences()).doesNotContain(sequence);

        try (ConfigurableApplicationContext next = context()) {
            assertThat(sequence(next).next()).isEqualTo(9);
        }
    }

    /** Closes the sequence while the context looks it up, as another context that is closing would. */
    @Test
    void oneThatIsClosedWhileItIsLookedUpIsMadeAnew() throws InterruptedException {
        List<IntegerSequence> made = new ArrayList<>();
        Snowcast closingTheFirst = (Snowcast) Proxy.newProxyInstance(
                Snowcast.class.getClassLoader(), new Class<?>[] {Snowcast.class}, (proxy, method, arguments) -> {
                    IntegerSequence sequence = (IntegerSequence) method.invoke(snowcast, arguments);
                    if (made.isEmpty()) {
                        sequence.close();
                    }
                    made.add(sequence);
                    return sequence;
                });
        try (ConfigurableApplicationContext context = context(closingTheFirst, config(name, memory))) {
            assertThat(sequence(context).next()).isEqualTo(1);
            assertThat(made).hasSize(2).last().isSameAs(sequence(context));
        }
    }

    private boolean isListed() {
        return snowcast.integerSequences().stream()
                .anyMatch(sequence -> sequence.name().startsWith(name));
    }

    private static final class SwitchedStore implements BlockStore {
        private final MemoryBlockStore memory = new MemoryBlockStore();
        volatile @Nullable BlockStoreException failure;

        @Override
        public Block reserve(String sequence, long size) {
            BlockStoreException present = failure;
            if (present != null) {
                throw present;
            }
            return memory.reserve(sequence, size);
        }
    }

    private IntegerSequenceConfig config(BlockStore store) {
        return IntegerSequenceConfig.builder(name + "-of-store")
                .blockSize(10)
                .store(store)
                .build();
    }

    private static SnowcastHealth health() {
        return SnowcastHealth.of(
                new KnownSequencers(Map.of("snowcast", snowcast), List::of, Map::of), Stream.empty(), null);
    }

    /**
     * In a ready application, the first call must not wait for a connection, because its own transaction may hold the
     * last one.
     */
    @Test
    void theFirstBlockIsThereWhenTheBeanIsMade() throws InterruptedException {
        SwitchedStore store = new SwitchedStore();
        try (ConfigurableApplicationContext context = context(snowcast, config(store))) {
            assertThat(sequence(context).remaining()).isEqualTo(10);
            store.failure = new BlockStoreException("no connection");
            assertThat(sequence(context).next()).isEqualTo(1);
            assertThat(sequence(context).stats().waitCount()).isZero();
        }
    }

    @Test
    void aStoreThatIsOutOfReachShowsInTheHealthAndLetsTheContextStart() throws InterruptedException {
        SwitchedStore store = new SwitchedStore();
        store.failure = new BlockStoreException("no connection");
        try (ConfigurableApplicationContext context = context(snowcast, config(store))) {
            SnowcastHealth down = health();
            assertThat(down.isUp()).isFalse();
            assertThat(down.details().toString()).contains(name, "no connection");
            store.failure = null;
            assertThat(sequence(context).next()).as("tried again by itself").isEqualTo(1);
            assertThat(health().isUp()).isTrue();
        }
    }

    @Test
    void aSequenceWithoutAStoreFailsTheStart() {
        IntegerSequenceConfig none = IntegerSequenceConfig.builder(name).build();
        assertThatThrownBy(() -> context(snowcast, none).close())
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("integer sequence " + name + " has no store: ");
    }

    @Test
    void aStoreThatRefusesTheSequenceFailsTheStartAndLeavesNoneOpen() {
        SwitchedStore store = new SwitchedStore();
        store.failure = new NonTransientBlockStoreException("sequence is not defined: run define");
        assertThatThrownBy(() -> context(snowcast, config(store)).close())
                .rootCause()
                .isSameAs(store.failure);
        assertThat(isListed()).isFalse();
        store.failure = new BlockStoreExhaustedException("the last integer was 9");
        try (ConfigurableApplicationContext context = context(snowcast, config(store))) {
            assertThat(sequence(context).isClosed()).isFalse();
            assertThat(health().details().toString()).contains("the last integer was 9");
        }
    }
}
