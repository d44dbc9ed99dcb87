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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AsyncCallsTest {
    private final FailingClock clock = new FailingClock(ManualClock.blocking(1_000_000));
    private final AtomicLong values = new AtomicLong();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<CompletableFuture<Long>> others = new ArrayList<>();
    private boolean hasThreads = true;
    private Runnable onRefusal = () -> {};
    private final AsyncCalls calls = new AsyncCalls(
            OptionalLong::empty,
            () -> OptionalLong.of(values.incrementAndGet()),
            clock,
            Duration.ofSeconds(10),
            this::start);

    private void start(Runnable task) {
        if (!hasThreads) {
            onRefusal.run();
            throw new OutOfMemoryError("unable to create native thread");
        }
        threads.add(task);
    }

    @Test
    void theLineIsServedToItsEndAlsoWhereTheProcessCanHaveNoMoreThreads() {
        List<CompletableFuture<Long>> stages = new ArrayList<>(List.of(calls.next()));
        hasThreads = false;
        stages.addAll(List.of(calls.next(), calls.next()));

        threads.remove().run();

        assertThat(stages).extracting(stage -> stage.getNow(-1L)).containsExactly(1L, 2L, 3L);
        hasThreads = true;
        CompletableFuture<Long> unused = calls.next();
        assertThat(threads).as("the next call starts another thread").hasSize(1);
    }

    @Test
    void aCallThatGetsNoThreadFailsAndTakesNoValue() {
        hasThreads = false;
        assertThat(calls.next()).isCompletedExceptionally();
        hasThreads = true;
        CompletableFuture<Long> next = calls.next();

        threads.remove().run();

        assertThat(next).isCompletedWithValue(1L);
    }

    /** The second call is made while the first one starts the thread, which fails. */
    @Test
    void aCallThatLeavesTheStartOfTheThreadToAnotherFailsWithIt() {
        hasThreads = false;
        onRefusal = () -> others.add(calls.next());
        assertThat(calls.next()).isCompletedExceptionally();
        assertThat(others).hasSize(1).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** A thread takes a value for a call that gets no thread meanwhile, and leaves the queue. */
    @Test
    void aCallThatFailsWhileItIsServedTakesNoOthersPlace() {
        onRefusal = () -> {
            hasThreads = true;
            others.add(calls.next()); // Waits for the failing thread, and is served by none.
            threads.remove().run(); // A thread that was started before serves the failing call first.
            others.add(calls.next());
        };
        CompletableFuture<Long> served = calls.next();
        hasThreads = false;
        threads.remove().run();
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
        assertThat(served).isDone();
        assertThat(others).allMatch(CompletableFuture::isDone);
    }

    @Test
    void theLineIsServedAlsoAfterTheThreadThatServedItHasDied() {
        CompletableFuture<Long> stage = calls.next();
        clock.failAt(1);
        assertThatThrownBy(threads.remove()::run).isInstanceOf(OutOfMemoryError.class);

        assertThat(threads).hasSize(1);
        threads.remove().run();
        assertThat(stage).isCompletedWithValue(1L);
    }
}
