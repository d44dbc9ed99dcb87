// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceUnknownException;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastIllegalStateException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.SnowcastSystem;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sequences over pools, with a cluster that answers or does not. */
class IntegerSequencesTest {
    private static final String NAME = "orders";

    private final Cluster cluster = new Cluster();
    private final List<Runnable> later = new ArrayList<>();
    private final IntegerSequences sequences =
            new IntegerSequences(() -> 1, cluster, config -> null, SystemClock.INSTANCE, (task, delay) -> {
                if (delay.isZero()) {
                    task.run();
                } else {
                    later.add(task);
                }
            });

    private static final class Cluster implements PoolCoordinator {
        LocalPools pools = new LocalPools();
        final List<ReserveRequest> requests = new ArrayList<>();
        final List<GiveBackRequest> givenBack = new ArrayList<>();
        final List<Long> destroyed = new ArrayList<>();
        Runnable beforeAnswer = () -> {};

        @Override
        public @Nullable Reservation reserve(ReserveRequest request) {
            requests.add(request);
            Reservation reservation = pools.reserve(request);
            beforeAnswer.run();
            return reservation;
        }

        @Override
        public long giveBack(GiveBackRequest request) {
            givenBack.add(request);
            return pools.giveBack(request);
        }

        @Override
        public void destroyIntegers(String name, long incarnation) {
            destroyed.add(incarnation);
            pools.destroyIntegers(name, incarnation);
        }
    }

    private static IntegerSequenceConfig.Builder config() {
        return IntegerSequenceConfig.builder(NAME).blockSize(10).prefetchThreshold(1);
    }

    private ClusterBlockStore store(IntegerSequenceConfig config) {
        ClusterBlockStore store = new ClusterBlockStore(config.name(), PoolDefinition.of(config, () -> 1), cluster);
        store.open(null);
        return store;
    }

    private void loseAnswers() {
        cluster.beforeAnswer = () -> {
            throw new SnowcastException("lost");
        };
    }

    @Test
    void aSequenceIsListedWhenItWasCreated() {
        List<List<IntegerSequence>> listed = new ArrayList<>();
        cluster.beforeAnswer = () -> listed.add(sequences.open());
        IntegerSequence created = sequences.create(config().build(), true);
        assertThat(listed).containsExactly(List.of());
        assertThat(sequences.open()).containsExactly(created);
    }

    /**
     * Two parts of an application that want different things of one instance: the first decides, and it can be seen.
     */
    @Test
    void otherSettingsOfTheInstanceAreToldOnceAndHaveNoEffect() {
        IntegerSequence created = sequences.create(config().build(), true);
        assertThat(Logged.during(() -> sequences.create(config().build(), true)))
                .isEmpty();
        List<String> messages = Logged.during(() -> {
            for (int i = 0; i < 3; i++) {
                assertThat(sequences.create(config().blockSize(77).build(), true))
                        .isSameAs(created);
            }
        });
        assertThat(messages)
                .singleElement()
                .asString()
                .startsWith("WARNING integer sequence orders keeps ordering=STRICT, blockSize=10-10, ")
                .contains(" and not with ordering=STRICT, blockSize=77-77, ");
        assertThat(created.stats().ordering()).isEqualTo(Ordering.STRICT);
        assertThat(created)
                .asString()
                .contains("ordering=STRICT, blockSize=10-10, blockDuration=PT0S, prefetchThreshold=1");
    }

    @Test
    void anotherStoreIsRefusedAlsoIfItLooksTheSame() {
        sequences.create(config().store(new MemoryBlockStore(1, 100)).build(), true);
        assertThatThrownBy(() -> sequences.create(
                        config().store(new MemoryBlockStore(1, 100)).build(), true))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                .hasMessage(
                        "integer sequence orders is registered with another store: MemoryBlockStore{1 to 100}, not this"
                                + " MemoryBlockStore{1 to 100} (take the same one, or another name)");
        assertThatThrownBy(() -> sequences.create(config().build(), true))
                .hasMessageContaining("{1 to 100}, not Hazelcast (");
    }

    @Test
    void aValueAfterALossThatLeavesNothingIsRefused() {
        for (long firstValue : new long[] {-1, 51, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> sequences.resume(config().lastValue(50).build(), firstValue, Instant.EPOCH))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("integer sequence orders: firstValue must be 0 to 50, the last value: " + firstValue);
        }
        // What milliseconds cannot express is long ago, or still to come.
        assertThatThrownBy(() -> sequences.resume(config().lastValue(50).build(), 50, Instant.MIN))
                .isExactlyInstanceOf(IntegerSequenceUnknownException.class);
        assertThat(sequences.open()).isEmpty();
        assertThatThrownBy(() -> sequences.resume(config().lastValue(50).build(), 50, Instant.MAX))
                .isExactlyInstanceOf(SnowcastIllegalStateException.class)
                .hasMessageContaining("lostBefore must not lie in the future");
    }

