// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.time.Duration;

/** A {@link WindowAgent} that runs periodically on a daemon thread, and logs runs that fail. Thread-safe. */
public final class ScheduledWindowAgent implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ScheduledWindowAgent.class.getName());

    private final WindowAgent agent;
    private final Repetition runs;
    private volatile String problem = "";

    ScheduledWindowAgent(WindowAgent agent, Duration period) {
        this.agent = agent;
        this.runs = new Repetition("snowcast.windows", period, this::run, this::failed);
    }

    private void run() {
        agent.topUp();
        if (!problem.isEmpty()) {
            LOGGER.log(System.Logger.Level.INFO, "the window agent inserts windows again");
        }
        problem = "";
    }

    private void failed(Throwable e) {
        problem = String.valueOf(e.getMessage());
        LOGGER.log(System.Logger.Level.WARNING, problem, e);
    }

    /**
     * Returns why the last run failed.
     *
     * @return the message of the exception; empty if the last run succeeded, or no run has ended yet
     */
    public String problem() {
        return problem;
    }

    /** Starts no further run; does not wait for an active run. A second call has no effect. */
    @Override
    public void close() {
        runs.close();
    }

    @Override
    public String toString() {
        return "ScheduledWindowAgent{" + agent + ", problem=" + problem + '}';
    }
}
