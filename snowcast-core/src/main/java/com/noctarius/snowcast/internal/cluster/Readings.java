// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.noctarius.snowcast.SnowcastUnavailableException;
import com.noctarius.snowcast.internal.base.SystemClock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The readings of one member, for all who ask it: one at a time, whose memory is free again before the next one begins.
 * Requests that wait for the same part get the same reading. It begins after they came, so it has all that happened before
 * they were made.
 */
final class Readings {
    private final Function<PageRequest, StatusPage> read;
    private final ReentrantLock turn = new ReentrantLock();
    /** Those that have not begun. */
    private final Map<PageRequest, CompletableFuture<StatusPage>> waiting = new ConcurrentHashMap<>();

    Readings(Function<PageRequest, StatusPage> read) {
        this.read = read;
    }

    StatusPage read(PageRequest request, long timeoutMillis) {
        CompletableFuture<StatusPage> mine = new CompletableFuture<>();
        CompletableFuture<StatusPage> shared = waiting.putIfAbsent(request, mine);
        if (shared == null) {
            readNow(request, mine, timeoutMillis);
        }
        try {
            return (shared == null ? mine : shared).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void readNow(PageRequest request, CompletableFuture<StatusPage> answer, long timeoutMillis) {
        try {
            boolean isMyTurn = awaitTurn(timeoutMillis);
            waiting.remove(request, answer); // Requests from now on get a reading that begins later.
            try {
                if (isMyTurn) {
                    answer.complete(read.apply(request));
                } else {
                    answer.completeExceptionally(new SnowcastUnavailableException(
                            "status of the cluster: other requests for it kept this member busy for " + timeoutMillis
                                    + " ms; try again",
                            null));
                }
            } finally {
                if (isMyTurn) {
                    turn.unlock();
                }
            }
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
            throw e;
        } finally {
            waiting.remove(request, answer);
        }
    }

    /** Waits for the turn, and not shorter when the thread is interrupted, which it still is afterwards. */
    private boolean awaitTurn(long timeoutMillis) {
        long endNanos = SystemClock.INSTANCE.nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return turn.tryLock(endNanos - SystemClock.INSTANCE.nanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
