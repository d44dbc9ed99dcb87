// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.internal.wire.StatusPage;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The readings of a member's status, for itself and for clients: one at a time, so that the memory that one needs is
 * not needed by several. Requests that wait for the same part get the same reading. It begins after they came, so it
 * has all that happened before they were made. Thread-safe.
 */
final class Readings {
    /** A reading waits for the owners of partitions. */
    private static final Executor THREADS = Threads.named("snowcast.status");

    private final Function<StatusPage.Request, StatusPage> read;
    private final Executor threads;
    /** Those that have not begun. Guarded by this object's monitor, as is the next one. */
    private final Map<StatusPage.Request, CompletableFuture<StatusPage>> waiting = new HashMap<>();

    /** Complete when the last of the readings has ended. */
    private CompletableFuture<Void> end = CompletableFuture.completedFuture(null);

    Readings(Function<StatusPage.Request, StatusPage> read) {
        this(read, THREADS);
    }

    Readings(Function<StatusPage.Request, StatusPage> read, Executor threads) {
        this.read = read;
        this.threads = threads;
    }

    /** Returns a reading that begins when all that came before have ended. Does not block. */
    synchronized CompletableFuture<StatusPage> read(StatusPage.Request request) {
        return waiting.computeIfAbsent(request, part -> {
            CompletableFuture<StatusPage> reading = end.thenApplyAsync(ended -> readNow(part), threads);
            end = reading.handle((page, failure) -> null);
            return reading;
        });
    }

    private StatusPage readNow(StatusPage.Request part) {
        synchronized (this) {
            waiting.remove(part); // Requests from now on get a reading that begins later.
        }
        return read.apply(part);
    }
}
