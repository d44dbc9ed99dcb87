// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.store.BlockStoreException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs a window agent again and again, with pauses of 100 milliseconds. */
final class AgentThread implements AutoCloseable {
    private final WindowAgent agent;
    private final Thread thread = new Thread(this::run, "agent");
    private volatile boolean ended;
    private volatile @Nullable Throwable bug;

    private AgentThread(WindowAgent agent) {
        this.agent = agent;
    }

    static AgentThread start(WindowAgent agent) {
        AgentThread started = new AgentThread(agent);
        started.thread.setDaemon(true);
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            while (!ended) {
                try {
                    agent.topUp();
                } catch (BlockStoreException e) {
                    // A shard does not serve; the next run tries again.
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        } catch (Throwable e) {
            bug = e;
        }
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join(TimeUnit.MINUTES.toMillis(3));
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
        if (thread.isAlive() || bug != null) {
            throw new AssertionError("alive: " + thread.isAlive(), bug);
        }
    }
}
