// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A {@link WindowAgent} that runs periodically on a daemon thread of its own. A run that fails is logged, and the next
 * one follows nevertheless. Thread-safe.
 */
public final class ScheduledWindowAgent implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ScheduledWindowAgent.class.getName());

    private final WindowAgent agent;
    private final ScheduledThreadPoolExecutor thread;
    private volatile String problem = "";

    ScheduledWindowAgent(WindowAgent agent, Duration period) {
        JdbcShards.requireUpToADay("period", period);
        this.agent = agent;
        this.thread = new ScheduledThreadPoolExecutor(1, ScheduledWindowAgent::thread);
        // Not needed: run() catches everything, and close() ends the repetition.
        Future<?> unused = thread.scheduleWithFixedDelay(this::run, 0, period.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "snowcast.windows");
        thread.setDaemon(true);
        return thread;
    }

    private void run() {
        try {
            agent.topUp();
            if (!problem.isEmpty()) {
                LOGGER.log(System.Logger.Level.INFO, "windows are laid out again");
            }
            problem = "";
        } catch (RuntimeException | Error e) {
            // An Error, too, such as when no thread can be created: thrown on, it would silently end the repetition.
            problem = String.valueOf(e.getMessage());
            LOGGER.log(System.Logger.Level.WARNING, problem, e);
        }
    }

    /**
     * Returns why the last run failed.
     *
     * @return the message of its exception; empty if it did not fail, or no run has ended yet
     */
    public String problem() {
        return problem;
    }

    /** Ends the runs; one that is under way is not waited for. Has no effect the second time. */
    @Override
    public void close() {
        thread.shutdown();
    }

    @Override
    public String toString() {
        return "ScheduledWindowAgent{" + agent + ", problem=" + problem + '}';
    }
}
