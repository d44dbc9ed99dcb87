// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.test.TestHazelcastFactory;
import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.test.Accessors;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.SequenceName;
import com.noctarius.snowcast.tests.Await;
import com.noctarius.snowcast.tests.store.BlockStoreContract;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The Hazelcast store does what every store has to do, for members and for clients, also while members are killed. */
@Tag("integration")
class HazelcastBlockStoreTest {
    private static final int PARTITIONS = 11;

    private static final TestHazelcastFactory FACTORY = new TestHazelcastFactory();
    private static final List<HazelcastInstance> MEMBERS = new CopyOnWriteArrayList<>();
    private static final List<HazelcastInstance> CLIENTS = new CopyOnWriteArrayList<>();
    private static final AtomicInteger HANDLES = new AtomicInteger();

    @BeforeAll
    static void start() {
        for (int i = 0; i < 3; i++) {
            startMember();
        }
        for (int i = 0; i < 2; i++) {
            CLIENTS.add(FACTORY.newHazelcastClient(new ClientConfig()));
        }
        fillPartitions();
    }

    /**
     * Hazelcast does not wait until replicas are complete where there is nothing, and the next owner is then killed too
     * early.
     */
    private static void fillPartitions() {
        HazelcastInstance member = MEMBERS.get(0);
        Set<Integer> filled = new HashSet<>();
        for (int i = 0; filled.size() < PARTITIONS; i++) {
            String name = "filling" + i;
            if (filled.add(member.getPartitionService().getPartition(name).getPartitionId())) {
                SnowcastSystem.snowcast(member)
                        .createIntegerSequence(
                                IntegerSequenceConfig.builder(name).build());
            }
        }
    }

    private static void startMember() {
        Config config = new Config();
        config.getJetConfig().setEnabled(false);
        config.setProperty("hazelcast.partition.count", String.valueOf(PARTITIONS));
        // How long an operation waits for a backup on a member that was killed.
        config.setProperty("hazelcast.operation.backup.timeout.millis", "500");
        MEMBERS.add(FACTORY.newHazelcastInstance(config));
    }

    @AfterAll
    static void stop() {
        FACTORY.terminateAll();
    }

    /** Returns what the integer sequences of a member or client ask. */
    private static PoolCoordinator poolsOf(HazelcastInstance instance) {
        RegisteredSequence any = (RegisteredSequence) SnowcastSystem.snowcast(instance)
                .createIntegerSequence(IntegerSequenceConfig.builder("any").build());
        return ((ClusterBlockStore) any.store()).coordinator;
    }

    /** A sequence has a holder of its own; the suite has one handle for several. */
    private static final class Handle implements BlockStore {
        private final Map<String, ClusterBlockStore> stores = new HashMap<>();

        Handle(PoolCoordinator pools, UnaryOperator<IntegerSequenceConfig.Builder> with, String... sequences) {
            for (String sequence : sequences) {
                IntegerSequenceConfig config =
                        with.apply(IntegerSequenceConfig.builder(sequence)).build();
                ClusterBlockStore store = new ClusterBlockStore(sequence, PoolDefinition.of(config, () -> 1), pools);
                store.open(null);
                stores.put(sequence, store);
            }
        }

        private ClusterBlockStore of(String sequence) {
            return Objects.requireNonNull(stores.get(SequenceName.require(sequence)));
        }

        @Override
        public void prepare(String sequence, long firstValue) {
            of(sequence).prepare(sequence, firstValue);
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

    /** Loses answers on their way back. */
    private record LosingAnswers(PoolCoordinator cluster, BooleanSupplier loses) implements PoolCoordinator {
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
        public void destroyIntegers(String name, long incarnation) {
            cluster.destroyIntegers(name, incarnation);
        }
    }

    /** The members that hold a pool: the owner is killed, or its backup if it is the owner who asks. */
    private record Replicas(HazelcastInstance asking, String sequence) implements BlockStoreContract.Server {
        @Override
        public void kill() {
            awaitSafe();
            HazelcastInstance owner = replica(0);
            HazelcastInstance killed = owner == asking ? replica(1) : owner;
            MEMBERS.remove(killed);
            killed.getLifecycleService().terminate();
        }

        private HazelcastInstance replica(int index) {
            HazelcastInstance any = MEMBERS.get(0);
            InternalPartitionService partitions = Accessors.getPartitionService(any);
            int partitionId = any.getPartitionService().getPartition(sequence).getPartitionId();
            PartitionReplica replica = partitions.getPartition(partitionId).getReplica(index);
            return MEMBERS.stream()
                    .filter(each -> replica != null
                            && each.getCluster().getLocalMember().getUuid().equals(replica.uuid()))
                    .findAny()
                    .orElseThrow(() -> new AssertionError("no member is replica " + index + " of " + sequence));
        }

        @Override
        public void restart() {
            startMember();
            awaitSafe();
        }

        private static void awaitSafe() {
            Await.until(
                    "backups complete",
                    () -> MEMBERS.stream()
                            .allMatch(each -> each.getCluster().getMembers().size() == MEMBERS.size()
                                    && each.getPartitionService().isLocalMemberSafe()));
        }
    }

    private abstract static class OnHazelcast extends BlockStoreContract {
        private final List<HazelcastInstance> instances;
        private Optional<Server> server = Optional.empty();

        OnHazelcast(List<HazelcastInstance> instances) {
            this.instances = instances;
        }

        private PoolCoordinator poolsOfAny(String sequence) {
            HazelcastInstance asking = instances.get(HANDLES.getAndIncrement() % instances.size());
            server = Optional.of(new Replicas(asking, sequence));
            return poolsOf(asking);
        }

        private UnaryOperator<IntegerSequenceConfig.Builder> config(long first, long last) {
            return config -> config.firstValue(first).lastValue(last);
        }

        @Override
        protected boolean needsDefinitions() {
            return false;
        }

        /** The definition of a pool is that of its sequence. */
        @Override
        protected boolean knowsFirstValues() {
            return false;
        }

        @Override
        protected BlockStore open(long first, long last, String... sequences) {
            return new Handle(poolsOfAny(sequences[0]), config(first, last), sequences);
        }

        @Override
        protected Optional<BlockStore> openLosingAnswers(
                BooleanSupplier losesAnswer, long first, long last, String... sequences) {
            return Optional.of(new Handle(
                    new LosingAnswers(poolsOfAny(sequences[0]), losesAnswer), config(first, last), sequences));
        }

        @Override
        protected Optional<Server> server() {
            return server;
        }
    }

    @Nested
    class OfMembers extends OnHazelcast {
        OfMembers() {
            super(MEMBERS);
        }
    }

    @Nested
    class OfClients extends OnHazelcast {
        OfClients() {
            super(CLIENTS);
        }
    }
}
