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
 * The present status, for everybody who watches: each second it is read once, however many watch, and not at all if
 * nobody does. A cluster that does not answer keeps no client waiting: its last state is shown, with the reason.
 *
 * <p>All fields but those of the ticking thread are guarded by this object's monitor.
 */
@Component
final class Live implements AutoCloseable {
    static final long PERIOD_MILLIS = 1_000;
    /** How long a tick waits for the cluster; it then goes on without. */
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

    // Of the ticking thread.
    private @Nullable Future<ClusterState> poll;
    private @Nullable Instant askedAt;
    private @Nullable ClusterState answer;
    private @Nullable Instant unansweredSince;

    Live(StatusReader reader, ClusterSource cluster) {
        this.reader = reader;
        this.cluster = cluster;
    }

    /** A client that watches. To be closed. */
    final class Watcher implements AutoCloseable {
        private long seen;
        private boolean isGone;

        /**
         * Returns the next status, which is new for this watcher; or null when the server ends, or there is none in
         * time.
         */
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
            latest = null; // From when a client watched last.
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
        } catch (InterruptedException e) { // The server ends.
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) { // Of a member that was shut down. A tick that throws would be the last one.
            LOG.log(System.Logger.Level.DEBUG, "No status", e);
        } catch (Error e) { // Such as when the process can have no more threads, which may pass.
            LOG.log(System.Logger.Level.WARNING, "No status; the next try follows", e);
        }
    }

    /** Takes what the cluster answers in time. Returns why there is no newer answer; null if there is one. */
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

    /** Since the first request after the last answer, however often it was asked again. */
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

    /** Ends all watching. */
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
