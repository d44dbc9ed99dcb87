// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.block;

import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.cluster.Counters;
import com.noctarius.snowcast.internal.counter.CounterCoordinator;
import com.noctarius.snowcast.internal.counter.GiveBackRequest;
import com.noctarius.snowcast.internal.counter.Reservation;
import com.noctarius.snowcast.internal.counter.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The Hazelcast store does what every store has to do. */
class HazelcastBlockStoreTest {
    private static final TestHazelcastFactory FACTORY = new TestHazelcastFactory();
    private static final AtomicInteger HANDLES = new AtomicInteger();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            Config config = new Config();
            config.getJetConfig().setEnabled(false);
            config.setProperty("hazelcast.partition.count", "11");
            FACTORY.newHazelcastInstance(config);
        }
    }

    @AfterAll
    static void stop() {
        FACTORY.terminateAll();
    }

    /** A sequence has a holder of its own; the suite has one handle for several. */
    private static final class Handle implements BlockStore {
        private final Map<String, CounterBlockStore> stores = new HashMap<>();

        Handle(CounterCoordinator coordinator, UnaryOperator<IntegerSequenceConfig.Builder> with, String... sequences) {
            for (String sequence : sequences) {
                IntegerSequenceConfig config =
                        with.apply(IntegerSequenceConfig.builder(sequence)).build();
                CounterBlockStore store = new CounterBlockStore(
                        config, CounterBlockStore.definition(config, 1), coordinator, BlockThreads.INSTANCE);
                store.open(config);
                stores.put(sequence, store);
            }
        }

        private CounterBlockStore of(String sequence) {
            return Objects.requireNonNull(stores.get(Objects.requireNonNull(sequence)));
        }

        @Override
        public Block reserve(String sequence, long size) {
            return of(sequence).reserve(sequence, size);
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            of(sequence).giveBack(sequence, rest);
        }
    }

    private static HazelcastInstance anyMember() {
        List<HazelcastInstance> members = List.copyOf(FACTORY.getAllHazelcastInstances());
        return members.get(HANDLES.getAndIncrement() % members.size());
    }

    /** Loses answers on their way back. */
    private record LosingAnswers(CounterCoordinator cluster, BooleanSupplier loses) implements CounterCoordinator {
        @Override
        public @Nullable Reservation reserve(ReserveRequest request) {
            Reservation reservation = cluster.reserve(request);
            if (request.size() > 0 && loses.getAsBoolean()) {
                throw new SnowcastException("the answer was lost: " + reservation);
            }
            return reservation;
        }

        @Override
        public long giveBack(GiveBackRequest request) {
            return cluster.giveBack(request);
        }

        @Override
        public void destroy(String name, long incarnation) {
            cluster.destroy(name, incarnation);
        }
    }

    @Nested
    class Plain extends BlockStoreContract {
        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return new Handle(
                    Counters.of(anyMember()), config -> config.firstValue(first).lastValue(last), sequences);
        }

        @Override
        protected Optional<BlockStore> openLosingAnswers(
                BooleanSupplier losesAnswer, long first, long last, String... sequences) {
            return Optional.of(new Handle(
                    new LosingAnswers(Counters.of(anyMember()), losesAnswer),
                    config -> config.firstValue(first).lastValue(last),
                    sequences));
        }
    }

    @Nested
    class WithParentStore extends BlockStoreContract {
        private static final Map<List<String>, BlockStore> PARENTS = new ConcurrentHashMap<>();

        private UnaryOperator<IntegerSequenceConfig.Builder> config(long first, long last, String... sequences) {
            BlockStore parent =
                    PARENTS.computeIfAbsent(Arrays.asList(sequences), names -> new MemoryBlockStore(first, last));
            return config -> config.firstValue(first).lastValue(last).parentStore(parent, 333);
        }

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return new Handle(Counters.of(anyMember()), config(first, last, sequences), sequences);
        }

        @Override
        protected Optional<BlockStore> openLosingAnswers(
                BooleanSupplier losesAnswer, long first, long last, String... sequences) {
            return Optional.of(new Handle(
                    new LosingAnswers(Counters.of(anyMember()), losesAnswer),
                    config(first, last, sequences),
                    sequences));
        }
    }
}
