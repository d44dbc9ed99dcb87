// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.jdbc;

import com.noctarius.snowcast.internal.base.Threads;
import com.noctarius.snowcast.store.BlockStoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link WindowAgent} for a store in the background. Each run inserts further windows of one sequence. A run
 * starts when the store begins to use a window of the sequence, so that another window is open when that window is used
 * up. A run also starts when the store is prepared for the sequence, when the first check of the shards rejects a
 * shard, and when a call gets no integers but an agent may help. All stores of this process share one thread for their
 * runs. If the database user may insert windows into no shard, this class logs that, and separate agents must insert
 * the windows. It then starts a run only when a call gets no integers, at most once a minute, because the privilege may
 * have been granted meanwhile. Thread-safe.
 */
final class BackgroundTopUp {
    private static final System.Logger LOGGER = System.getLogger(BackgroundTopUp.class.getName());

    private static final int MIN_OPEN_WINDOWS = 3;
    private static final long ASK_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Executor THREAD = Threads.single("snowcast.jdbc.windows");

    private final JdbcShards shards;
    private final WindowAgent agent;
    private final Duration maxWait;
    private final Executor thread;
    private final Map<String, CompletableFuture<Boolean>> underWay = new ConcurrentHashMap<>();
    /** The message of each sequence's last failure since its last successful run. */
    private final Map<String, String> said = new ConcurrentHashMap<>();

    private final boolean insertsNever;
    private final LongSupplier nanoTime;
    /** Whether the last run found that this user may insert windows into no shard, and when it began. */
    private volatile boolean lacksRights;

    private volatile long lackedAtNanos;
    /** Whether this store has logged that its user may insert windows into no shard. */
    private volatile boolean hasSaidWhatItLacks;

    private volatile boolean closed;

    BackgroundTopUp(JdbcShards shards, boolean mayInsert) {
        this(shards, mayInsert, THREAD, System::nanoTime);
    }

    BackgroundTopUp(JdbcShards shards, boolean mayInsert, Executor thread, LongSupplier nanoTime) {
        this.shards = shards;
        this.thread = thread;
        this.insertsNever = !mayInsert;
        this.nanoTime = nanoTime;
        this.agent = new WindowAgent(shards, MIN_OPEN_WINDOWS);
        // This is usually long enough for a run in which one shard times out and the other shards get their windows.
        this.maxWait = shards.callTimeout().multipliedBy(2);
    }

    /**
     * Starts a run for a sequence. Does nothing if a run for the sequence is queued or active, after {@link #close}, or
     * if this store may not insert windows.
     */
    void start(String sequence) {
        if (!insertsNever && !lacksRights && !closed) {
            CompletableFuture<Boolean> unused = run(sequence);
        }
    }

    /**
     * Makes {@link #start} do nothing. If an active run fails because the application closes its connections, the run
     * logs no warning.
     */
    void close() {
        closed = true;
    }

    /**
     * Waits for the queued or active run for a sequence; if there is none, starts a run and waits for it. The wait ends
     * after two call time-outs at the latest; an interrupt does not end it. Returns whether a shard may have new
     * windows. Returns false if this store may not insert windows; if that was found within the last minute, does not
     * wait.
     */
    boolean await(String sequence) {
        if (mayNotInsert()) {
            return false;
        }
        try {
            return TimedTransaction.get(run(sequence), maxWait);
        } catch (TimeoutException | ExecutionException e) {
            return true;
        }
    }

    private boolean mayNotInsert() {
        return insertsNever || (lacksRights && nanoTime.getAsLong() - lackedAtNanos < ASK_AGAIN_NANOS);
    }

    private CompletableFuture<Boolean> run(String sequence) {
        CompletableFuture<Boolean> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> known = underWay.putIfAbsent(sequence, begun);
        if (known != null) {
            return known;
        }
        try {
            thread.execute(() -> {
                try {
                    begun.complete(topUp(sequence));
                } catch (RuntimeException | Error e) {
                    warn(sequence, e.toString(), e);
                    begun.completeExceptionally(e);
                } finally {
                    underWay.remove(sequence);
                }
            });
        } catch (OutOfMemoryError e) {
            // No thread is available. Throw nothing, because the caller of start() must get its reserved block anyway.
            underWay.remove(sequence);
            begun.completeExceptionally(e);
        }
        return begun;
    }

    private boolean topUp(String sequence) {
        if (mayNotInsert()) {
            return false;
        }
        long begin = nanoTime.getAsLong();
        try {
            agent.topUp(sequence);
            said.remove(sequence);
            lacksRights = false;
            return true;
        } catch (BlockStoreException e) {
            if (PermanentFailure.isOfRights(e) && shards.all().stream().noneMatch(this::mayInsert)) {
                LOGGER.log(
                        hasSaidWhatItLacks ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                        "the database user may not insert windows of integers, so this process leaves that to window"
                                + " agents: " + e.getMessage());
                hasSaidWhatItLacks = true;
                lackedAtNanos = begin;
                lacksRights = true;
                return false;
            }
            lacksRights = false;
            warn(sequence, String.valueOf(e.getMessage()), null);
            // Although the run has failed, some shards may have got windows.
            return true;
        }
    }

    private void warn(String sequence, String message, @Nullable Throwable unexpected) {
        boolean isNew = !message.equals(said.put(sequence, message));
        LOGGER.log(isNew && !closed ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG, message, unexpected);
    }

    /** Returns whether this user may announce and insert windows in a shard; true if that is unknown. */
    private boolean mayInsert(Shard shard) {
        Tables tables = shards.tables();
        try {
            // Databases check the privileges of a statement even if it changes no row.
            shard.autoCommit(transaction -> transaction.update(
                            "UPDATE " + tables.names() + " SET announced_value = announced_value WHERE 1 = 0")
                    + transaction.update("INSERT INTO " + tables.windows()
                            + " (sequence_name, window_start_value, window_end_value, next_hi_value)"
                            + " SELECT sequence_name, 0, 1, 0 FROM " + tables.names() + " WHERE 1 = 0"));
            return true;
        } catch (SQLException e) {
            return !PermanentFailure.isOfRights(e);
        }
    }
}
