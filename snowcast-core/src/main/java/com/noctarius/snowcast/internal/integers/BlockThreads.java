// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which this process asks its stores: as many as there are reservations under way, at most one per
 * sequence, and none when nothing is reserved. So they need no end of their own.
 */
public final class BlockThreads implements BlockSequence.Background {
    public static final BlockThreads INSTANCE = new BlockThreads();

    private static final long IDLE_SECONDS = 10;

    private final Executor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), BlockThreads::thread);

    private BlockThreads() {}

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "snowcast.blocks");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void run(Runnable task, Duration delay) {
        Executor executor = delay.isZero()
                ? threads
                : CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, threads);
        executor.execute(task);
    }
}
