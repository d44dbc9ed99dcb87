// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadsTest {
    private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();
    /** A time-out that is longer than any test runs. */
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Thread caller = Thread.currentThread();
    private final ClassLoader loader = caller.getContextClassLoader();

    private record Seen(
            Thread thread, @Nullable String user, ClassLoader contextLoader, int priority, ThreadGroup group) {
        static Seen now() {
            Thread thread = Thread.currentThread();
            return new Seen(
                    thread, USER.get(), thread.getContextClassLoader(), thread.getPriority(), thread.getThreadGroup());
        }
    }

    @AfterEach
    void isNobody() {
        USER.remove();
        caller.setContextClassLoader(loader);
    }

    /**
     * Lets a user's thread, with its own thread local, class loader, priority and thread group, run a task on one of
     * snowcast's threads; returns what that task sees.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    private Seen seenBy(Executor threads) throws InterruptedException {
        CompletableFuture<Seen> seen = new CompletableFuture<>();
        Thread user = new Thread(new ThreadGroup("of alice"), () -> {
            USER.set("alice");
            Thread.currentThread().setContextClassLoader(new OwnLoader());
            Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
            threads.execute(() -> seen.complete(Seen.now()));
        });
        user.start();
        user.join();
        return seen.join();
    }

    @Test
    void poolsAndTimersTakeNothingOverFromWhoUsesThemFirst() throws Exception {
        ScheduledThreadPoolExecutor timer = Threads.timer("test.timer");
        for (Executor threads : List.of(Threads.named("test.pool"), Threads.single("test.single"), timer, (Executor)
                task -> Threads.newThread("test.thread", task).start())) {
            Seen seen = seenBy(threads);
            assertThat(seen.user()).isNull();
            assertThat(seen.contextLoader()).isSameAs(Threads.class.getClassLoader());
            assertThat(seen.priority()).isEqualTo(Thread.NORM_PRIORITY);
            assertThat(seen.group().getName()).isEqualTo("main");
            assertThat(seen.thread().isDaemon()).isTrue();
            assertThat(seen.thread().getName()).startsWith("test.");
        }
    }

    /** A class loader with its own copy of {@link Starter}, like the loader of a web application. */
    private static final class OwnLoader extends ClassLoader {
        OwnLoader() {
            super(ThreadsTest.class.getClassLoader());
        }

        @SuppressWarnings("unchecked")
        UnaryOperator<Object> starter() throws ReflectiveOperationException, IOException {
            String resource = Starter.class.getName().replace('.', '/') + ".class";
            try (InputStream in =
                    Objects.requireNonNull(Objects.requireNonNull(getParent()).getResourceAsStream(resource))) {
                byte[] bytes = in.readAllBytes();
                Class<?> own = defineClass(
                        Starter.class.getName(), bytes, 0, bytes.length, new ProtectionDomain(null, null, this, null));
                return (UnaryOperator<Object>) own.getConstructor().newInstance();
            }
        }
    }

    public static final class Starter implements UnaryOperator<Object> {
        @Override
        public Object apply(Object task) {
            Thread thread = Threads.newThread("test.held", (Runnable) task);
            thread.start();
            return thread;
        }
    }

    private static final CountDownLatch END = new CountDownLatch(1);

    private static void awaitEnd() {
        try {
            END.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aThreadHoldsNothingOfTheApplicationThatStartedIt() throws Exception {
        OwnLoader ofApplication = new OwnLoader();
        WeakReference<ClassLoader> gone = new WeakReference<>(ofApplication);
        caller.setContextClassLoader(ofApplication);
        UnaryOperator<Object> starter = ofApplication.starter();
        assertThat(starter.getClass().getClassLoader()).isSameAs(ofApplication);
        Thread thread = (Thread) starter.apply((Runnable) ThreadsTest::awaitEnd);
        caller.setContextClassLoader(loader);
        starter = null;
        ofApplication = null;
        try {
            long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
            while (!gone.refersTo(null) && System.nanoTime() - deadlineNanos < 0) {
                System.gc();
            }
            assertThat(thread.isAlive()).isTrue();
            assertThat(gone.refersTo(null)).as("the loader is collected").isTrue();
        } finally {
            END.countDown();
        }
    }

    @Test
    void idleThreadsEndWithTheLastUser() {
        ThreadPoolExecutor pool = Threads.named("test.idle");
        Threads.retain();
        Threads.retain();
        Thread idle = CompletableFuture.supplyAsync(Thread::currentThread, pool).join();
        Threads.release();
        assertThat(idle.isAlive()).as("one user is left").isTrue();
        Threads.release();
        assertThat(idle.isAlive()).as("none is left").isFalse();
        assertThat(CompletableFuture.supplyAsync(() -> "again", pool).join()).isEqualTo("again");
    }

    @Test
    void theEndOfTheLastUserDoesNotWaitForTheThreadThatItIsCalledBy() {
        ThreadPoolExecutor pool = Threads.single("test.end");
        Threads.retain();
        CompletableFuture.runAsync(Threads::release, pool).join();
    }

    @Test
    void whatIsDueLaterIsDoneWhenTheLastUserEnds() {
        Threads.retain();
        AtomicBoolean isDone = new AtomicBoolean();
        Delays.execute(() -> isDone.set(true), HOUR_NANOS, Runnable::run);
        CompletableFuture<String> timed = Delays.orTimeout(new CompletableFuture<>(), HOUR_NANOS);
        Threads.release();
        assertThat(isDone).isTrue();
        assertThat(timed.isCompletedExceptionally()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
                .doesNotContain("snowcast.delays");
    }

    @Test
    void delaysAreThoseOfCompletableFuture() {
        assertThat(Delays.orTimeout(new CompletableFuture<>(), 1)
                        .handle((value, failure) -> failure)
                        .join())
                .isInstanceOf(TimeoutException.class);
        CompletableFuture<Thread> later = new CompletableFuture<>();
        Delays.execute(() -> later.complete(Thread.currentThread()), 1, Runnable::run);
        assertThat(later.join().getName()).isEqualTo("snowcast.delays");
        CompletableFuture<String> early = Delays.orTimeout(new CompletableFuture<>(), HOUR_NANOS);
        early.complete("early");
        assertThat(early.join()).isEqualTo("early");
    }
}
