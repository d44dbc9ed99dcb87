// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.tests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Threads that start together. {@link #join} fails if a thread has thrown an exception, or does not end in time. */
final class Threads {
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    interface Body {
        void run(int index) throws Exception;
    }

    private Threads() {}

    static Threads start(int count, Body body) {
        Threads all = new Threads();
        CountDownLatch begin = new CountDownLatch(1);
        for (int i = 0; i < count; i++) {
            int index = i;
            Thread thread = new Thread(() -> all.run(begin, index, body), "test-" + index);
            thread.setDaemon(true);
            all.threads.add(thread);
            thread.start();
        }
        begin.countDown();
        return all;
    }

    static void run(int count, Body body) {
        start(count, body).join();
    }

    private void run(CountDownLatch begin, int index, Body body) {
        try {
            begin.await();
            body.run(index);
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    boolean hasFailed() {
        return !failures.isEmpty();
    }

    void join() {
        long deadline = System.nanoTime() + AT_MOST.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        List<Thread> alive = threads.stream().filter(Thread::isAlive).toList();
        if (!alive.isEmpty()) {
            failures.add(new AssertionError("did not end within " + AT_MOST + ": "
                    + alive.stream()
                            .map(thread -> thread
                                    + Arrays.stream(thread.getStackTrace())
                                            .map(frame -> "\n    " + frame)
                                            .collect(Collectors.joining()))
                            .collect(Collectors.joining("\n"))));
            alive.forEach(Thread::interrupt);
        }
        if (!failures.isEmpty()) {
            AssertionError error =
                    new AssertionError(failures.size() + " threads failed, one of them by " + failures.peek());
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }
}
