// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.Threads;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads of one instance of snowcast: one renews leases; several run tasks that block; on a member, one writes the
 * high-water mark. Hazelcast's own threads would not do: a client's threads retry failed messages, which they could not
 * while a task of snowcast waits; and they inherit thread-locals from the thread that starts them.
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
        // Once the instance has ended, no thread waits for these tasks, and they are no longer necessary.
        leases.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        marks.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    private static ThreadPoolExecutor pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Starts to run tasks, which must not block, periodically on the thread of {@link #leases}. */
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

    /** Runs tasks that do not block; drops them after {@link #end}. */
    public Executor leases() {
        return leases;
    }

    /** Runs tasks that may wait for the cluster or for user code; rejects them after {@link #end}. */
    public Executor attaches() {
        return attaches;
    }

    /** Runs the tasks that write the high-water mark; drops them after {@link #end}. */
    public Executor marks() {
        return marks;
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
