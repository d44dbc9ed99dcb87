// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import static com.noctarius.snowcast.internal.base.Waiting.get;
import static com.noctarius.snowcast.internal.leases.FakeCluster.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.AsyncCalls;
import com.noctarius.snowcast.internal.base.Gate;
import com.noctarius.snowcast.internal.base.ManualClock;
import com.noctarius.snowcast.internal.base.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SequencerAsyncTest {
    private static final int PER_MILLISECOND = 4;

    private final ManualClock clock = ManualClock.blocking(START);
    private final FakeMember member = new FakeCluster(clock).join(clock);
    private final Sequencer sequencer = member.create("orders0");

    private CompletableFuture<Long> ask() {
        return sequencer.nextAsync().toCompletableFuture();
    }

    private List<CompletableFuture<Long>> ask(int count) {
        return IntStream.range(0, count).mapToObj(i -> ask()).collect(Collectors.toCollection(ArrayList::new));
    }

    /** Uses up the present millisecond; returns its last ID. */
    private long useUpTheMillisecond() throws InterruptedException {
        return sequencer.next(PER_MILLISECOND)[PER_MILLISECOND - 1];
    }

    @Test
    void idThatCanBeHadAtOnceIsThereAtOnceAndTheNextOneIsGreater() throws Exception {
        long before = sequencer.next();
        CompletableFuture<Long> stage = ask();

        assertThat(stage).isCompleted();
        assertThat(get(stage)).isGreaterThan(before);
        assertThat(sequencer.next()).isGreaterThan(get(stage));
    }

    @Test
    void callsThatWaitForTheClockAreServedInTheirOrderByOneThreadThatWaits() throws Exception {
        long before = useUpTheMillisecond();
        List<CompletableFuture<Long>> stages = ask(3 * PER_MILLISECOND);

        for (int millis = 1; millis <= 3; millis++) {
            clock.awaitParked(1);
            int first = (millis - 1) * PER_MILLISECOND;
            assertThat(stages.subList(first, stages.size())).noneMatch(CompletableFuture::isDone);
            clock.advanceMillis(1);
            for (CompletableFuture<Long> stage : stages.subList(first, first + PER_MILLISECOND)) {
                assertThat(get(stage)).isGreaterThan(before);
                before = get(stage);
            }
        }
    }

    @Test
    void idThatACancelledCallWaitedForIsThatOfTheNextInLine() throws Exception {
        useUpTheMillisecond();
        List<CompletableFuture<Long>> stages = ask(PER_MILLISECOND + 3);
        clock.awaitParked(1);
        clock.advanceMillis(1);
        long before = get(stages.get(PER_MILLISECOND - 1));
        clock.awaitParked(1);
        stages.subList(PER_MILLISECOND, PER_MILLISECOND + 2).forEach(stage -> stage.cancel(false));
        clock.advanceMillis(1);

        long id = get(stages.get(PER_MILLISECOND + 2));
        assertThat(sequencer.timestampValue(id)).isEqualTo(sequencer.timestampValue(before) + 1);
        assertThat(sequencer.counterValue(id)).isZero();
        assertThat(sequencer.stats().issuedCount()).isEqualTo(2 * PER_MILLISECOND + 1);
    }

    @Test
    void callThatCameAfterAnIdWasTakenDoesNotGetIt() throws Exception {
        useUpTheMillisecond();
        CompletableFuture<Long> cancelled = ask();
        clock.awaitParked(1);
        cancelled.cancel(false);
        CompletableFuture<Long> later = ask();
        clock.advanceMillis(1);

        assertThat(sequencer.counterValue(get(later))).isEqualTo(1);
    }

    @Test
    void blockingDependentKeepsNoOtherCall() throws Exception {
        useUpTheMillisecond();
        Gate gate = new Gate();
        CompletableFuture<Long> first = ask();
        CompletableFuture<String> blocked = first.thenApply(id -> {
            gate.pass();
            return Thread.currentThread().getName();
        });
        List<CompletableFuture<Long>> others = ask(2);
        clock.awaitParked(1);
        clock.advanceMillis(1);

        // A thread that is in get() when the call ends may run the dependent itself.
        while (!first.isDone()) {
            Thread.onSpinWait();
        }
        for (CompletableFuture<Long> other : others) {
            assertThat(get(other)).isGreaterThan(get(first));
        }
        assertThat(blocked).isNotDone();
        gate.open();
        assertThat(blocked.get(3, TimeUnit.MINUTES)).isEqualTo("snowcast.async");
    }

    @Test
    void callsThatWaitGoOnWhenTheLeaseIsRenewed() throws Exception {
        clock.advanceMillis(FakeCluster.LEASE_MILLIS);
        CompletableFuture<Long> stage = ask();
        clock.awaitParked(1);
        assertThat(stage).isNotDone();

        member.runTasks();
        member.coordinator.answerRenewal();
        member.runTasks();
        assertThat(sequencer.timestampValue(get(stage))).isGreaterThanOrEqualTo(FakeCluster.LEASE_MILLIS);
    }

    @Test
    void callFailsAsOneThatBlocksWhenTheLeaseIsNotRenewed() throws Exception {
        clock.advanceMillis(FakeCluster.LEASE_MILLIS);
        CompletableFuture<Long> first = ask();
        Waiting<Long> blocking = Waiting.start(sequencer::next);
        clock.awaitParked(2);
        List<CompletableFuture<Long>> others = ask(3);
        clock.advanceMillis(10_000);

        Throwable expected = catchThrowable(blocking::get);
        assertThat(expected)
                .isInstanceOf(SnowcastStateException.class)
                .hasMessageContaining("(this clock shows 2023-11-14T22:14:30Z) and was not renewed");
        assertThatThrownBy(() -> get(first))
                .isExactlyInstanceOf(expected.getClass())
                .hasMessage(expected.getMessage());
        clock.awaitParked(1);
        assertThat(others).as("came in the middle of that wait").noneMatch(CompletableFuture::isDone);
        clock.advanceMillis(10_000);
        for (CompletableFuture<Long> other : others) {
            assertThatThrownBy(() -> get(other))
                    .isExactlyInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining("(this clock shows 2023-11-14T22:14:40Z) and was not renewed");
        }
    }

    /**
     * Very many calls may wait on a saturated sequencer. A single wrong read of the clock must not fail any of them.
     */
    @ParameterizedTest
    @ValueSource(longs = {4_294_967_296L, 1L << 45, -4_294_967_296L})
    void oneWrongReadOfTheClockFailsNoneOfTheCallsThatWait(long by) throws Exception {
        for (int readsBefore = 0; readsBefore < 8; readsBefore++) {
            ManualClock own = ManualClock.autoAdvancing(START);
            Sequencer saturated = new FakeCluster(own).join(own).create("orders0");
            saturated.next(PER_MILLISECOND);
            own.advanceMillis(1_000);
            own.lieOnce(readsBefore, by);
            List<CompletableFuture<Long>> stages = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                stages.add(saturated.nextAsync().toCompletableFuture());
            }
            for (CompletableFuture<Long> stage : stages) {
                assertThat(saturated.timestampValue(get(stage))).isLessThan(2_500);
            }
            assertThat(TimeUnit.NANOSECONDS.toMillis(own.nanos())).isLessThan(1_500);
        }
    }

    @Test
    void failureThatComesAtOnceIsThatOfOneCall() throws Exception {
        CountDownLatch isAsked = new CountDownLatch(1);
        List<String> failures = new ArrayList<>(List.of("once"));
        AsyncCalls calls = new AsyncCalls(
                OptionalLong::empty,
                () -> {
                    isAsked.await();
                    if (!failures.isEmpty()) {
                        throw new IllegalStateException(failures.remove(0));
                    }
                    return OptionalLong.of(7);
                },
                clock,
                Duration.ofSeconds(10));
        List<CompletableFuture<Long>> stages = List.of(calls.next(), calls.next());
        isAsked.countDown();

        assertThatThrownBy(() -> get(stages.get(0))).hasMessage("once");
        assertThat(get(stages.get(1))).isEqualTo(7);
    }

    @Test
    void reattachmentServesAllThatWait() throws Exception {
        member.refuseRenewal(sequencer);
        List<CompletableFuture<Long>> stages = ask(PER_MILLISECOND);
        clock.awaitParked(1);
        member.runTasks();

        int node = member.coordinator.grantOf("orders0").logicalNodeId();
        for (CompletableFuture<Long> stage : stages) {
            assertThat(sequencer.logicalNodeId(get(stage))).isEqualTo(node);
        }
    }

    /** A call waits for the renewal of its lease, or has lost the lease and waits for another one. */
    @ParameterizedTest
    @CsvSource({
        "detach,  false, 'it is Detached, it was detached'",
        "detach,  true,  'it is Detached, it was detached'",
        "destroy, false, 'it is Destroyed, it was destroyed'",
        "destroy, true,  'it is Destroyed, it was destroyed'",
        "close,   false, 'it is Detached, the power is out'",
        "close,   true,  'it is Detached, the power is out'"
    })
    void theEndOfTheSequencerEndsTheWaits(String end, boolean isLeaseLost, String reason) throws Exception {
        if (isLeaseLost) {
            member.refuseRenewal(sequencer);
        } else {
            clock.advanceMillis(FakeCluster.LEASE_MILLIS);
        }
        List<CompletableFuture<Long>> stages = ask(3);
        clock.awaitParked(1);
        switch (end) {
            case "detach" -> sequencer.detachLogicalNode();
            case "destroy" -> member.sequencers.destroy("sequencer", sequencer);
            default -> member.sequencers.close("the power is out");
        }

        stages.add(ask());
        for (CompletableFuture<Long> stage : stages) {
            assertThatThrownBy(() -> get(stage))
                    .isInstanceOf(SnowcastStateException.class)
                    .hasMessageContaining(reason);
        }
    }

    @Test
    void waitsOfAsyncCallsAreCounted() throws Exception {
        useUpTheMillisecond();
        CompletableFuture<Long> stage = ask();
        clock.awaitParked(1);
        clock.advanceMillis(1);
        get(stage);

        assertThat(sequencer.stats().waitCount()).isEqualTo(1);
        assertThat(sequencer.stats().waitTime().toMillis()).isEqualTo(1);
    }
}
