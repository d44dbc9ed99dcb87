// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.blocks;

import static com.noctarius.snowcast.internal.base.Waiting.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Logged;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStore;
import com.noctarius.snowcast.store.BlockStoreException;
import com.noctarius.snowcast.store.BlockStoreExhaustedException;
import com.noctarius.snowcast.store.MemoryBlockStore;
import com.noctarius.snowcast.store.NonTransientBlockStoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockSequenceTest {
    private static final long NOW_MILLIS = 1_700_000_000_000L;
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    private final ManualClock clock = ManualClock.blocking(NOW_MILLIS);
    private final HandDriven background = new HandDriven();
    private final RecordingStore store = new RecordingStore();

    /** A store in memory that records requests and returned blocks, and fails on demand. */
    private static final class RecordingStore implements BlockStore {
        private final MemoryBlockStore memory = new MemoryBlockStore();
        final List<Long> sizes = new ArrayList<>();
        final List<Block> givenBack = new ArrayList<>();
        volatile @Nullable RuntimeException failure;
        boolean keepsNothing;
        volatile Runnable onReserve = () -> {};

        @Override
        public Block reserve(String sequence, long size) {
            sizes.add(size);
            onReserve.run();
            RuntimeException present = failure;
            if (present != null) {
                throw present;
            }
            return memory.reserve(sequence, size);
        }

        @Override
        public void giveBack(String sequence, Block rest) {
            givenBack.add(rest);
            if (keepsNothing) {
                throw new BlockStoreException("no connection");
            }
            memory.giveBack(sequence, rest);
        }

        @Override
        public String toString() {
            return "the store";
        }
    }

    private static IntegerSequenceConfig.Builder config() {
        return IntegerSequenceConfig.builder("numbers").blockSize(10).maxWait(MAX_WAIT);
    }

    private BlockSequence sequence(IntegerSequenceConfig.Builder config) {
        return sequence(config, store);
    }

    private BlockSequence sequence(IntegerSequenceConfig.Builder config, BlockStore of) {
        return new BlockSequence(config.build(), of, clock, background);
    }

    /** Returns a sequence that has used {@code count} integers of its first block; a second has passed since. */
    private BlockSequence afterTaking(int count) throws Exception {
        BlockSequence sequence = sequence(config());
        withReservation(() -> sequence.next(count));
        clock.advanceMillis(1_000);
        return sequence;
    }

    /** Returns the result of a call that waits for exactly one reservation, which this method runs. */
    private <T> T withReservation(Callable<T> call) throws Exception {
        Waiting<T> task = start(call);
        background.runNext();
        return task.get();
    }

    /** Returns the result of a call that needs several blocks, by running reservations until the call returns. */
    private <T> T whileReserving(Waiting<T> call) throws Exception {
        while (!call.task().isDone()) {
            background.runAll();
            LockSupport.parkNanos(1_000);
        }
        return call.get();
    }

    // --- integers

    @Test
    void countsFromTheFirstValue() throws Exception {
        BlockSequence sequence = sequence(config());
        assertThat(background.waiting()).as("before the first call").isZero();
        assertThat((long) withReservation(sequence::next)).isEqualTo(1);
        assertThat(sequence.next()).isEqualTo(2);
        assertThat(sequence.nextInt()).isEqualTo(3);
        assertThat(sequence.next(3)).containsExactly(4, 5, 6);
        assertThat(sequence.next(0)).isEmpty();
    }

    /** With three integers at a time, no call ends exactly at the half of the block. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void oneReservationStartsWhenHalfIsUsed(int atOnce) throws Exception {
        BlockSequence sequence = afterTaking(1);
        sequence.next(3);
        assertThat(background.waiting()).isZero();

        sequence.next(atOnce);
        assertThat(background.waiting()).isEqualTo(1);
        sequence.next();
        assertThat(background.waiting()).as("while it runs").isEqualTo(1);

        background.runNext();
        sequence.next((int) (sequence.remaining() - 6));
        assertThat(background.waiting()).as("before the half of the next block").isZero();
        sequence.next(atOnce);
        assertThat(background.waiting()).isEqualTo(1);
        assertThat(store.sizes).hasSize(2);
    }

    /**
     * Makes calls at a constant rate. Each reservation begins at once and takes as long as {@code callsPerReservation}
     * calls. Returns how many calls found no integer.
     */
    private int use(BlockSequence sequence, int calls, long millisPerCall, int callsPerReservation) throws Exception {
        AtomicInteger empty = new AtomicInteger();
        Runnable call = () -> {
            clock.advanceMillis(millisPerCall);
            empty.addAndGet(sequence.tryNextOr(-1) == -1 ? 1 : 0);
        };
        store.onReserve = () -> IntStream.range(0, callsPerReservation).forEach(i -> call.run());
        for (int i = 0; i < calls; i++) {
            call.run();
            background.runAll();
        }
        return empty.get();
    }

    @ParameterizedTest
    @CsvSource({"0.1, 8", "0.5, 3", "0.5, 8", "0.9, 3", "0.9, 8"})
    void noCallWaitsAtAConstantRateBesideASlowStore(double threshold, int callsPerReservation) throws Exception {
        BlockSequence sequence = sequence(config().prefetchThreshold(threshold));
        use(sequence, 100, 1, callsPerReservation);
        assertThat(use(sequence, 1_000, 1, callsPerReservation)).isZero();
    }

    /** After the pause, the measured rate is too low at first. */
    @Test
    void noCallWaitsAfterAPause() throws Exception {
        BlockSequence sequence = sequence(config());
        use(sequence, 100, 1, 8);
        for (int i = 0; i < 20; i++) {
            clock.advanceMillis(60_000);
            assertThat(use(sequence, 50 + i, 1, 8)).isZero();
        }
    }

    @Test
    void holdsMoreBlocksWhereHalfABlockLastsLessThanFourReservationsAnd20Millis() throws Exception {
        BlockSequence sequence = sequence(config());
        use(sequence, 100, 1, 3);
        assertThat(sequence.remaining()).isGreaterThan(32);
    }

    @Test
    void holdsOneBlockWhereItLastsLonger() throws Exception {
        BlockSequence sequence = sequence(config());
        for (int i = 0; i < 50; i++) {
            use(sequence, 1, 40, 1);
            assertThat(sequence.remaining()).isLessThanOrEqualTo(15);
        }
    }

    @Test
    void holdsFourBlocksAtMostBesideTheOneInUse() throws Exception {
        BlockSequence sequence = sequence(config());
        for (int i = 0; i < 100; i++) {
            use(sequence, 1, 1, 9);
            assertThat(sequence.remaining()).isLessThan(50);
        }
        assertThat(sequence.remaining()).isGreaterThan(30);
    }

    @Test
    void givesAllBlocksInHandBackTheLatestFirst() throws Exception {
        BlockSequence sequence = sequence(config());
        use(sequence, 11, 1, 3);
        long next = sequence.stats().issuedCount() + 1;
        sequence.close();
        sequence.close();
        assertThat(sequence.remaining()).isZero();
        assertThat(sequence.stats().issuedCount()).isEqualTo(next - 1);
        assertThat(store.givenBack)
                .hasSizeGreaterThan(2)
                .isSortedAccordingTo(Comparator.comparing(Block::first).reversed());
        assertThat(store.memory.reserve("numbers", 1).first())
                .as("nothing is lost")
                .isEqualTo(next);
    }

    @Test
    void holdsNoSecondBlockWhereTheNextIsReservedAtTheEnd() throws Exception {
        BlockSequence sequence = sequence(config().prefetchThreshold(1));
        withReservation(sequence::next);
        for (int i = 0; i < 3; i++) {
            store.onReserve = () -> clock.advanceMillis(1_000);
            sequence.next((int) sequence.remaining());
            background.runAll();
        }
        assertThat(sequence.remaining()).isEqualTo(10);
    }

    @Test
    void givesTheIntegersOfStripes() throws Exception {
        BlockStore striped = (name, size) -> new Block(2, size, 5);
        BlockSequence sequence = sequence(config().firstValue(0).blockSize(3), striped);
        assertThat((long) withReservation(sequence::next)).isEqualTo(2);
        assertThat(sequence.next(2)).containsExactly(7, 12);
    }

    @Test
    void fillsTheWantedPartOfAnArray() throws Exception {
        BlockSequence sequence = sequence(config());
        long[] integers = new long[25];
        Waiting<Boolean> batch = start(() -> {
            sequence.next(integers, 2, 24);
            return true;
        });
        whileReserving(batch);
        assertThat(integers).startsWith(0, 0, 1, 2).endsWith(21, 22, 0);
        sequence.next(integers, 25, 25);
        assertThat(sequence.next()).isEqualTo(23);
    }

    @Test
    @SuppressWarnings("NullAway") // A caller without nullness checks may do this.
    void aPartThatIsNoneOfTheArrayIsRefusedAndTakesNothing() throws Exception {
        BlockSequence sequence = sequence(config());
        long[] integers = new long[3];
        assertThatThrownBy(() -> sequence.next(integers, 1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> sequence.next(integers, -1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> sequence.next(integers, 2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> sequence.next(null, 0, 0)).isInstanceOf(NullPointerException.class);
        assertThat((long) withReservation(sequence::next)).isEqualTo(1);
    }

    @Test
    void aBatchThatFailsLeavesWhatItHasTakenInTheArray() throws Exception {
        BlockSequence sequence = sequence(config().lastValue(7));
        long[] integers = new long[10];
        Arrays.fill(integers, -1);
        Waiting<Boolean> batch = start(() -> {
            sequence.next(integers, 1, 10);
            return true;
        });
        background.runNext();
        background.runNext();
        assertThatThrownBy(batch::get).isInstanceOf(IntegerSequenceExhaustedException.class);
        assertThat(integers).containsExactly(-1, 1, 2, 3, 4, 5, 6, 7, -1, -1);
    }

    @Test
    void anInterruptedBatchLeavesWhatItHasTakenInTheArray() throws Exception {
        BlockSequence sequence = afterTaking(8);
        long[] integers = {-1, -1, -1, -1};
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> sequence.next(integers, 0, 4)).isInstanceOf(InterruptedException.class);
        assertThat(integers).containsExactly(9, 10, -1, -1);
        background.runNext();
        assertThat(sequence.next()).isEqualTo(11);
    }

    // --- calls that do not wait

    @Test
    void aCallThatMayNotWaitHasABlockReservedAndReturnsNothing() throws Exception {
        BlockSequence sequence = sequence(config().prefetchThreshold(1));
        assertThat(sequence.tryNext()).isEmpty();
        assertThat(sequence.tryNextOr(-7)).isEqualTo(-7);
        assertThat(background.waiting()).isEqualTo(1);

        background.runNext();
        for (int i = 1; i <= 10; i += 2) {
            assertThat(sequence.tryNext()).hasValue(i);
            assertThat(sequence.tryNextOr(-7)).isEqualTo(i + 1);
        }
        assertThat(sequence.tryNextOr(-7)).isEqualTo(-7);
        assertThat(sequence.tryNext()).isEmpty();
        assertThat(sequence.stats().waitCount()).isZero();
        assertThat(sequence.stats().issuedCount()).isEqualTo(10);
        background.runNext();
        assertThat(sequence.tryNext()).hasValue(11);
    }

    @Test
    void aCallThatMayNotWaitReservesAtTheMarkAndGoesOnInTheNextBlock() throws Exception {
        BlockSequence sequence = afterTaking(4);
        assertThat(background.waiting()).isZero();
        assertThat(sequence.tryNext()).hasValue(5);
        background.runNext();
        sequence.next(5);
        Thread.currentThread().interrupt();
        assertThat(sequence.tryNext()).hasValue(11);
        assertThat(Thread.interrupted()).as("it does not look at the flag").isTrue();
    }

    @Test
    void aCallThatMayNotWaitFailsWhereNothingIsToBeExpected() throws Exception {
        BlockSequence sequence = sequence(config().lastValue(3));
        sequence.tryNext();
        background.runNext();
        assertThat(sequence.next(3)).containsExactly(1, 2, 3);
        background.runAll();
        assertThatThrownBy(sequence::tryNext)
                .isInstanceOf(IntegerSequenceExhaustedException.class)
                .hasMessageContaining("the last value is 3");
        sequence.supply.close("it was destroyed");
        assertThatThrownBy(sequence::tryNext)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("it was destroyed");
    }

    @Test
    void aCountOutOfRangeIsRefused() {
        for (int count : new int[] {-1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> sequence(config()).next(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("count must be 0 to 16777216: " + count);
        }
    }

    // --- the first block

    private static Callable<String> prefetch(BlockSequence sequence) {
        return () -> {
            sequence.prefetch();
            return "done";
        };
    }

    @Test
    void aPrefetchReservesOneBlockAndHalfOfItTheNext() throws Exception {
        BlockSequence sequence = sequence(config());
        withReservation(prefetch(sequence));
        sequence.prefetch();
        assertThat(store.sizes).as("once").hasSize(1);
        assertThat(sequence.remaining()).isEqualTo(10);
        sequence.next(4);
        assertThat(background.waiting()).isZero();

        assertThat(sequence.next()).isEqualTo(5);
        background.runNext();
        assertThat(sequence.next(15)).hasSize(15);
        assertThat(sequence.stats().waitCount()).isZero();
    }

    @Test
    void aPrefetchThatFailsLeavesTheReasonInTheStatsAndGoesOn() throws Exception {
        store.failure = new BlockStoreException("no connection");
        BlockSequence sequence = sequence(config());
        withReservation(prefetch(sequence));
        assertThat(sequence.stats().problem()).contains("no connection");
        sequence.prefetch();
        store.failure = null;
        background.runNext();
        assertThat(sequence.stats().problem()).isEmpty();
        assertThat(sequence.remaining()).isEqualTo(10);
    }

    @Test
    void aPrefetchFailsForWhatOnlySomebodyCanChange() {
        store.failure = new NonTransientBlockStoreException("the tables are missing");
        BlockSequence sequence = sequence(config());
        assertThatThrownBy(() -> withReservation(prefetch(sequence)))
                .isExactlyInstanceOf(SnowcastException.class)
                .hasCause(store.failure);
        sequence.close();
        assertThatThrownBy(sequence::prefetch).isExactlyInstanceOf(SnowcastStateException.class);
    }

    @Test
    void aPrefetchWaitsNoLongerThanACall() throws Exception {
        BlockSequence sequence = sequence(config());
        Waiting<String> call = start(prefetch(sequence));
        clock.awaitParked(1);
        clock.advanceMillis(MAX_WAIT.toMillis());
        assertThat(call.get()).isEqualTo("done");
        assertThat(sequence.remaining()).isZero();
    }

    // --- waiting

    @Test
    void manyWaitingCallsShareOneReservation() throws Exception {
        BlockSequence sequence = sequence(config());
        List<Waiting<Long>> calls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            calls.add(start(sequence::next));
        }
        clock.awaitParked(5);
        assertThat(background.waiting()).isEqualTo(1);
        background.runNext();

        List<Long> integers = new ArrayList<>();
        for (Waiting<Long> call : calls) {
            integers.add(call.get());
        }
        assertThat(integers).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
        assertThat(store.sizes).hasSize(1);
    }

    @Test
    void aCallThatWaitsInVainSaysSinceWhenAndWhyReservationsFail() throws Exception {
        store.failure = new BlockStoreException("no connection");
        BlockSequence sequence = sequence(config());
        Waiting<Long> call = start(sequence::next);
        background.runNext();
        clock.awaitParked(1);
        clock.advanceMillis(5_000);
        background.runNext();
        clock.awaitParked(1);
        clock.advanceMillis(5_000);

        assertThatThrownBy(call::get)
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessageContaining("since 2023-11-14T22:13:20Z")
                .hasMessageContaining("no connection")
                .hasCause(store.failure);
    }

    @Test
    void failuresAreTriedAgainWithGrowingDelaysWhileTheBlockLasts() throws Exception {
        BlockSequence sequence = afterTaking(5);
        store.failure = new BlockStoreException("no connection");
        assertThat(background.runNext()).isZero();
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            assertThat(background.waiting()).isEqualTo(1);
            delays.add(background.runNext());
        }
        assertThat(delays.get(0)).isBetween(Duration.ofMillis(5), Duration.ofMillis(10));
        assertThat(delays.get(3)).isBetween(Duration.ofMillis(40), Duration.ofMillis(80));
        assertThat(delays.get(11)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
        assertThat(sequence.stats().problem()).contains("no connection", "2023-11-14T22:13:21Z");
        assertThat(sequence.next(5)).containsExactly(6, 7, 8, 9, 10);

        store.failure = null;
        background.runNext();
        assertThat(sequence.next()).isEqualTo(11);
        assertThat(sequence.stats().problem()).isEmpty();
        assertThat(sequence.stats().failureCount()).isEqualTo(13);
    }

    static Stream<Runnable> failures() {
        return Stream.of(
                () -> {
                    throw new IllegalStateException("broken");
                },
                () -> {
                    throw new NoClassDefFoundError("org/example/Driver");
                });
    }

    /** After a failure of any kind, later reservations must still happen. */
    @ParameterizedTest
    @MethodSource("failures")
    void anErrorOfTheStoreIsAFailureToo(Runnable failure) throws Exception {
        store.onReserve = failure;
        BlockSequence sequence = sequence(config().maxWait(Duration.ZERO));
        assertThatThrownBy(sequence::next).hasMessageContaining("not answered");
        background.runNext();
        Throwable cause = catchThrowable(failure::run);
        assertThatThrownBy(sequence::next).rootCause().hasSameClassAs(cause);

        store.onReserve = () -> {};
        background.runNext();
        assertThat(sequence.next()).isEqualTo(1);
    }

    /** If memory was too short for the reservation, it may also be too short for recording the failure. */
    @Test
    void aFailureThatCannotEvenBeNotedDoesNotEndTheReservations() throws Exception {
        OutOfMemoryError noHeap = new OutOfMemoryError("Java heap space");
        store.onReserve = () -> {
            throw new LinkageError() {
                @Override
                public String getMessage() {
                    throw noHeap;
                }
            };
        };
        BlockSequence sequence = sequence(config().maxWait(Duration.ZERO));
        assertThatThrownBy(sequence::next).hasMessageContaining("not answered");
        assertThatThrownBy(background::runNext).isSameAs(noHeap);

        store.onReserve = () -> {};
        assertThatThrownBy(sequence::next).hasMessageContaining("not answered");
        assertThat(background.waiting()).isEqualTo(1);
        background.runNext();
        assertThat(sequence.next()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBackgroundThatRefusesTwiceIsAFailureAndTheNextCallTriesAgain(boolean isFull) throws Exception {
        RejectedExecutionException refusal = new RejectedExecutionException("full");
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        List<Runnable> accepted = new ArrayList<>();
        BlockSequence sequence =
                new BlockSequence(config().maxWait(Duration.ZERO).build(), store, clock, (task, delay) -> {
                    accepted.add(task);
                    if (accepted.size() <= 2) {
                        if (isFull) {
                            throw refusal;
                        }
                        throw noThread;
                    }
                    task.run();
                });
        assertThatThrownBy(sequence::next).hasRootCause(isFull ? refusal : noThread);
        assertThat(sequence.next()).isEqualTo(1);
    }

    /** Other calls may already wait for the reservation, and start none. */
    @Test
    void aReservationThatGotNoThreadIsTriedAgainAfterADelay() throws Exception {
        BlockSequence sequence = new BlockSequence(config().build(), store, clock, (task, delay) -> {
            if (delay.isZero()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            background.run(task, delay);
        });
        assertThat(sequence.tryNext()).isEmpty();
        assertThat(background.runNext()).isPositive();
        assertThat(sequence.tryNext()).hasValue(1);
    }

    @Test
    void anInterruptedCallEndsAndNothingIsLost() throws Exception {
        BlockSequence sequence = sequence(config());
        Waiting<Long> call = start(sequence::next);
        clock.awaitParked(1);
        call.thread().interrupt();
        assertThatThrownBy(call::get).isInstanceOf(InterruptedException.class);

        background.runNext();
        assertThat(sequence.next()).isEqualTo(1);
    }

    @Test
    void aCallThatNeedNotWaitDoesNotLookAtTheInterruptFlag() throws Exception {
        BlockSequence sequence = afterTaking(1);
        Thread.currentThread().interrupt();
        assertThat(sequence.next()).isEqualTo(2);
        assertThat(Thread.interrupted()).isTrue();
    }

    // --- the range

    @Test
    void handsOutTheLastValueAndThenSaysThatItIsUsedUp() throws Exception {
        BlockSequence sequence = sequence(config().lastValue(13));
        withReservation(() -> sequence.next(9));
        background.runNext();
        assertThat(sequence.next(4)).containsExactly(10, 11, 12, 13);
        assertThat(sequence.stats().isExhausted()).isFalse();
        background.runNext();
        assertThat(sequence.stats().isExhausted()).isTrue();
        assertThatThrownBy(sequence::next)
                .isInstanceOf(IntegerSequenceExhaustedException.class)
                .hasMessageContaining("numbers")
                .hasMessageContaining("13");
        assertThat(background.waiting())
                .as("the store is not asked for each call")
                .isZero();
        assertThat(store.givenBack).containsExactly(Block.of(21, 30));

        clock.advanceMillis(1_000);
        assertThatThrownBy(() -> withReservation(sequence::next)).isInstanceOf(IntegerSequenceExhaustedException.class);
    }

    @Test
    void aLowerBlockMayFollowTheOneWithTheLastValue() throws Exception {
        Deque<Block> blocks = new ArrayDeque<>(List.of(Block.of(91, 100), Block.of(1, 10)));
        BlockSequence sequence = sequence(config().lastValue(100), (name, size) -> blocks.remove());

        assertThat(withReservation(() -> sequence.next(10))).startsWith(91).endsWith(100);
        assertThat(withReservation(() -> sequence.next(10))).startsWith(1).endsWith(10);
    }

    @Test
    void aStoreThatIsUsedUpIsAskedAgainAfterASecond() throws Exception {
        store.failure = new BlockStoreExhaustedException("the last integer is 7");
        BlockSequence sequence = sequence(config());
        assertThatThrownBy(() -> withReservation(sequence::next))
                .isInstanceOf(IntegerSequenceExhaustedException.class)
                .hasMessageContaining("the last integer is 7")
                .hasCause(store.failure);
        assertThatThrownBy(sequence::next).isInstanceOf(IntegerSequenceExhaustedException.class);
        assertThat(background.waiting()).as("neither now nor by itself").isZero();

        clock.advanceMillis(1_000);
        store.failure = null;
        assertThat((long) withReservation(sequence::next)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {BlockStoreExhaustedException.class, NonTransientBlockStoreException.class})
    void aPermanentFailureInTheBackgroundDoesNotTakeWhatIsLeft(Class<? extends RuntimeException> kind)
            throws Exception {
        BlockSequence sequence = afterTaking(5);
        store.failure = kind.getConstructor(String.class).newInstance("no more");
        background.runNext();
        assertThat(sequence.next(5)).containsExactly(6, 7, 8, 9, 10);
        assertThatThrownBy(sequence::next).hasCause(store.failure);
        assertThat(background.waiting()).isZero();
    }

    @Test
    void aStoreBelowTheFirstValueGetsItsBlockBackAndIsAskedNoMoreThanOnceASecond() throws Exception {
        BlockSequence sequence = sequence(config().firstValue(100));
        assertThatThrownBy(() -> withReservation(sequence::next))
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessage("integer sequence numbers gets no block: sequence numbers: the store must begin at 100 or"
                        + " above, and gave Block[first=1, count=10, step=1]")
                .hasCauseInstanceOf(NonTransientBlockStoreException.class);
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(sequence::tryNext).isExactlyInstanceOf(SnowcastException.class);
        }
        assertThat(background.waiting()).as("neither now nor by itself").isZero();
        assertThat(store.givenBack).containsExactly(Block.of(1, 10));
        assertThat(store.sizes).hasSize(1);

        clock.advanceMillis(1_000);
        assertThatThrownBy(() -> withReservation(sequence::next)).isExactlyInstanceOf(SnowcastException.class);
        assertThat(store.givenBack).containsExactly(Block.of(1, 10), Block.of(1, 10));
        assertThat(store.reserve("numbers", 1)).as("nothing was burnt").isEqualTo(Block.of(1, 1));
    }

    /** The test does not advance the time, so a call that waited would never return. */
    @Test
    void aCallDoesNotWaitForWhatOnlySomebodyCanChangeAndSaysItOnce() throws Exception {
        store.failure = new NonTransientBlockStoreException("sequence numbers is not defined: run define numbers");
        BlockSequence sequence = sequence(config());
        assertThatThrownBy(() -> withReservation(sequence::next))
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessage(
                        "integer sequence numbers gets no block: sequence numbers is not defined: run define numbers")
                .hasCause(store.failure);
        assertThatThrownBy(sequence::next).hasCause(store.failure);
        assertThatThrownBy(sequence::tryNext).hasCause(store.failure);
        assertThat(background.waiting()).as("neither now nor by itself").isZero();
        assertThat(sequence.stats().problem()).contains("run define numbers", "2023-11-14T22:13:20Z");

        clock.advanceMillis(1_000);
        store.failure = null;
        assertThat((long) withReservation(sequence::next)).isEqualTo(1);
        assertThat(sequence.stats().problem()).isEmpty();
    }

    /** The test does not advance the time, so a call that waited for a better store would never return. */
    @ParameterizedTest
    @ValueSource(
            classes = {IllegalArgumentException.class, NullPointerException.class, UnsupportedOperationException.class})
    void aCallDoesNotWaitForAStoreThatWasWrittenWrong(Class<? extends RuntimeException> kind) throws Exception {
        store.failure = kind.getConstructor(String.class).newInstance("the name is too long");
        BlockSequence sequence = sequence(config());
        assertThatThrownBy(() -> withReservation(sequence::next))
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessage("integer sequence numbers gets no block: the store failed: " + store.failure)
                .hasCause(store.failure);
        assertThat(background.waiting()).as("not by itself").isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // The store returns null, which its contract forbids.
    void aStoreThatReturnsNullIsNotWaitedFor() {
        BlockSequence sequence = sequence(config(), (name, size) -> null);
        assertThatThrownBy(() -> withReservation(sequence::next))
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessageStartingWith(
                        "integer sequence numbers gets no block: " + sequence.supply.store + " failed: ")
                .hasMessageEndingWith("no block for sequence numbers: reserve() must not return null");
    }

    @Test
    void anIntegerAboveIntIsNamedAndWhatElseToCall() throws Exception {
        BlockSequence sequence =
                sequence(config().lastValue(Long.MAX_VALUE), new MemoryBlockStore(Integer.MAX_VALUE, Long.MAX_VALUE));
        assertThat((int) withReservation(sequence::nextInt)).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(sequence::nextInt)
                .isExactlyInstanceOf(ArithmeticException.class)
                .hasMessage("integer sequence numbers: 2147483648 is above 2147483647 and lost; call next(), or set"
                        + " lastValue to at most 2147483647");
        assertThat(sequence.next()).isEqualTo(Integer.MAX_VALUE + 2L);
    }

    @Test
    void theSizeFollowsTheRateAtTheMark() throws Exception {
        BlockSequence sequence = sequence(config().adaptiveBlockSize(10, 1_000, Duration.ofSeconds(100)));
        withReservation(() -> sequence.next(4));
        clock.advanceMillis(1_000);
        sequence.next(1);
        background.runNext();
        assertThat(store.sizes).containsExactly(10L, 20L);
    }

    // --- close

    @Test
    void closeTriesToGiveBackEachBlockAndNeverThrows() throws Exception {
        store.keepsNothing = true;
        BlockSequence sequence = afterTaking(6);
        background.runNext();
        List<String> logged = Logged.during(sequence::close);

        assertThat(store.givenBack).containsExactly(Block.of(11, 20), Block.of(7, 10));
        assertThat(sequence.isClosed()).isTrue();
        assertThat(logged)
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).contains("numbers", "could not give back", "no connection"));
    }

    @Test
    void aStoreThatFailsToTakeWhatLiesBehindTheLastValueIsUsedUpAllTheSame() {
        store.keepsNothing = true;
        store.reserve("numbers", 99);
        BlockSequence sequence = sequence(config().lastValue(99));
        assertThatThrownBy(() -> withReservation(sequence::next)).isInstanceOf(IntegerSequenceExhaustedException.class);
        assertThat(background.waiting()).as("no second try").isZero();
    }

    @Test
    void callsThatWaitEndWithTheSequence() throws Exception {
        BlockSequence sequence = sequence(config());
        Waiting<Long> call = start(sequence::next);
        clock.awaitParked(1);
        sequence.close();
        assertThatThrownBy(call::get).isInstanceOf(SnowcastStateException.class);
        background.runNext();
        assertThat(store.sizes).as("a reservation that had not begun").isEmpty();
    }

    @Test
    void aBlockThatArrivesAfterTheCloseIsGivenBack() throws Exception {
        BlockSequence sequence = sequence(config());
        store.onReserve = sequence::close;
        Waiting<Long> call = start(sequence::next);
        background.runNext();
        assertThatThrownBy(call::get).isInstanceOf(SnowcastStateException.class);
        assertThat(store.givenBack).containsExactly(Block.of(1, 10));
    }

    // --- stats

    @Test
    void statsCount() throws Exception {
        BlockSequence sequence = sequence(config());
        assertThat(sequence.stats())
                .isEqualTo(new IntegerSequence.Stats(
                        0, 0, IntegerSequence.Stats.ENDLESS, 10, 0, 0, 0, Duration.ZERO, "", false));

        Waiting<long[]> call = start(() -> sequence.next(4));
        clock.awaitParked(1);
        clock.advanceMillis(20);
        background.runNext();
        call.get();
        clock.advanceMillis(1_000);
        sequence.next(2);
        background.runNext();

        IntegerSequence.Stats stats = sequence.stats();
        assertThat(stats.issuedCount()).isEqualTo(6);
        assertThat(stats.remaining()).isEqualTo(14).isEqualTo(sequence.remaining());
        assertThat(stats.reservationCount()).isEqualTo(2);
        assertThat(stats.waitCount()).isEqualTo(1);
        assertThat(stats.waitTime()).isEqualTo(Duration.ofMillis(20));
        // 14 integers remain, and 6 were used within a second.
        assertThat(stats.timeToEmpty()).isBetween(Duration.ofMillis(2_330), Duration.ofMillis(2_340));
        assertThat(sequence.toString()).contains("numbers", "14", "the store");

        sequence.next(10);
        assertThat(sequence.stats().issuedCount()).isEqualTo(16);
    }
}
