// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.server;

import com.noctarius.snowcast.internal.base.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Publishes the present status to all watching clients. It reads the status once a second for all clients together, and
 * not at all while no client is watching. While the cluster or database does not answer, clients still get its last
 * known status once a second, with the reason for the failure.
 *
 * <p>This object's monitor guards all fields except the fields that only the ticking thread uses.
 */
@Component
final class Live implements AutoCloseable {
    static final long PERIOD_MILLIS = 1_000;
    /** How long a tick waits for the answer of the cluster or database before it publishes the last answer. */
    private static final long PATIENCE_MILLIS = 500;

    private static final System.Logger LOG = System.getLogger(Live.class.getName());

    private final StatusReader reader;
    private final ClusterSource cluster;
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(Threads.daemons("snowcast-server-status-ticker"));
    private final ExecutorService pollers =
            Executors.newSingleThreadExecutor(Threads.daemons("snowcast-server-status-poller"));

    private @Nullable ScheduledFuture<?> ticking;
    private int watchers;
    private long ticks;
    private @Nullable Status latest;
    private boolean isClosed;

    // Only the ticking thread uses the next four fields.
    private @Nullable Future<ClusterState> poll;
    private @Nullable Instant askedAt;
    private @Nullable ClusterState answer;
    private @Nullable Instant unansweredSince;

    Live(StatusReader reader, ClusterSource cluster) {
        this.reader = reader;
        this.cluster = cluster;
    }

    /** A watching client. The caller of {@link #watch} must close it. */
    final class Watcher implements AutoCloseable {
        private long seen;
        private boolean isGone;

        /** Waits for this watcher's next status; returns null after a time-out, or when the server shuts down. */
        @Nullable
        Status next(Duration patience) throws InterruptedException {
            long endNanos = System.nanoTime() + patience.toNanos();
            synchronized (Live.this) {
                while (!isClosed && (ticks == seen || latest == null)) {
                    long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                    if (leftMillis <= 0) {
                        return null;
                    }
                    Live.this.wait(leftMillis);
                }
                seen = ticks;
                return isClosed ? null : latest;
            }
        }

        @Override
        public void close() {
            if (!isGone) {
                isGone = true;
                leave();
            }
        }
    }

    synchronized Watcher watch() {
        if (ticking == null && !isClosed) {
            latest = null; // The last status of an earlier watcher is out of date.
            ticking = ticker.scheduleAtFixedRate(this::tick, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
        watchers++;
        return new Watcher();
    }

    private synchronized void leave() {
        watchers--;
        if (watchers == 0 && ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
    }

    synchronized boolean isTicking() {
        return ticking != null;
    }

    private void tick() {
        try {
            String problem = askCluster();
            publish(reader.read(answer, problem, unansweredSince));
        } catch (InterruptedException e) { // The server shuts down.
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) { // A shut-down member throws. The executor would stop a task that throws.
            LOG.log(System.Logger.Level.DEBUG, "No status", e);
        } catch (Error e) { // For example, the process cannot create more threads for now.
            LOG.log(System.Logger.Level.WARNING, "No status; the next try follows", e);
        }
    }

    /**
     * Waits for the answer of the cluster or database. Returns null if the answer arrives in time, otherwise why it is
     * missing.
     */
    private @Nullable String askCluster() throws InterruptedException {
        if (poll == null) {
            askedAt = Instant.now();
            poll = pollers.submit(cluster::read);
        }
        try {
            answer = poll.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            poll = null;
            unansweredSince = null;
            return null;
        } catch (TimeoutException e) {
            return unanswered();
        } catch (ExecutionException e) {
            poll = null;
            return unanswered() + ": "
                    + (e.getCause() == null ? e : e.getCause().getMessage());
        }
    }

    /** Returns the message for a missing answer, with the time of the first request since the last answer. */
    private String unanswered() {
        if (unansweredSince == null) {
            unansweredSince = askedAt;
        }
        return "The " + cluster.name() + " has not answered since " + unansweredSince;
    }

    private synchronized void publish(Status status) {
        latest = status;
        ticks++;
        notifyAll();
    }

    /** Makes all waiting watchers return null. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        ticker.shutdownNow();
        pollers.shutdownNow();
    }
}
