// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the API throws only exceptions of snowcast, or exceptions of the JDK that its Javadoc names. */
@ParameterizedClass
@EnumSource(Side.class)
@Tag("integration")
class ApiExceptionsClusterTest {
    private static final SequencerConfig ORDERS =
            SequencerConfig.builder("orders").epoch(TestCluster.EPOCH).build();

    private final BlockStore store = new MemoryBlockStore();
    private final IntegerSequenceConfig numbersConfig = IntegerSequenceConfig.builder("numbers")
            .blockSize(10)
            .prefetchThreshold(1)
            .store(store)
            .build();

    private final Side side;

    @AutoClose
    private MockCluster cluster;

    private HazelcastInstance instance;
    private Snowcast snowcast;

    ApiExceptionsClusterTest(Side side) {
        this.side = side;
    }

    @BeforeEach
    void start() {
        cluster = MockCluster.of(1);
        instance = side.in(cluster);
        snowcast = SnowcastSystem.snowcast(instance);
    }

    /** A store that returns one block, and then fails. */
    private static final class FailingStore implements BlockStore {
        private boolean isUsed;

        @Override
        public synchronized Block reserve(String sequence, long size) {
            if (isUsed) {
                throw new IllegalStateException("no connection");
            }
            isUsed = true;
            return Block.of(1, 2);
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            throw new BlockStoreException("no connection");
        }
    }

    @Test
    void afterAShutdownCallsSaySoAndWhatIsLeftOfASequenceIsGivenBack() throws InterruptedException {
        requireStateExceptionsAfter(() -> instance.shutdown());
        assertThat(store.reserve("numbers", 1)).as("what was given back").isEqualTo(Block.of(2, 2));
    }

    @Test
    void afterATerminationCallsSayThatItWasShutDown() throws InterruptedException {
        requireStateExceptionsAfter(() -> instance.getLifecycleService().terminate());
    }

    private void requireStateExceptionsAfter(Runnable end) throws InterruptedException {
        SnowcastSequencer sequencer = snowcast.createSequencer(ORDERS);
        sequencer.next();
        IntegerSequence numbers = snowcast.createIntegerSequence(numbersConfig);
        numbers.next();
        IntegerSequence ofStore = snowcast.createIntegerSequence(IntegerSequenceConfig.builder("stored")
                .store(new FailingStore())
                .build());
        ofStore.next();
        end.run();
        assertThat(numbers.isClosed()).isTrue();

        Stream<ThrowingCallable> calls = Stream.of(
                sequencer::next,
                () -> sequencer.next(2),
                () -> sequencer.next(new long[2], 0, 2),
                sequencer::tryNext,
                sequencer::attachLogicalNode,
                sequencer::detachLogicalNode,
                numbers::next,
                () -> numbers.next(2),
                () -> numbers.next(new long[2], 0, 2),
                numbers::tryNext,
                numbers::nextInt,
                () -> snowcast.createSequencer(ORDERS),
                () -> snowcast.createSequencer("orders", TestCluster.EPOCH),
                () -> snowcast.createIntegerSequence(numbersConfig),
                () -> snowcast.destroySequencer(sequencer));
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call)
                        .isExactlyInstanceOf(SnowcastStateException.class)
                        .hasMessageContaining("shut down"));
        assertThatCode(() -> {
                    numbers.close();
                    ofStore.close();
                    sequencer.stats();
                    numbers.stats();
                    assertThat(snowcast.integerSequences()).isEmpty();
                    snowcast.sequencers();
                    snowcast.removePossibleDuplicatesListener(snowcast.addPossibleDuplicatesListener(found -> {}));
                })
                .doesNotThrowAnyException();
    }
}