    @Test
    void anUnansweredRequestIsAskedAgain() {
        ClusterBlockStore store = store(config().build());
        loseAnswers();
        assertThatThrownBy(() -> store.reserve(NAME, 10))
                .isExactlyInstanceOf(BlockStoreException.class)
                .hasMessage("sequence orders: could not reserve 10 in Hazelcast: lost");
        cluster.beforeAnswer = () -> {};

        assertThat(store.reserve(NAME, 10)).isEqualTo(Block.of(1, 10));
        assertThat(store.reserve(NAME, 10)).isEqualTo(Block.of(11, 20));
    }

    @Test
    void anUnansweredRequestIsNotAskedAgainForFewer() {
        ClusterBlockStore store = store(config().build());
        loseAnswers();
        assertThatThrownBy(() -> store.reserve(NAME, 10)).isExactlyInstanceOf(BlockStoreException.class);
        cluster.beforeAnswer = () -> {};
        assertThat(store.reserve(NAME, 5)).isEqualTo(Block.of(11, 15));
    }

    @Test
    void anAnswerOfAFormerClusterIsNotUsed() {
        ClusterBlockStore store = store(config().build());
        cluster.beforeAnswer = store::clusterChanged;
        assertThatThrownBy(() -> store.reserve(NAME, 10))
                .isExactlyInstanceOf(BlockStoreException.class)
                .hasMessageContaining("the cluster changed");
        cluster.beforeAnswer = () -> {};
        assertThat(store.reserve(NAME, 10)).isEqualTo(Block.of(11, 20));
    }

    @Test
    void nothingIsGivenBackToAnotherCluster() {
        ClusterBlockStore store = store(config().build());
        Block block = store.reserve(NAME, 10);
        store.clusterChanged();
        store.giveBack(NAME, block);
        assertThat(cluster.givenBack).isEmpty();
    }

    /** Also after a request to the next cluster that failed. */
    @Test
    void whatOneClusterAnsweredIsNoAgreementWithTheNext() {
        ClusterBlockStore store = store(config().build());
        Block block = store.reserve(NAME, 10);
        store.clusterChanged();
        loseAnswers();
        assertThatThrownBy(() -> store.reserve(NAME, 10)).isExactlyInstanceOf(BlockStoreException.class);
        store.giveBack(NAME, block);
        assertThat(cluster.givenBack).isEmpty();
    }

    @Test
    void nothingIsAskedForAfterTheEnd() {
        ClusterBlockStore store = store(config().build());
        cluster.requests.clear();
        store.end();
        assertThatThrownBy(() -> store.reserve(NAME, 10)).isExactlyInstanceOf(SnowcastStateException.class);
        assertThat(cluster.requests).isEmpty();
    }

    @Test
    void theAnswerThatASequenceWasDestroyedEndsIt() {
        ClusterBlockStore store = store(config().build());
        cluster.destroyIntegers(NAME, store.incarnation());
        assertThatThrownBy(() -> store.reserve(NAME, 10)).isExactlyInstanceOf(SnowcastStateException.class);
        assertThat(store.isDestroyed()).isTrue();
    }

    @Test
    void theAnswerThatASequenceHasAnotherDefinitionEndsIt() {
        ClusterBlockStore store = store(config().build());
        cluster.pools = new LocalPools();
        store(config().lastValue(1_000).build());
        assertThatThrownBy(() -> store.reserve(NAME, 10))
                .hasCauseInstanceOf(IntegerSequenceAlreadyRegisteredException.class);
        assertThat(store.isDestroyed()).isTrue();
    }

    @Test
    void aChangeOfTheClusterDiscardsTheBlocksInHand() throws Exception {
        IntegerSequence sequence = sequences.create(config().build(), true);
        assertThat(sequence.next()).isEqualTo(1);
        sequences.clusterChanged();
        assertThat(sequence.remaining()).isZero();
        assertThat(sequence.next()).isEqualTo(11);
        assertThat(sequence.stats().issuedCount()).isEqualTo(2);
    }

    @Test
    void aSequenceThatHasAnotherDefinitionAfterAMergeIsClosedAndCanBeCreatedWithThat() throws Exception {
        IntegerSequence ofTheLosingSide = sequences.create(config().build(), true);
        assertThat(ofTheLosingSide.next()).isEqualTo(1);
        cluster.pools = new LocalPools();
        store(config().lastValue(1_000).build());
        sequences.clusterChanged();

        assertThatThrownBy(ofTheLosingSide::next)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("it was destroyed");
        assertThat(sequences.create(config().lastValue(1_000).build(), true)).isNotSameAs(ofTheLosingSide);
    }

