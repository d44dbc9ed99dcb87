// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.base.Threads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cluster's status for clients, one reading at a time. Requests that arrive during a reading share the next
 * one, so that many requests need little memory. A reading that answers a request starts after the request arrived, so
 * that it includes everything that happened before. Thread-safe.
 */
final class Readings {
    /** Threads that may block, because a reading waits for the owners of partitions. */
    private static final Executor THREADS = Threads.named("snowcast.status");

    private final Supplier<byte[]> read;
    private final Executor threads;
    /** The reading that has not started yet; null if there is none. Guarded by the monitor, like {@link #end}. */
    private @Nullable CompletableFuture<byte[]> waiting;

    private CompletableFuture<?> end = CompletableFuture.completedFuture(null);

    Readings(Supplier<byte[]> read) {
        this(read, THREADS);
    }

    Readings(Supplier<byte[]> read, Executor threads) {
        this.read = read;
        this.threads = threads;
    }

    /** Returns a reading that starts when the reading before it has ended. Does not block. */
    synchronized CompletableFuture<byte[]> next() {
        CompletableFuture<byte[]> reading = waiting;
        if (reading == null) {
            reading = end.thenApplyAsync(ended -> readNow(), threads);
            waiting = reading;
            end = reading.exceptionally(failure -> new byte[0]);
        }
        return reading;
    }

    private byte[] readNow() {
        synchronized (this) {
            waiting = null; // Requests that arrive from now on get the next reading.
        }
        return read.get();
    }
}
