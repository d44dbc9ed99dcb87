// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a shard that callers use on their own threads, because the switch to another thread and back takes
 * longer than a reservation. This class holds connections only while reservations follow each other immediately, and
 * each only for a short time, so that other users of the pool get connections, too. Thread-safe.
 */
final class HeldConnections {
    /** A connection that was taken longer ago than this goes back to its pool after its present use. */
    private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Connections are held after this many calls, each of which began immediately after another call had ended. */
    private static final int MIN_CALLS_IN_A_ROW = 16;

    private static final long AT_ONCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final long statementNanos;
    private final Duration callTimeout;
    private final Executor threads;
    private final Deque<HeldConnection> free = new ConcurrentLinkedDeque<>();
    private final Set<HeldConnection> all = ConcurrentHashMap.newKeySet();

    private volatile long lastEndNanos;
    private volatile int callsInARow;
    private volatile boolean hasEnded;

    HeldConnections(int statementTimeoutSeconds, Duration callTimeout, Executor threads) {
        this.threads = threads;
        this.statementNanos = TimeUnit.SECONDS.toNanos(statementTimeoutSeconds);
        this.callTimeout = callTimeout;
    }

    interface Work<T> {
        T on(HeldConnection connection) throws SQLException;
    }

    /**
     * Stops holding connections. Called when a connection from the pool does not have snowcast's isolation and access
     * mode.
     */
    void end() {
        hasEnded = true;
    }

    /** Returns whether calls follow each other immediately. Must run once per call, because it counts the calls. */
    boolean isWorthwhile() {
        if (hasEnded) {
            return false;
        }
        int calls = System.nanoTime() - lastEndNanos < AT_ONCE_NANOS ? callsInARow + 1 : 0;
        callsInARow = Math.min(calls, MIN_CALLS_IN_A_ROW);
        return calls >= MIN_CALLS_IN_A_ROW;
    }

    void ended() {
        lastEndNanos = System.nanoTime();
    }

    /**
     * Returns whether a thread may use a held connection. The thread must not be interrupted. It must not be virtual
     * either, because an interrupt of a virtual thread closes the socket that the thread uses.
     */
    static boolean mayServe(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return !thread.isInterrupted() && group != null && !group.getName().equals("VirtualThreads");
    }

    /** Returns an idle connection and begins a use of it; null if no connection is idle. */
    @Nullable
    HeldConnection tryAcquire() {
        HeldConnection next = free.pollFirst();
        while (next != null && !next.tryAcquire()) {
            next = free.pollFirst();
        }
        return next;
    }

    /** Adds a connection that no thread uses. */
    void add(HeldConnection connection) {
        all.add(connection);
        try {
            Watch.add(this);
        } catch (OutOfMemoryError e) {
            all.remove(connection); // The caller closes the connection.
            throw e;
        }
        free.addFirst(connection);
    }

    /** Does the work on a connection whose use has begun, and ends the use. */
    <T> T use(HeldConnection connection, Work<T> work) throws SQLException {
        try {
            T value = work.on(connection);
            if (connection.release(HOLD_NANOS)) {
                free.addFirst(connection);
            } else {
                close(connection);
            }
            return value;
        } catch (SQLException | RuntimeException | Error e) {
            close(connection);
            if (connection.isAborted()) {
                CallTimeoutException timeout = new CallTimeoutException("no answer within " + callTimeout);
                timeout.addSuppressed(e);
                throw timeout;
            }
            throw e;
        }
    }

    /** Prevents further uses of a connection, and returns it to its pool on another thread. */
    void close(HeldConnection connection) {
        connection.retire();
        free.remove(connection);
        // If no thread is available, keep the connection in the set, so that the watch goes on and retries.
        if (connection.closeOn(threads)) {
            all.remove(connection);
        }
    }

    /**
     * Closes connections that must not be used again or were idle for too long, and watches the other connections;
     * returns whether any connection is left.
     */
    private boolean watch() {
        for (HeldConnection connection : all) {
            if (connection.hasEnded() || connection.closeIfIdle(IDLE_NANOS)) {
                close(connection);
            } else {
                connection.watch(statementNanos, callTimeout.toNanos(), threads);
            }
        }
        return !all.isEmpty();
    }

    /** Watches the held connections of all shards on one thread, which runs while any connection is held. */
    private static final class Watch {
        private static final Set<HeldConnections> WATCHED = ConcurrentHashMap.newKeySet();
        private static boolean running;

        private Watch() {}

        static synchronized void add(HeldConnections connections) {
            WATCHED.add(connections);
            if (!running) {
                Shard.THREADS.execute(Watch::run);
                running = true;
            }
        }

        private static void run() {
            do {
                LockSupport.parkNanos(WATCH_NANOS);
            } while (goesOn());
        }

        private static synchronized boolean goesOn() {
            WATCHED.removeIf(connections -> !connections.watch());
            running = !WATCHED.isEmpty();
            return running;
        }
    }
}
