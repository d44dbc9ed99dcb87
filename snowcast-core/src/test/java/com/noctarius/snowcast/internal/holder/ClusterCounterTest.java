// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.IntegerSequenceAlreadyRegisteredException;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.IntegerSequenceExhaustedException;
import com.noctarius.snowcast.Ordering;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.owner.GiveBackRequest;
import com.noctarius.snowcast.internal.owner.PoolDefinition;
import com.noctarius.snowcast.internal.owner.Reservation;
import com.noctarius.snowcast.internal.owner.ReserveRequest;
import com.noctarius.snowcast.store.Block;
import com.noctarius.snowcast.store.BlockStoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls in the order of the cluster, with answers that a test gives by hand. */
class ClusterCounterTest {
    private final LocalPools pools = new LocalPools();
    private final Cluster cluster = new Cluster();
    private final HandDriven background = new HandDriven();
    private final ClusterCounter here = sequence(config().build(), cluster);

    /** Another process, whose requests are answered at once. */
    private final ClusterBlockStore elsewhere = opened(config().build(), pools);

    private static IntegerSequenceConfig.Builder config() {
        return config("numbers");
    }

    private static IntegerSequenceConfig.Builder config(String name) {
        return IntegerSequenceConfig.builder(name).ordering(Ordering.CLUSTER).maxWait(Duration.ofMinutes(3));
    }

    private ClusterBlockStore opened(IntegerSequenceConfig config, PoolCoordinator coordinator) {
        ClusterBlockStore store = new ClusterBlockStore(config.name(), PoolDefinition.of(config, () -> 1), coordinator);
        store.open(null);
        return store;
    }

    private ClusterCounter sequence(IntegerSequenceConfig config, PoolCoordinator coordinator) {
        return new ClusterCounter(config, opened(config, coordinator), SystemClock.INSTANCE, background);
    }

    /** Keeps requests that do not wait until they are answered; loses the answers to others on demand. */
    private final class Cluster implements PoolCoordinator {
        final Deque<Pending> underWay = new ArrayDeque<>();
        final List<Long> sizes = new ArrayList<>();
        final List<GiveBackRequest> givenBack = new ArrayList<>();
        boolean losesAnswers;
        Runnable whileSending = () -> {};

        @Override
        public @Nullable Reservation reserve(ReserveRequest request) {
            sizes.add(request.size());
            Reservation reservation = pools.reserve(request);
            if (losesAnswers) {
                throw new BlockStoreException("the answer was lost");
            }
            return reservation;
        }

        @Override
        public CompletableFuture<Reservation> reserveAsync(ReserveRequest request) {
            sizes.add(request.size());
            whileSending.run();
            Pending pending = new Pending(() -> pools.reserve(request));
            underWay.add(pending);
            return pending.answer;
        }

        @Override
        public long giveBack(GiveBackRequest request) {
            givenBack.add(request);
            return pools.giveBack(request);
        }

        @Override
        public void destroyIntegers(String name, long incarnation) {
            pools.destroyIntegers(name, incarnation);
        }

        /** The owner has decided, and the answer is on its way. */
        void decide() {
            underWay.element().atOwner.run();
        }

        void answer() {
            Pending pending = underWay.remove();
            pending.atOwner.run(); // if it was not run before
            try {
                pending.answer.complete(pending.atOwner.get());
            } catch (InterruptedException | ExecutionException e) {
                pending.answer.completeExceptionally(e);
            }
        }
    }

    /** A request that does not wait. */
    private static final class Pending {
        final FutureTask<@Nullable Reservation> atOwner;
        final CompletableFuture<@Nullable Reservation> answer = new CompletableFuture<>();

        Pending(Callable<@Nullable Reservation> atOwner) {
            this.atOwner = new FutureTask<>(atOwner);
        }
    }

    /**
     * The answer was on its way when the process came to another cluster, which may have handed out the same integers.
     */
    @Test
    void whatAFormerClusterAnswersIsNotUsed() {
        ClusterBlockStore store = opened(config().build(), cluster);
        CompletableFuture<Block> block = store.reserveAsync(1);
        cluster.decide();
        store.clusterChanged();
        cluster.answer();
        assertThat(block)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isExactlyInstanceOf(BlockStoreException.class)
                .withMessageContaining("is in another cluster");
    }

