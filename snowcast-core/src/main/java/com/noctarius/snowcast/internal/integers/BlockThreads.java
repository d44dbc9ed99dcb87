// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.integers;

import com.noctarius.snowcast.internal.clock.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The threads on which this process asks its stores: one per reservation under way, at most one per sequence. */
public final class BlockThreads implements BlockSequence.Background {
    public static final BlockThreads INSTANCE = new BlockThreads();

    private final Executor threads = Threads.named("snowcast.blocks");

    private BlockThreads() {}

    @Override
    public void run(Runnable task, Duration delay) {
        Executor executor = delay.isZero()
                ? threads
                : CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, threads);
        executor.execute(task);
    }
}