    @Test
    void theCreationThatTellsOfAnotherDefinitionClosesTheSequenceToo() throws Exception {
        IntegerSequence ofTheLosingSide = sequences.create(config().build(), true);
        cluster.pools = new LocalPools();
        store(config().lastValue(1_000).build());
        sequences.clusterChanged();

        assertThatThrownBy(() -> sequences.create(config().build(), true))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class);
        assertThat(ofTheLosingSide.isClosed()).isTrue();
    }

    @Test
    void aSequenceThatTheNextClusterDoesNotKnowIsCreatedThereAboveWhatWasGiven() throws Exception {
        IntegerSequence sequence =
                sequences.create(config().maxWait(Duration.ofMillis(1)).build(), true);
        assertThat(sequence.next()).isEqualTo(1);
        cluster.pools = new LocalPools();
        sequences.clusterChanged();
        assertThatThrownBy(sequence::next)
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessageContaining("does not exist in this cluster");

        assertThat(sequences.create(config().build(), true)).isSameAs(sequence);
        later.get(0).run();
        assertThat(sequence.next()).isEqualTo(11);
    }

    @Test
    void aDestructionThatWasNotHeardOfIsLearnedFromTheNextRequest() throws Exception {
        IntegerSequence sequence = sequences.create(config().build(), true);
        sequence.next(10);
        cluster.destroyIntegers(
                NAME, cluster.requests.get(cluster.requests.size() - 1).incarnation());
        sequence.next(10); // in hand
        assertThatThrownBy(sequence::next)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence orders must be open: it was destroyed");
    }

    @Test
    void aDestructionThatOvertakesTheAnswerIsNotMissed() {
        cluster.beforeAnswer = () -> sequences.destroyed(NAME, Long.MAX_VALUE);
        IntegerSequence sequence = sequences.create(config().build(), true);
        assertThatThrownBy(sequence::next).isExactlyInstanceOf(SnowcastStateException.class);
    }

    /**
     * Otherwise the sequence issues the block of the destroyed incarnation, and every later reservation under the name
     * is refused.
     */
    @Test
    void aDestructionThatOvertakesTheFirstBlockIsNotMissed() throws Exception {
        IntegerSequence prepared = sequences.create(config().build(), false);
        cluster.beforeAnswer = () -> sequences.destroyed(NAME, Long.MAX_VALUE);
        assertThatThrownBy(prepared::next)
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence orders must be open: it was destroyed");
        assertThat(prepared.isClosed()).isTrue();
    }

    @Test
    void aRequestOfNoIncarnationIsNotAskedAgainWhenTheIncarnationIsKnown() throws Exception {
        ClusterBlockStore store = new ClusterBlockStore(NAME, PoolDefinition.of(config().build(), () -> 1), cluster);
        loseAnswers();
        assertThatThrownBy(() -> store.reserve(NAME, 10)).isInstanceOf(BlockStoreException.class);
        cluster.beforeAnswer = () -> {};
        store.open(null);
        assertThat(store.reserve(NAME, 10)).isEqualTo(Block.of(11, 20));
        assertThat(cluster.requests)
                .last()
                .satisfies(request -> assertThat(request.incarnation()).isEqualTo(store.incarnation()));
    }

    @Test
    void aSequenceThatWasPreparedIsCreatedWhenItIsAskedFor() {
        IntegerSequence prepared = sequences.create(config().build(), false);
        assertThat(sequences.create(config().build(), true)).isSameAs(prepared);
        assertThat(sequences.open()).containsExactly(prepared);
        assertThat(cluster.requests).hasSize(1);
    }

    @Test
    void aSequenceThatWasPreparedIsRefusedWhereTheClusterHasAnother() {
        sequences.create(config().lastValue(50).build(), true).close();
        IntegerSequence prepared = sequences.create(config().build(), false);
        assertThatThrownBy(() -> sequences.create(config().build(), true))
                .isExactlyInstanceOf(IntegerSequenceAlreadyRegisteredException.class);
        assertThat(prepared.isClosed()).isFalse();
    }

    @Test
    void theDestructionOfASequenceThatWasOnlyPreparedLeavesTheClustersAlone() {
        IntegerSequence prepared = sequences.create(config().build(), false);
        sequences.destroy(prepared);
        assertThat(prepared.isClosed()).isTrue();
        assertThat(cluster.destroyed).isEmpty();
    }

    @Test
    void theEndClosesAllAlsoWhereTheProcessCanHaveNoMoreThreads() {
        IntegerSequences withoutThreads =
                new IntegerSequences(() -> 1, cluster, config -> null, SystemClock.INSTANCE, (task, delay) -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
        List<IntegerSequence> open = List.of(
                withoutThreads.create(config().build(), true),
                withoutThreads.create(
                        IntegerSequenceConfig.builder("one")
                                .store(new MemoryBlockStore())
                                .build(),
                        true),
                withoutThreads.create(
                        IntegerSequenceConfig.builder("two")
                                .store(new MemoryBlockStore())
                                .build(),
                        true));
        Throwable unused = catchThrowable(() -> withoutThreads.close("it ended", 10_000));
        assertThat(open).allSatisfy(each -> assertThat(each.isClosed()).isTrue());
    }

    @Test
    void aCreationThatFailsLeavesNothingBehind() throws Exception {
        loseAnswers();
        assertThatThrownBy(() -> sequences.create(config().build(), true)).isExactlyInstanceOf(SnowcastException.class);
        cluster.beforeAnswer = () -> {};
        assertThat(sequences.create(config().build(), true).next()).isEqualTo(1);
    }

    @Test
    void theEndOfTheInstanceClosesAllAndRefusesNewOnes() throws Exception {
        IntegerSequence sequence = sequences.create(config().build(), true);
        IntegerSequence own = sequences.create(
                IntegerSequenceConfig.builder("own")
                        .store(new MemoryBlockStore())
                        .build(),
                true);
        sequence.next(4);
        sequences.close("it ended", 10_000);
        assertThat(cluster.givenBack).extracting(GiveBackRequest::rest).containsExactly(Block.of(5, 10));
        for (IntegerSequence each : List.of(sequence, own)) {
            assertThatThrownBy(each::next)
                    .isExactlyInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("it ended");
        }
        assertThatThrownBy(() -> sequences.create(config().build(), true))
                .isExactlyInstanceOf(SnowcastStateException.class)
                .hasMessage("integer sequence orders cannot be created: it ended");
    }

    // --- what the store says before

    /** A store that counts what it hands out, and says of a sequence what it is told to say. */
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

    private static IntegerSequenceConfig own(BlockStore store, long firstValue) {
        return config().firstValue(firstValue).store(store).build();
    }

    @Test
    void aSequenceThatItsStoreRefusesIsNotCreatedAndCostsNothing() throws Exception {
        DefinedStore store = new DefinedStore();
        store.refusal = new NonTransientBlockStoreException("sequence orders begins at 1, and must at 1000 or above");
        assertThatThrownBy(() -> sequences.create(own(store, 1_000), true)).isSameAs(store.refusal);
        assertThat(sequences.open()).isEmpty();
        assertThatThrownBy(() -> SnowcastSystem.standaloneIntegerSequence(own(store, 1_000)))
                .isSameAs(store.refusal);
        assertThat(store.prepared).containsExactly("orders from 1000", "orders from 1000");
        assertThat(store.inUse).isZero();
        assertThat(cluster.requests).isEmpty();

        store.refusal = null;
        assertThat(sequences.create(own(store, 1), true).next()).isEqualTo(1);
    }

    @Test
    void aStoreThatIsOutOfReachRefusesNoSequence() throws Exception {
        DefinedStore store = new DefinedStore();
        store.refusal = new BlockStoreException("no connection");
        List<String> logged = Logged.during(() ->
                assertThat(sequences.create(own(store, 1), true).isClosed()).isFalse());
        assertThat(logged).singleElement().satisfies(line -> assertThat(line).contains("orders", "no connection"));
        assertThat(sequences.open().get(0).next()).isEqualTo(1);
    }

    @Test
    void aSequenceIsPreparedOnceAndListedAfterwards() {
        DefinedStore store = new DefinedStore();
        List<List<IntegerSequence>> listed = new ArrayList<>();
        store.whilePrepared = () -> listed.add(sequences.open());
        IntegerSequence created = sequences.create(own(store, 1), true);
        assertThat(sequences.create(own(store, 1), true)).isSameAs(created);
        assertThat(listed).containsExactly(List.of());
        assertThat(sequences.open()).containsExactly(created);
    }

    /** A process of the winning side of a split has blocks in hand that the other side may have handed out, too. */
    @Test
    void theBlocksOfASequenceThatMayHaveDuplicatesAreGivenUp() throws Exception {
        IntegerSequence sequence = sequences.create(config().build(), true);
        assertThat(sequence.next()).isEqualTo(1);
        sequences.discard(List.of(new PossibleDuplicateIntegers(NAME, 1, 5)));
        assertThat(sequence.next()).isEqualTo(11);
        sequences.discard(List.of(new PossibleDuplicateIntegers("another", 11, 15)));
        assertThat(sequence.next()).isEqualTo(12);
    }
}