    /** The cluster is another one, which has the name, too; nothing has said so yet. */
    @Test
    void whatAnotherIncarnationAnswersIsNotUsed() {
        ClusterBlockStore store = opened(config().build(), cluster);
        CompletableFuture<Block> block = store.reserveAsync(1);
        cluster.underWay.remove().answer.complete(new Reservation(store.incarnation() + 1, Block.of(1, 1), 1));
        assertThat(block)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isExactlyInstanceOf(BlockStoreException.class)
                .withMessageContaining("has another incarnation");
    }

    private long drawElsewhere() {
        return elsewhere.reserve("numbers", 1).first();
    }

    private static CompletableFuture<Long> call(ClusterCounter sequence) {
        return sequence.nextAsync().toCompletableFuture();
    }

    /** Stages are completed by tasks of the background. */
    private long get(CompletableFuture<Long> stage) throws Exception {
        background.runAll();
        try {
            return stage.get(3, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Test
    void aCallThatComesWhileARequestIsUnderWayWaitsForTheNextOne() throws Exception {
        CompletableFuture<Long> first = call(here);
        cluster.decide();
        assertThat(drawElsewhere()).isEqualTo(2);
        CompletableFuture<Long> another = call(here);
        cluster.answer();
        assertThat(get(first)).isEqualTo(1);
        assertThat(get(another)).isEqualTo(3);
        assertThat(cluster.sizes).containsExactly(0L, 1L, 1L);
    }

    @Test
    void callsThatWaitShareARequestAndNothingIsLeftOver() throws Exception {
        CompletableFuture<Long> first = call(here);
        List<CompletableFuture<Long>> others = List.of(call(here), call(here), call(here));
        assertThat(drawElsewhere()).isEqualTo(1);
        cluster.answer();
        assertThat(drawElsewhere()).isEqualTo(3);

        assertThat(get(first)).isEqualTo(2);
        for (int i = 0; i < 3; i++) {
            assertThat(get(others.get(i))).isEqualTo(4 + i);
        }
        assertThat(cluster.sizes).containsExactly(0L, 1L, 3L);
        assertThat(here.remaining()).isZero();
        assertThat(here.stats().issuedCount()).isEqualTo(4);
        assertThat(here.stats().blockSize()).isEqualTo(1);
        assertThat(drawElsewhere()).isEqualTo(7);
    }

    @Test
    void aBatchIsOneRequest() throws Exception {
        long[] integers = {-1, -1, -1, -1, -1};
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> {
            try {
                here.next(integers, 1, 4);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        awaitRequest();
        cluster.answer();
        call.get(3, TimeUnit.MINUTES);
        assertThat(integers).containsExactly(-1, 1, 2, 3, -1);
        assertThat(cluster.sizes).containsExactly(0L, 3L);
        assertThat(here.stats().waitCount()).isEqualTo(1);
    }

    private void awaitRequest() {
        while (cluster.underWay.isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatACancelledCallWouldHaveGotIsAGap() throws Exception {
        List<CompletableFuture<Long>> underWay = List.of(call(here), call(here), call(here));
        underWay.get(1).cancel(false); // waits for the next request: it is not asked for
        cluster.answer();
        assertThat(get(underWay.get(2))).isEqualTo(2);

        CompletableFuture<Long> cancelled = call(here);
        CompletableFuture<Long> later = call(here);
        cancelled.cancel(false); // its request is under way
        cluster.answer();
        assertThat(drawElsewhere()).isEqualTo(4);
        assertThat(get(later)).as("not 3, which was handed out before that").isEqualTo(5);
        assertThat(cluster.givenBack).isEmpty();
    }

    /** Asked again with the same number, it would bring the integers of its first answer. */
    @Test
    void aRequestWhoseAnswerIsLostIsNoAnswerToLaterCalls() throws Exception {
        CompletableFuture<Long> first = call(here);
        CompletableFuture<Long> lost = call(here);
        cluster.losesAnswers = true;
        cluster.answer();
        background.runNext(); // completes the first
        background.runNext(); // asks for the other, in vain
        assertThat(first).isCompletedWithValue(1L);
        lost.cancel(false);
        cluster.losesAnswers = false;
        assertThat(drawElsewhere()).as("the pool has handed out 2").isEqualTo(3);
        assertThat(get(call(here))).isEqualTo(4);
    }

    @Test
    void anAnswerThatComesAfterTheClusterChangedIsNotUsed() throws Exception {
        CompletableFuture<Long> call = call(here);
        here.discard();
        cluster.answer();
        assertThat(get(call)).isEqualTo(2);
    }

    @Test
    void closeEndsTheCallsAndGivesNothingBack() throws Exception {
        CompletableFuture<Long> asked = call(here);
        CompletableFuture<Long> waiting = call(here);
        here.close();
        cluster.answer();
        for (CompletableFuture<Long> call : List.of(asked, waiting, call(here))) {
            assertThatThrownBy(() -> get(call))
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("it was closed");
        }
        assertThatThrownBy(here::next).isInstanceOf(SnowcastStateException.class);
        assertThat(cluster.givenBack).isEmpty();
        assertThat(drawElsewhere()).isEqualTo(2);
    }

    @Test
    void theLastIntegersComeAndThenCallsFail() throws Exception {
        IntegerSequenceConfig config = IntegerSequenceConfig.builder("few")
                .ordering(Ordering.CLUSTER)
                .lastValue(2)
                .build();
        ClusterCounter few = sequence(config, pools);
        List<CompletableFuture<Long>> calls = List.of(call(few), call(few), call(few));
        assertThat(get(calls.get(0))).isEqualTo(1);
        assertThat(get(calls.get(1))).isEqualTo(2);
        assertThatThrownBy(() -> get(calls.get(2))).isInstanceOf(IntegerSequenceExhaustedException.class);
        assertThatThrownBy(() -> get(call(few))).isInstanceOf(IntegerSequenceExhaustedException.class);
    }

    @Test
    void aCallEndsWhenItsTimeIsUpAndTheNextOneIsServed() throws Exception {
        ClusterCounter hasty = sequence(config().maxWait(Duration.ofMillis(1)).build(), cluster);
        assertThatThrownBy(hasty::next)
                .isExactlyInstanceOf(SnowcastException.class)
                .hasMessageContaining("got no block within PT0.001S");
        CompletableFuture<Long> async = call(hasty);
        assertThatThrownBy(() -> {
                    while (!async.isDone()) {
                        background.runNext();
                    }
                    get(async);
                })
                .isExactlyInstanceOf(SnowcastException.class);
        assertThat(cluster.sizes).as("one request under way").hasSize(3);
        cluster.answer();
        assertThat(background.waiting()).as("nobody waits").isZero();

        CompletableFuture<Long> next = call(here);
        cluster.answer();
        assertThat(get(next)).isEqualTo(2);
    }

    @Test
    void anInterruptedCallLeavesTheLine() throws Exception {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        CountDownLatch ended = new CountDownLatch(1);
        Thread caller = new Thread(() -> {
            try {
                here.next();
            } catch (InterruptedException e) {
                thrown.set(e);
            }
            ended.countDown();
        });
        caller.start();
        awaitRequest();
        caller.interrupt();
        assertThat(ended.await(3, TimeUnit.MINUTES)).isTrue();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        cluster.answer();
        CompletableFuture<Long> next = call(here);
        cluster.answer();
        assertThat(get(next)).isEqualTo(2);
    }

    @Test
    void nothingIsGivenWithoutARequest() throws Exception {
        here.prefetch();
        assertThat(cluster.sizes).containsExactly(0L);
        assertThatThrownBy(here::tryNext)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("integer sequence numbers")
                .hasMessageContaining("call nextAsync()");
        assertThat(cluster.sizes).containsExactly(0L);
    }

    /** One that holds blocks would hand out lower integers later. */
    @Test
    void allInstancesHaveTheSameOrdering() {
        IntegerSequenceConfig other = IntegerSequenceConfig.builder("numbers")
                .ordering(Ordering.STRICT)
                .build();
        assertThatThrownBy(() -> opened(other, pools))
                .isInstanceOf(IntegerSequenceAlreadyRegisteredException.class)
                .hasMessageContaining("ordering CLUSTER, not ordering STRICT");
    }

    @Test
    void anAnswerThatIsTooShortServesTheFirstCallsAndTheOthersAskAgain() throws Exception {
        IntegerSequenceConfig config = config("few").lastValue(5).build();
        ClusterCounter few = sequence(config, cluster);
        CompletableFuture<Long> underWay = call(few);
        long[] two = {-1, -1};
        long[] three = {-1, -1, -1};
        FutureTask<@Nullable Throwable> first = startAndAwaitWaiting(() -> few.next(two, 0, 2));
        FutureTask<@Nullable Throwable> second = startAndAwaitWaiting(() -> few.next(three, 0, 3));
        CompletableFuture<Long> last = call(few);
        cluster.answer();

        assertThat(get(underWay)).isEqualTo(1);
        assertThat(first.get(3, TimeUnit.MINUTES)).isNull();
        assertThat(two).containsExactly(2, 3);
        assertThat(second.get(3, TimeUnit.MINUTES)).isInstanceOf(IntegerSequenceExhaustedException.class);
        assertThat(three).containsExactly(4, 5, -1);
        assertThatThrownBy(() -> get(last)).isInstanceOf(IntegerSequenceExhaustedException.class);
        assertThat(cluster.sizes).startsWith(0L, 0L, 1L, 6L);
    }

    /** Returns what the call throws, or null. */
    private static FutureTask<@Nullable Throwable> startAndAwaitWaiting(ThrowingCallable call) {
        FutureTask<@Nullable Throwable> task = new FutureTask<>(() -> catchThrowable(call));
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return task;
    }

    // --- errors

    /** So a thread of Hazelcast completes it, which a dependent that blocks would hold up; but it ends. */
    @Test
    void aStageEndsAlsoWhereTheProcessCanHaveNoMoreThreads() {
        ClusterCounter withoutThreads = new ClusterCounter(
                config().build(), opened(config().build(), cluster), SystemClock.INSTANCE, (task, delay) -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
        CompletableFuture<Long> stage = call(withoutThreads);
        cluster.answer();
        assertThat(stage).isCompletedWithValue(1L);
    }

    @Test
    void aRequestThatCannotBeSentIsMadeAgain() throws Exception {
        cluster.whileSending = () -> {
            throw new OutOfMemoryError("Java heap space");
        };
        Throwable unused = catchThrowable(() -> call(here));
        cluster.whileSending = () -> {};
        background.runAll();
        CompletableFuture<Long> next = call(here);
        cluster.answer();
        assertThat(get(next)).isEqualTo(2);
    }

    @Test
    void aRequestThatCannotEvenBeTimedIsMadeAgain() throws Exception {
        FailingClock failing = new FailingClock(SystemClock.INSTANCE);
        ClusterCounter counter =
                new ClusterCounter(config().build(), opened(config().build(), cluster), failing, background);
        failing.failAt(1);
        Throwable unused = catchThrowable(() -> call(counter));
        background.runAll();
        CompletableFuture<Long> next = call(counter);
        cluster.answer();
        assertThat(get(next)).isEqualTo(2);
    }

    @Test
    void anAnswerThatCannotBeHandedOutIsAskedForAgainByOneRequest() throws Exception {
        FailingClock failing = new FailingClock(SystemClock.INSTANCE);
        ClusterCounter counter =
                new ClusterCounter(config().build(), opened(config().build(), cluster), failing, background);
        CompletableFuture<Long> first = call(counter);
        failing.failAt(1);
        cluster.answer();
        CompletableFuture<Long> next = call(counter);
        assertThat(cluster.underWay).as("the background has the request").isEmpty();
        assertThat(background.waiting()).isEqualTo(1);
        background.runAll();
        assertThat(first).isCompletedWithValue(2L);
        assertThat(next).isCompletedWithValue(3L);
    }

    /** If the end threw, the thread would repeat a request that has ended, while the next call makes its own. */
    @Test
    void aRequestHasNotEndedIfMemoryWasTooShortToLookForCallsThatWait() {
        AtomicBoolean requesting = new AtomicBoolean(true);
        boolean isAnotherNeeded = ClusterCounter.end(requesting, () -> {
            throw new StackOverflowError(); // One of memory that is thrown on ends JUnit.
        });
        assertThat(isAnotherNeeded).isTrue();
        assertThat(requesting).isTrue();
    }

    @Test
    void anotherThreadMakesTheNextRequestIfItWasFirst() {
        AtomicBoolean requesting = new AtomicBoolean(true);
        assertThat(ClusterCounter.end(requesting, () -> requesting.compareAndSet(false, true)))
                .isFalse();
        assertThat(requesting).isTrue();
    }
}
