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
    /** A thread that may block, because a reading waits for the owners of partitions. */
    private static final Executor THREAD = Threads.single("snowcast.status");

    private final Supplier<byte[]> read;
    private final Executor thread;
    /** The reading that has not started yet; null if there is none. Guarded by the monitor. */
    private @Nullable CompletableFuture<byte[]> waiting;

    Readings(Supplier<byte[]> read) {
        this(read, THREAD);
    }

    /** {@code thread} runs one task at a time. */
    Readings(Supplier<byte[]> read, Executor thread) {
        this.read = read;
        this.thread = thread;
    }

    /** Returns a reading that has not started yet. Does not block. */
    synchronized CompletableFuture<byte[]> next() {
        CompletableFuture<byte[]> reading = waiting;
        if (reading == null) {
            reading = CompletableFuture.supplyAsync(this::readNow, thread);
            waiting = reading;
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
