// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.base;

import com.noctarius.snowcast.SnowcastUnavailableException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Creates all threads of snowcast's libraries: daemon threads that inherit nothing from the thread that creates them.
 *
 * <p>Otherwise later callers of a pool could see the first caller's thread-locals, context class loader and protection
 * domains, which would also keep the first caller's web application in memory after its end.
 *
 * <p>Each class loader that loads this class has one set of shared pools. They are never shut down, because they may be
 * needed again; but when the last running instance of snowcast ends, their idle threads end at once. Thread-safe.
 */
public final class Threads {
    private static final long IDLE_MILLIS = 1_000;
    /** The idle time if there are no users; not shorter, because a waiting timer thread wakes up at this interval. */
    private static final long IDLE_WITHOUT_USERS_MILLIS = 20;
    /** How long the end of threads is awaited: a thread may be busy with a hanging task. */
    private static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final List<ThreadPoolExecutor> SHARED = new CopyOnWriteArrayList<>();

    /** Guarded by the monitor of this class. */
    private static int users;

    private Threads() {}

    // --- creation of threads

    /** Returns a factory of daemon threads with the given name. */
    public static ThreadFactory daemons(String name) {
        return new Daemons(name);
    }

    private static final class Daemons implements ThreadFactory {
        final String name;
        private final Set<Thread> made = ConcurrentHashMap.newKeySet();

        Daemons(String name) {
            this.name = name;
        }

        @Override
        public Thread newThread(Runnable task) {
            Thread thread = Threads.newThread(name, task);
            made.removeIf(one -> one.getState() == Thread.State.TERMINATED);
            made.add(thread);
            return thread;
        }
    }

    /** Makes a daemon thread for one task. */
    @SuppressWarnings("ThreadPriorityCheck") // Otherwise the thread would inherit the priority of its creator.
    public static Thread newThread(String name, Runnable task) {
        Thread thread = withoutCallers(() -> new Thread(group(), task, name, 0, false));
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(Threads.class.getClassLoader());
        return thread;
    }

    /** Makes a thread that does not refer to the callers' protection domains and class loaders; needed up to JDK 23. */
    @SuppressWarnings("removal")
    private static Thread withoutCallers(PrivilegedAction<Thread> make) {
        return AccessController.doPrivileged(make);
    }

    /** Returns the group below the root, usually {@code main}, because the caller's group may be destroyed later. */
    private static ThreadGroup group() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null && group.getParent().getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * Acquires a lock that another thread may hold during a round trip. Throws if the thread is interrupted while it
     * waits; an interrupted thread still acquires a free lock.
     *
     * @param before what the other thread does, for the exception message
     */
    public static void acquire(Lock lock, String subject, String before) {
        if (lock.tryLock()) {
            return;
        }
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SnowcastUnavailableException(subject + ": the thread was interrupted before " + before, e);
        }
    }

    // --- shared pools

    /** Makes a shared pool with one thread for each task at a time; a thread ends when it is idle. */
    public static ThreadPoolExecutor named(String name) {
        return shared(new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_MILLIS, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), daemons(name)));
    }

    /** Makes a shared pool with one thread, which runs one task after the other and ends when it is idle. */
    public static ThreadPoolExecutor single(String name) {
        return shared(new ThreadPoolExecutor(
                1, 1, IDLE_MILLIS, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), daemons(name)));
    }

    /** Makes a shared pool with one thread for delayed tasks, which run at once when the last user is removed. */
    static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, daemons(name));
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS);
        return shared(timer);
    }

    private static <T extends ThreadPoolExecutor> T shared(T pool) {
        pool.allowCoreThreadTimeOut(true);
        SHARED.add(pool);
        return pool;
    }

    // --- users of the shared pools

    /** Adds a user of the shared pools, which must call {@link #release} once. */
    public static synchronized void retain() {
        users++;
        SHARED.forEach(pool -> pool.setKeepAliveTime(IDLE_MILLIS, TimeUnit.MILLISECONDS));
    }

    /**
     * Removes a user. If it is the last one, runs the pending delayed tasks, ends the idle threads, and waits until all
     * threads of the shared pools have ended, because an application server looks for leaked threads as soon as an
     * application has shut its {@code HazelcastInstance} down. The wait ends after a second, with a new user, or with
     * an interrupt.
     */
    public static void release() {
        synchronized (Threads.class) {
            users--;
            if (users != 0) {
                return;
            }
        }
        SHARED.forEach(Threads::runNow);
        synchronized (Threads.class) {
            if (users == 0) {
                // This also wakes idle threads, so that they end.
                SHARED.forEach(pool -> pool.setKeepAliveTime(IDLE_WITHOUT_USERS_MILLIS, TimeUnit.MILLISECONDS));
            }
        }
        awaitEnd(SHARED, true);
    }

    /** Runs the delayed tasks of a timer now, because pending tasks would keep the timer's thread alive. */
    private static void runNow(ThreadPoolExecutor pool) {
        if (pool instanceof ScheduledThreadPoolExecutor timer) {
            timer.getQueue().stream().filter(timer::remove).forEach(Runnable::run);
        }
    }

    /** Waits until the threads of pools that were shut down have ended: at most a second, or until an interrupt. */
    public static void awaitEnd(Collection<? extends ThreadPoolExecutor> pools) {
        awaitEnd(pools, false);
    }

    private static void awaitEnd(Collection<? extends ThreadPoolExecutor> pools, boolean untilRetained) {
        long deadlineNanos = System.nanoTime() + MAX_END_NANOS;
        for (ThreadPoolExecutor pool : pools) {
            if (pool.getThreadFactory() instanceof Daemons daemons) {
                for (Thread thread : daemons.made) {
                    if (!awaitEnd(thread, deadlineNanos, untilRetained)) {
                        return;
                    }
                }
            }
        }
    }

    /** Waits for a thread; returns whether it has ended, or is the waiting thread itself. */
    private static boolean awaitEnd(Thread thread, long deadlineNanos, boolean untilRetained) {
        while (thread != Thread.currentThread() && thread.getState() != Thread.State.TERMINATED) {
            if (System.nanoTime() - deadlineNanos >= 0 || (untilRetained && hasUsers())) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.timedJoin(thread, 10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    private static synchronized boolean hasUsers() {
        return users > 0;
    }
}
