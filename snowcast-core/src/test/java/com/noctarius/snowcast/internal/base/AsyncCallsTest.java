// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AsyncCallsTest {
    private final ManualClock clock = ManualClock.blocking(1_000_000);

    @Test
    void theLineIsServedToItsEndAlsoWhereTheProcessCanHaveNoMoreThreads() throws Exception {
        List<Runnable> accepted = new ArrayList<>();
        AtomicLong values = new AtomicLong();
        AsyncCalls calls = new AsyncCalls(
                OptionalLong::empty,
                () -> OptionalLong.of(values.incrementAndGet()),
                clock,
                Duration.ofSeconds(10),
                task -> {
                    if (!accepted.isEmpty()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    accepted.add(task);
                });
        List<CompletableFuture<Long>> stages = List.of(calls.next(), calls.next(), calls.next());

        accepted.get(0).run();

        assertThat(stages).extracting(stage -> stage.getNow(-1L)).containsExactly(1L, 2L, 3L);
        accepted.clear();
        CompletableFuture<Long> unused = calls.next();
        assertThat(accepted).as("the next call starts another thread").hasSize(1);
    }

    @Test
    void aCallThatGetsNoThreadFailsAndTakesNoValue() {
        Deque<Runnable> accepted = new ArrayDeque<>();
        AtomicLong values = new AtomicLong();
        AtomicBoolean hasThreads = new AtomicBoolean();
        AsyncCalls calls = new AsyncCalls(
                OptionalLong::empty,
                () -> OptionalLong.of(values.incrementAndGet()),
                clock,
                Duration.ofSeconds(10),
                task -> {
                    if (!hasThreads.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    accepted.add(task);
                });
        assertThat(calls.next()).isCompletedExceptionally();
        hasThreads.set(true);
        CompletableFuture<Long> next = calls.next();

        accepted.remove().run();

        assertThat(next).isCompletedWithValue(1L);
    }

    /** The second call is made while the first one starts the thread, which fails. */
    @Test
    void aCallThatLeavesTheStartOfTheThreadToAnotherFailsWithIt() {
        List<CompletableFuture<Long>> second = new ArrayList<>();
        AtomicReference<AsyncCalls> self = new AtomicReference<>();
        AsyncCalls calls =
                new AsyncCalls(OptionalLong::empty, () -> OptionalLong.of(7), clock, Duration.ofSeconds(10), task -> {
                    second.add(self.get().next());
                    throw new OutOfMemoryError("unable to create native thread");
                });
        self.set(calls);
        assertThat(calls.next()).isCompletedExceptionally();
        assertThat(second).hasSize(1).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** A thread takes a value for a call that gets no thread meanwhile, and leaves the queue. */
    @Test
    void aCallThatFailsWhileItIsServedTakesNoOthersPlace() {
        AtomicLong values = new AtomicLong();
        Deque<Runnable> accepted = new ArrayDeque<>();
        List<CompletableFuture<Long>> others = new ArrayList<>();
        AtomicReference<AsyncCalls> self = new AtomicReference<>();
        AtomicBoolean hasThreads = new AtomicBoolean(true);
        AsyncCalls calls = new AsyncCalls(
                OptionalLong::empty,
                () -> OptionalLong.of(values.incrementAndGet()),
                clock,
                Duration.ofSeconds(10),
                task -> {
                    if (hasThreads.get()) {
                        accepted.add(task);
                        return;
                    }
                    hasThreads.set(true);
                    others.add(self.get().next()); // Waits for the failing thread, and is served by none.
                    accepted.remove().run(); // A thread that was started before serves the failing call first.
                    others.add(self.get().next());
                    throw new OutOfMemoryError("unable to create native thread");
                });
        self.set(calls);
        CompletableFuture<Long> served = calls.next();
        hasThreads.set(false);
        accepted.remove().run();
        while (!accepted.isEmpty()) {
            accepted.remove().run();
        }
        assertThat(served).isDone();
        assertThat(others).allMatch(CompletableFuture::isDone);
    }

    @Test
    void theLineIsServedAlsoAfterTheThreadThatServedItHasDied() {
        FailingClock failing = new FailingClock(clock);
        Deque<Runnable> accepted = new ArrayDeque<>();
        AsyncCalls calls = new AsyncCalls(
                OptionalLong::empty, () -> OptionalLong.of(7), failing, Duration.ofSeconds(10), accepted::add);
        CompletableFuture<Long> stage = calls.next();
        failing.failAt(1);

        assertThatThrownBy(accepted.remove()::run).isInstanceOf(OutOfMemoryError.class);

        assertThat(accepted).hasSize(1);
        accepted.remove().run();
        assertThat(stage).isCompletedWithValue(7L);
    }
}
