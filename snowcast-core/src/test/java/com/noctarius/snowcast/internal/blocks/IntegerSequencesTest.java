// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.base.Logged;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IntegerSequencesTest {
    private static final String NAME = "orders";

    private final MemoryBlockStore store = new MemoryBlockStore();
    private final IntegerSequences sequences =
            new IntegerSequences(IntegerSequences::storeOf, SystemClock.INSTANCE, (task, delay) -> {
                if (delay.isZero()) {
                    task.run();
                }
            });

    private IntegerSequenceConfig.Builder config() {
        return IntegerSequenceConfig.builder(NAME)
                .blockSize(10)
                .prefetchThreshold(1)
                .store(store);
    }

    @Test
    void aSequenceWithoutAStoreIsRefusedWithTheWaysToGiveOne() {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder(NAME).build();
        List<ThrowingCallable> creations =
                List.of(() -> sequences.create(config), () -> SnowcastSystem.standaloneIntegerSequence(config));
        for (ThrowingCallable creation : creations) {
            assertThatThrownBy(creation)
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("integer sequence orders has no store: set store() to a JdbcBlockStore of"
                            + " snowcast-jdbc, a CassandraBlockStore of snowcast-cassandra, or a BlockStore of your"
                            + " own; a MemoryBlockStore is enough for tests");
        }
        assertThat(sequences.open()).isEmpty();
    }

    @Test
    void otherSettingsOfTheInstanceAreToldOnceAndHaveNoEffect() {
        IntegerSequence created = sequences.create(config().build());
        assertThat(Logged.during(() -> sequences.create(config().build()))).isEmpty();
        List<String> messages = Logged.during(() -> {
            for (int i = 0; i < 3; i++) {
                assertThat(sequences.create(config().blockSize(77).build())).isSameAs(created);
            }
        });
        assertThat(messages)
                .singleElement()
                .asString()
                .startsWith("WARNING integer sequence orders keeps blockSize=10-10, ")
                .contains(" and not with blockSize=77-77, ");
        assertThat(created).asString().contains("blockSize=10-10, blockDuration=PT0S, prefetchThreshold=1");
    }

    @Test
    void anotherStoreIsRefusedAlsoIfItLooksTheSame() {
        sequences.create(config().store(new MemoryBlockStore(1, 100)).build());
        assertThatThrownBy(() -> sequences.create(
                        config().store(new MemoryBlockStore(1, 100)).build()))
                .isExactlyInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage(
                        "integer sequence orders is registered with another store: MemoryBlockStore{1 to 100}, not this"
                                + " MemoryBlockStore{1 to 100} (take the same one, or another name)");
    }

    @Test
    void anotherFirstOrLastValueIsRefused() throws Exception {
        IntegerSequence created = sequences.create(config().lastValue(100).build());
        assertThatThrownBy(() -> sequences.create(config().lastValue(50).build()))
                .isExactlyInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                .hasMessage("integer sequence orders is registered with another definition: last value 100, not 50"
                        + " (take the same in all processes, or another name)");
        assertThatThrownBy(() ->
                        sequences.create(config().firstValue(7).lastValue(100).build()))
                .hasMessageContaining("first value 1, not 7");
        assertThat(created.next()).isEqualTo(1);
    }

    @Test
    void aClosedSequenceMakesRoomForAnotherDefinitionOfTheName() throws Exception {
        sequences.create(config().build()).close();
        assertThat(sequences.create(config().lastValue(50).build()).next()).isEqualTo(1);
    }

    @Test
    void theEndClosesAllAlsoWhereTheProcessCanHaveNoMoreThreads() {
        IntegerSequences withoutThreads =
                new IntegerSequences(IntegerSequences::storeOf, SystemClock.INSTANCE, (task, delay) -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
        List<IntegerSequence> open = Stream.of("one", "two", "three")
                .map(name -> withoutThreads.create(
                        IntegerSequenceConfig.builder(name).store(store).build()))
                .toList();
        Throwable unused = catchThrowable(() -> withoutThreads.close("it ended", 10_000));
        assertThat(open).allSatisfy(each -> assertThat(each.isClosed()).isTrue());
    }

    @Test
    void theEndOfTheInstanceClosesAllGivesBackAndRefusesNewOnes() throws Exception {
        DefinedStore defined = new DefinedStore();
        IntegerSequence sequence = sequences.create(own(defined, 1));
        sequence.next(4);
        sequences.close("it ended", 10_000);
        assertThat(defined.inUse).isEqualTo(4);
        assertThatThrownBy(sequence::next)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("it ended");
        assertThatThrownBy(() -> sequences.create(config().build()))
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence orders cannot be created: it ended");
    }

    // --- a store that checks a sequence when it is created

    /**
     * A store that counts the integers that are reserved and not given back. Its {@code prepare} runs an action, and
     * fails if the test says so.
     */
    private static final class DefinedStore implements BlockStore {
        private final MemoryBlockStore memory = new MemoryBlockStore(1, Long.MAX_VALUE);
        final List<String> prepared = new ArrayList<>();
        long inUse;

        @Nullable
        RuntimeException refusal;

        Runnable whilePrepared = () -> {};

        @Override
        public void prepare(String sequence, long firstValue) {
            prepared.add(sequence + " from " + firstValue);
            whilePrepared.run();
            if (refusal != null) {
                throw refusal;
            }
        }

        @Override
        public Block reserve(String sequence, long size) {
            inUse += size;
            return memory.reserve(sequence, size);
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            inUse -= rest.count();
            memory.giveBack(sequence, rest);
        }

        @Override
        public String toString() {
            return "the store";
        }
    }

    private IntegerSequenceConfig own(BlockStore of, long firstValue) {
        return config().firstValue(firstValue).store(of).build();
    }

    @Test
    void aSequenceThatItsStoreRefusesIsNotCreatedAndCostsNothing() throws Exception {
        DefinedStore store = new DefinedStore();
        store.refusal = new NonTransientBlockStoreException("sequence orders begins at 1, and must at 1000 or above");
        assertThatThrownBy(() -> sequences.create(own(store, 1_000))).isSameAs(store.refusal);
        assertThat(sequences.open()).isEmpty();
        assertThatThrownBy(() -> SnowcastSystem.standaloneIntegerSequence(own(store, 1_000)))
                .isSameAs(store.refusal);
        assertThat(store.prepared).containsExactly("orders from 1000", "orders from 1000");
        assertThat(store.inUse).isZero();

        store.refusal = null;
        assertThat(sequences.create(own(store, 1)).next()).isEqualTo(1);
    }

    @Test
    void aStoreThatIsOutOfReachRefusesNoSequence() throws Exception {
        DefinedStore store = new DefinedStore();
        store.refusal = new BlockStoreException("no connection");
        List<String> logged = Logged.during(
                () -> assertThat(sequences.create(own(store, 1)).isClosed()).isFalse());
        assertThat(logged).singleElement().satisfies(line -> assertThat(line).contains("orders", "no connection"));
        assertThat(sequences.open().get(0).next()).isEqualTo(1);
    }

    @Test
    void aSequenceIsPreparedOnceAndListedAfterwards() {
        DefinedStore store = new DefinedStore();
        List<List<IntegerSequence>> listed = new ArrayList<>();
        store.whilePrepared = () -> listed.add(sequences.open());
        IntegerSequence created = sequences.create(own(store, 1));
        assertThat(sequences.create(own(store, 1))).isSameAs(created);
        assertThat(listed).containsExactly(List.of());
        assertThat(sequences.open()).containsExactly(created);
    }
}
