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
 * The threads of one instance of snowcast. One thread renews leases. Several threads run tasks that block. On a member,
 * one thread writes the high-water mark, so that the write does not wait for tasks that block. There are two reasons
 * not to use Hazelcast's own threads. On a client they retry failed messages, which they could not do while a waiting
 * task of snowcast occupies them. Hazelcast's threads also inherit thread-locals and other values from the thread that
 * starts them.
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

    /** Creates the executors; starts no thread yet. */
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

    /**
     * Starts to run tasks periodically on the thread of {@link #leases}. The tasks must not block; their exceptions are
     * logged.
     */
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
            // Do not rethrow: the executor would end the repetition, and no lease would be renewed any more.
            log.warning("Could not look after leases or partitions; the next try follows", e);
        }
    }

    /** Runs tasks that do not block; rejects them after {@link #end}. */
    public Executor leases() {
        return leases;
    }

    /** Runs tasks that may wait for the cluster or for user code; rejects them after {@link #end}. */
    public Executor attaches() {
        return attaches;
    }

    /** Runs the tasks that write the high-water mark; rejects them after {@link #end}. */
    public Executor marks() {
        return marks;
    }

    /** Submits a task. Drops the task if the executor has ended, because the task is then no longer necessary. */
    public static void executeUnlessEnded(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            // The instance shuts down, and no thread waits for the task.
        }
    }

    /**
     * Drops waiting tasks, and ends the threads after their running tasks; waits for about two seconds at most. The
     * last instance also ends the threads that all instances share.
     */
    public void end() {
        State before = state.getAndSet(State.ENDED);
        // Do not interrupt the threads: one may be writing the high-water mark.
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
