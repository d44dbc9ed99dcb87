// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.Threads;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads of one {@code HazelcastInstance}, from its start to its end: one that keeps leases, some for what waits
 * for the cluster, and one that writes the high-water mark and must not wait for those. They are our own. Those of a
 * client also send messages again that failed, and would be missing for that while they wait for a place among its
 * concurrent invocations. Those of Hazelcast inherit what belongs to the thread that starts them.
 */
public final class InstanceThreads {
    private static final int ATTACH_THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final Log log;
    private final ScheduledThreadPoolExecutor leases;
    private final ThreadPoolExecutor attaches;
    private final ThreadPoolExecutor marks;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

    private enum State {
        NEW,
        STARTED,
        ENDED
    }

    /** Starts no thread yet. */
    public InstanceThreads(String instanceName, Log log) {
        this.log = log;
        String prefix = instanceName + ".snowcast.";
        this.leases = new ScheduledThreadPoolExecutor(1, Threads.daemons(prefix + "leases"));
        this.attaches = pool(ATTACH_THREADS, prefix + "attaches");
        this.marks = pool(1, prefix + "marks");
    }

    private static ThreadPoolExecutor pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Begins to run what does not block periodically, on the thread of {@link #leases}. What it throws is logged. */
    public void start(long periodMillis, Runnable... looks) {
        if (state.compareAndSet(State.NEW, State.STARTED)) {
            Threads.retain();
            Future<?> unused = leases.scheduleWithFixedDelay(
                    () -> List.of(looks).forEach(this::run), periodMillis, periodMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void run(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | Error e) {
            // Thrown on, it would end the repetition, and with it all leases.
            log.warning("Could not look after leases or partitions; the next try follows", e);
        }
    }

    /** Runs what does not block. After the end it rejects it. */
    public Executor leases() {
        return leases;
    }

    /** Runs what may wait for the cluster or for a user. After the end it rejects it. */
    public Executor attaches() {
        return attaches;
    }

    /** Writes the high-water mark. After the end it rejects it. */
    public Executor marks() {
        return marks;
    }

    /** Runs what needs not be done any more if the instance ends. */
    public static void executeUnlessEnded(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            // No thread waits for it: an event that came in the middle of a shutdown.
        }
    }

    /**
     * Ends the threads, when what they do has ended; waits for that, about two seconds at most. Those that all
     * instances share end, too, if this was the last one.
     */
    public void end() {
        State before = state.getAndSet(State.ENDED);
        // Not interrupted: a high-water mark may be on its way to the disk.
        List.of(leases, attaches, marks).forEach(pool -> {
            pool.shutdown();
            pool.getQueue().clear();
        });
        Threads.awaitEnd(List.of(leases, attaches, marks));
        if (before == State.STARTED) {
            Threads.release();
        }
    }
}
