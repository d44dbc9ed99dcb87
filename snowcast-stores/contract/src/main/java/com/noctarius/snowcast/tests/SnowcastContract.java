// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastEpoch;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastNodeIdsExceededException;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A test suite for the contract of {@link Snowcast}, which all implementations must meet. The test of an implementation
 * implements this interface; the suite starts processes with {@link #startProcess}.
 */
public interface SnowcastContract {
    /** The epoch of the sequencers in this suite. */
    SnowcastEpoch EPOCH = SnowcastEpoch.byTimestamp(1_700_000_000_000L);

    /** A layout with two node IDs. */
    SnowcastLayout TWO_NODES = new SnowcastLayout(41, 1, 10);

    /** Counts the names of {@link #newName()}. */
    AtomicInteger NAMES = new AtomicInteger();

    /** A process with a {@code Snowcast}, or an object in the JVM of the test that stands for such a process. */
    interface Running extends AutoCloseable {
        /** {@return the {@code Snowcast} of the process} */
        Snowcast snowcast();

        /** Shuts the process down gracefully. */
        @Override
        void close();
    }

    /**
     * Starts a process. All processes of a test use the same cluster or database.
     *
     * @return the process
     * @throws Exception if the process cannot be started
     */
    Running startProcess() throws Exception;

    private static String newName() {
        return "contract-" + NAMES.incrementAndGet();
    }

    private static SequencerConfig.Builder config() {
        return SequencerConfig.builder(newName()).epoch(EPOCH);
    }

    private static SequencerConfig ofTwoNodes() {
        return config().layout(TWO_NODES).build();
    }

    // --- sequencers

    /**
     * A process has one sequencer of a name, and each process has its own node ID.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aProcessHasOneSequencerOfANameAndEachProcessItsOwnNodeId() throws Exception {
        SequencerConfig config = config().build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            SnowcastSequencer first = one.snowcast().createSequencer(config);
            SnowcastSequencer second = two.snowcast().createSequencer(config);
            assertThat(one.snowcast().createSequencer(config)).isSameAs(first);
            assertThat(one.snowcast().sequencers()).contains(first).doesNotContain(second);
            assertThat(first.stats().logicalNodeId())
                    .isNotEqualTo(second.stats().logicalNodeId());
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                ids.add(first.next());
                ids.add(second.next());
            }
            assertThat(ids).doesNotHaveDuplicates();
            assertThat(LongStream.range(0, 2_000).map(i -> ids.get(2 * (int) i)).boxed())
                    .isSorted();
            assertThat(first.stats().issuedCount()).isEqualTo(2_000);
        }
    }

    /**
     * A detached sequencer attaches when {@code attachLogicalNode} is called.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aDetachedSequencerIsAttachedWhenItIsAskedTo() throws Exception {
        try (Running one = startProcess()) {
            SnowcastSequencer sequencer = one.snowcast().createDetachedSequencer(config().build());
            assertThat(sequencer.getSequencerState()).isEqualTo(SnowcastSequenceState.Detached);
            assertThatThrownBy(sequencer::next).isInstanceOf(SnowcastStateException.class);
            assertThat(one.snowcast().sequencers()).doesNotContain(sequencer);
            sequencer.attachLogicalNode();
            assertThat(sequencer.next()).isPositive();
            assertThatThrownBy(sequencer::attachLogicalNode).isInstanceOf(SnowcastStateException.class);
            assertThat(one.snowcast().sequencers()).contains(sequencer);
        }
    }

    /**
     * After a node ID is released, its next holder issues IDs above all earlier IDs of that node ID.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aNodeIdThatIsGivenBackIsGrantedAboveItsIds() throws Exception {
        SequencerConfig config = ofTwoNodes();
        try (Running stays = startProcess();
                Running leaves = startProcess();
                Running next = startProcess()) {
            stays.snowcast().createSequencer(config);
            SnowcastSequencer leaving = leaves.snowcast().createSequencer(config);
            long last = leaving.next();
            assertThatThrownBy(() -> next.snowcast().createSequencer(config))
                    .isInstanceOf(SnowcastNodeIdsExceededException.class)
                    .hasMessageContaining("all 2 node IDs are in use: 2 attached");
            leaving.detachLogicalNode();
            assertThatThrownBy(leaving::next).isInstanceOf(SnowcastStateException.class);
            SnowcastSequencer following = next.snowcast().createSequencer(config);
            assertThat(TWO_NODES.logicalNodeId(following.next())).isEqualTo(TWO_NODES.logicalNodeId(last));
            assertThat(following.next()).isGreaterThan(last);
        }
    }

    /**
     * A process that shuts down gracefully releases its node IDs.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aProcessThatEndsGivesItsNodeIdsBack() throws Exception {
        SequencerConfig config = ofTwoNodes();
        NodeLeaseConfig workers =
                NodeLeaseConfig.builder(newName()).maxNodeCount(2).build();
        try (Running stays = startProcess();
                Running next = startProcess()) {
            stays.snowcast().createSequencer(config);
            stays.snowcast().leaseNode(workers);
            Running leaves = startProcess();
            SnowcastSequencer leaving = leaves.snowcast().createSequencer(config);
            NodeLease lease = leaves.snowcast().leaseNode(workers);
            int nodeId = lease.nodeId();
            long last = leaving.next();
            leaves.close();
            assertThatThrownBy(leaving::next).isInstanceOf(SnowcastStateException.class);
            assertThatThrownBy(lease::nodeId).isInstanceOf(SnowcastStateException.class);
            Await.until("its node IDs are free", () -> isCreated(next, config));
            assertThat(next.snowcast().createSequencer(config).next()).isGreaterThan(last);
            assertThat(next.snowcast().leaseNode(workers).nodeId()).isEqualTo(nodeId);
        }
    }

    /**
     * Leases are renewed in time.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void leasesAreRenewed() throws Exception {
        Duration ofBoth = Duration.ofSeconds(4);
        try (Running one = startProcess()) {
            SnowcastSequencer sequencer =
                    one.snowcast().createSequencer(config().lease(ofBoth).build());
            NodeLease lease = one.snowcast()
                    .leaseNode(NodeLeaseConfig.builder(newName())
                            .maxNodeCount(5)
                            .lease(ofBoth)
                            .build());
            Await.until(
                    "both are renewed twice",
                    () -> sequencer.stats().renewalCount() >= 2 && lease.stats().renewalCount() >= 2);
            assertThat(sequencer.stats().leaseLossCount() + lease.stats().leaseLossCount())
                    .isZero();
            assertThat(lease.nodeId()).isBetween(0, 4);
            assertThat(sequencer.next()).isPositive();
        }
    }

    /**
     * Threads of several processes that attach concurrently get one sequencer per process and name; the processes get
     * different node IDs.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void threadsOfProcessesThatAttachAtATimeGetNodeIdsOfTheirOwn() throws Exception {
        List<SequencerConfig> configs = List.of(config().build(), config().build(), config().build());
        try (Running one = startProcess();
                Running two = startProcess()) {
            List<CompletableFuture<SnowcastSequencer>> attaching = new ArrayList<>();
            for (SequencerConfig config : configs) {
                for (Running process : List.of(one, two, one, two)) {
                    attaching.add(CompletableFuture.supplyAsync(
                            () -> process.snowcast().createSequencer(config), task -> new Thread(task).start()));
                }
            }
            Set<String> different = new HashSet<>();
            Set<SnowcastSequencer> sequencers = new HashSet<>();
            for (CompletableFuture<SnowcastSequencer> each : attaching) {
                SnowcastSequencer sequencer = each.get(5, TimeUnit.MINUTES);
                sequencers.add(sequencer);
                different.add(sequencer.getSequencerName() + sequencer.stats().logicalNodeId());
            }
            assertThat(sequencers).hasSize(2 * configs.size());
            assertThat(different).hasSize(2 * configs.size());
        }
    }

    // --- definitions and destruction

    /**
     * A definition is the same for all processes.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aDefinitionIsTheSameForAll() throws Exception {
        SequencerConfig config = config().build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            one.snowcast().createSequencer(config);
            assertThatThrownBy(() -> two.snowcast().createSequencer(config.name(), SnowcastEpoch.byTimestamp(0)))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class)
                    .hasMessageContaining("is registered with another definition: epoch");
            assertThatThrownBy(() -> two.snowcast()
                            .leaseNode(NodeLeaseConfig.builder(config.name())
                                    .maxNodeCount(2)
                                    .build()))
                    .isInstanceOf(SnowcastSequencerAlreadyRegisteredException.class);
        }
    }

    /**
     * A sequencer that replaces another generator issues IDs above {@code startAbove}.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aSuccessorBeginsAboveWhatItIsTold() throws Exception {
        try (Running one = startProcess()) {
            long aheadMillis = System.currentTimeMillis() + 2_000 - EPOCH.getEpochOffset();
            long above = SnowcastLayout.DEFAULT.compose(aheadMillis, 8_191, 1_023);
            assertThat(one.snowcast()
                            .createSequencer(config().startAbove(above).build())
                            .next())
                    .isGreaterThan(above);
        }
    }

    /**
     * A destroyed sequencer is destroyed in all processes. If it is created again, it issues IDs above all earlier IDs.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void whatIsDestroyedBeginsAboveItself() throws Exception {
        SequencerConfig config = config().lease(Duration.ofSeconds(2)).build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            SnowcastSequencer destroyed = one.snowcast().createSequencer(config);
            SnowcastSequencer other = two.snowcast().createSequencer(config);
            long last = Math.max(destroyed.next(), other.next());
            one.snowcast().destroySequencer(destroyed);
            assertThat(destroyed.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
            assertThatThrownBy(destroyed::next).isInstanceOf(SnowcastStateException.class);
            Await.until(
                    "the other process has noticed",
                    () -> other.getSequencerState() == SnowcastSequenceState.Destroyed);
            Await.until("it is created again", () -> isCreated(one, config));
            assertThat(one.snowcast().createSequencer(config).next()).isGreaterThan(last);
        }
    }

    /**
     * A sequencer that was never attached can be destroyed, and cannot attach afterwards. Sequencers of the same name
     * in other processes continue.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void whatWasNeverAttachedIsDestroyedForGood() throws Exception {
        SequencerConfig config = config().build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            SnowcastSequencer other = two.snowcast().createSequencer(config);
            SnowcastSequencer detached = one.snowcast().createDetachedSequencer(config);
            one.snowcast().destroySequencer(detached);
            assertThat(detached.getSequencerState()).isEqualTo(SnowcastSequenceState.Destroyed);
            assertThatThrownBy(detached::attachLogicalNode).isInstanceOf(SnowcastStateException.class);
            assertThat(other.next()).isPositive();
            assertThat(one.snowcast().createSequencer(config)).isNotSameAs(detached);
        }
    }

    private static boolean isCreated(Running process, SequencerConfig config) {
        try {
            process.snowcast().createSequencer(config);
            return true;
        } catch (SnowcastUnavailableException | SnowcastNodeIdsExceededException e) {
            return false; // An earlier holder may still use its node ID.
        }
    }

    /**
     * A process cannot destroy a sequencer of another process.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void onlyItsOwnAreDestroyed() throws Exception {
        SequencerConfig config = config().build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            SnowcastSequencer sequencer = one.snowcast().createSequencer(config);
            assertThatThrownBy(() -> two.snowcast().destroySequencer(sequencer))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must have been created by the same Snowcast");
            assertThat(sequencer.next()).isPositive();
        }
    }

    // --- node leases

    /**
     * A node lease guards the generator of each process.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void aLeaseGuardsTheGeneratorOfEachProcess() throws Exception {
        NodeLeaseConfig config =
                NodeLeaseConfig.builder(newName()).maxNodeCount(2).build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            NodeLease first = one.snowcast().leaseNode(config);
            NodeLease second = two.snowcast().leaseNode(config);
            assertThat(one.snowcast().leaseNode(config)).isSameAs(first);
            assertThat(one.snowcast().nodeLeases()).contains(first);
            assertThat(Set.of(first.nodeId(), second.nodeId())).containsExactlyInAnyOrder(0, 1);
            assertThat(first.validUntil()).isAfter(first.validFrom());
            assertThat(first.generator(nodeId -> () -> System.currentTimeMillis() << 1 | nodeId, id -> id >> 1)
                            .next())
                    .isNotEqualTo(second.generator(
                                    nodeId -> () -> System.currentTimeMillis() << 1 | nodeId, id -> id >> 1)
                            .next());
            two.snowcast().destroyNodeLease(second);
            assertThatThrownBy(second::nodeId).isInstanceOf(SnowcastStateException.class);
        }
    }

    // --- integer sequences

    /**
     * The integers of a sequence come from the store of its configuration, in all processes.
     *
     * @throws Exception if the setup fails
     */
    @Test
    default void processesShareTheStoreOfAnIntegerSequence() throws Exception {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder(newName())
                .blockSize(10)
                .store(new MemoryBlockStore(5_000, 6_000))
                .build();
        try (Running one = startProcess();
                Running two = startProcess()) {
            IntegerSequence first = one.snowcast().createIntegerSequence(config);
            IntegerSequence second = two.snowcast().createIntegerSequence(config);
            List<Long> integers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                integers.add(first.next());
                integers.add(second.next());
            }
            assertThat(integers)
                    .doesNotHaveDuplicates()
                    .allSatisfy(integer -> assertThat(integer).isBetween(5_000L, 6_000L));
        }
    }
}
