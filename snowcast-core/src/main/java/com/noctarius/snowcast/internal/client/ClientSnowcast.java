// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.clock.Threads;
import com.noctarius.snowcast.internal.hazelcast.HazelcastMetrics;
import com.noctarius.snowcast.internal.instance.InstanceSnowcast;
import com.noctarius.snowcast.internal.metrics.Log;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The client side of snowcast: the sequencers of a Hazelcast client, and the threads that keep their leases.
 *
 * <p>The threads are our own. Those of the client also send messages again that failed, and would be missing for that
 * while a look at the leases waits for a place among the client's concurrent invocations, where those are limited.
 */
public final class ClientSnowcast {
    private static final String NAME = "snowcast:client";
    private static final int ATTACH_THREADS = 4;
    private static final long IDLE_SECONDS = 10;
    /** A quarter of the shortest lease there is. */
    private static final long KEEP_PERIOD_MILLIS = 250;
    /** How long a shutdown may take for giving the logical nodes back. */
    private static final long MAX_DETACH_MILLIS = 3_000;

    private static final int MAX_TOLD = 10_000;

    private final HazelcastClientInstanceImpl client;
    private final InstanceSnowcast snowcast;
    private final ScheduledThreadPoolExecutor leases;
    private final ThreadPoolExecutor attaches;
    private final HazelcastMetrics metrics;
    /** The findings that were passed on last. Guarded by this object's monitor. */
    private final Set<Record> told = new HashSet<>();

    private ClientSnowcast(HazelcastClientInstanceImpl client) {
        this.client = client;
        String threads = client.getName() + ".snowcast.";
        this.leases = new ScheduledThreadPoolExecutor(1, Threads.daemons(threads + "leases"));
        this.attaches = new ThreadPoolExecutor(
                ATTACH_THREADS,
                ATTACH_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Threads.daemons(threads + "attaches"));
        attaches.allowCoreThreadTimeOut(true);
        Log log = client.getLoggingService().getLogger(ClientSnowcast.class)::log;
        ClientMessages messages = new ClientMessages(client.getSerializationService(), this::clusterChanged);
        ClusterListener listener = new ClusterListener(client.getListenerService(), messages, this::happened, log);
        ClientCalls calls = new ClientCalls(client, messages, listener);
        Clock clock = SystemClock.unlessReplacedIn(client.getUserContext());
        this.snowcast = new InstanceSnowcast(calls, clock, leases, attaches, log, sink -> {});
        this.metrics = new HazelcastMetrics(snowcast::show);
    }

    /** Whether this is a Hazelcast client, running or not. */
    public static boolean isClient(HazelcastInstance hazelcast) {
        return hazelcast instanceof HazelcastClientProxy;
    }

    /** Returns the {@code Snowcast} of a client, as {@link InstanceSnowcast#withBackupCount} does. */
    public static Snowcast snowcast(HazelcastInstance hazelcast, OptionalInt backupCount) {
        HazelcastClientInstanceImpl client = ((HazelcastClientProxy) hazelcast).client;
        if (client == null || !client.getLifecycleService().isRunning()) {
            throw new HazelcastInstanceNotActiveException();
        }
        ClientSnowcast own = (ClientSnowcast) client.getUserContext().computeIfAbsent(NAME, name -> start(client));
        return own.snowcast.withBackupCount(backupCount);
    }

    private static ClientSnowcast start(HazelcastClientInstanceImpl client) {
        ClientSnowcast started = new ClientSnowcast(client);
        Future<?> unused = started.leases.scheduleWithFixedDelay(
                started::keep, KEEP_PERIOD_MILLIS, KEEP_PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        client.getMetricsRegistry().registerDynamicMetricsProvider(started.metrics);
        // Runs while the connections are open. Lifecycle listeners are told on another thread, mostly too late.
        client.disposeOnClientShutdown(started::shutDown);
        return started;
    }

    private void keep() {
        if (client.getLifecycleService().isRunning()) {
            snowcast.keep();
        } else {
            shutDown(); // also a client that was shut down while this object was made
        }
    }

    private void clusterChanged() {
        snowcast.fence("this client came to another cluster");
    }

    /** Passes an event on. Every member that this client is connected to tells the same findings, which count once. */
    private void happened(ClusterEvent event) {
        snowcast.happened(
                event instanceof DuplicatesReported reported
                        ? new DuplicatesReported(newOf(reported.ids()), newOf(reported.integers()))
                        : event);
    }

    private synchronized <T extends Record> List<T> newOf(List<T> found) {
        if (told.size() > MAX_TOLD) {
            told.clear();
        }
        return found.stream().filter(told::add).toList();
    }

    /** Gives back what this client holds, also when it is terminated: that is the same to Hazelcast. */
    private void shutDown() {
        snowcast.close(MAX_DETACH_MILLIS);
        client.getMetricsRegistry().deregisterDynamicMetricsProvider(metrics);
        leases.shutdownNow();
        attaches.shutdownNow();
    }
}
