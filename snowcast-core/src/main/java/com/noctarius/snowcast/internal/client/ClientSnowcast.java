// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.logging.ILogger;
import com.noctarius.snowcast.PossibleDuplicateIntegers;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.block.BlockSequences;
import com.noctarius.snowcast.internal.block.BlockThreads;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.metrics.PossibleDuplicateCounts;
import com.noctarius.snowcast.internal.sequencer.Log;
import com.noctarius.snowcast.internal.sequencer.Sequencers;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.wire.Destroyed;
import com.noctarius.snowcast.internal.wire.Found;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The client side of snowcast: the sequencers of a Hazelcast client, and the threads that keep their leases.
 *
 * <p>The threads are our own. Those of the client also send messages again that failed, and would be missing for that
 * while a look at the leases waits for a place among the client's concurrent invocations, where those are limited.
 */
public final class ClientSnowcast {
    private static final String NAME = "snowcast:client";
    private static final String SHUT_DOWN = "the HazelcastInstance was shut down";
    private static final int ATTACH_THREADS = 4;
    private static final long IDLE_SECONDS = 10;
    /** A quarter of the shortest lease there is. */
    private static final long KEEP_PERIOD_MILLIS = 250;
    /** How long a shutdown may take for giving the logical nodes back. */
    private static final long MAX_DETACH_MILLIS = 3_000;

    private final HazelcastClientInstanceImpl client;
    private final Log log;
    private final ClientCoordinator coordinator;
    private final Sequencers sequencers;
    private final ScheduledThreadPoolExecutor leases;
    private final ThreadPoolExecutor attaches;
    private final PossibleDuplicateCounts possibleDuplicates = new PossibleDuplicateCounts();
    private final ClientMetrics metrics;

    private ClientSnowcast(HazelcastClientInstanceImpl client, int backupCount) {
        this.client = client;
        this.log = new ClientLog(client.getLoggingService().getLogger(ClientSnowcast.class));
        this.leases = new ScheduledThreadPoolExecutor(1, threads("leases"));
        this.attaches = new ThreadPoolExecutor(
                ATTACH_THREADS,
                ATTACH_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads("attaches"));
        attaches.allowCoreThreadTimeOut(true);
        ClientMessages messages = new ClientMessages(client.getSerializationService());
        PresentCluster cluster = new PresentCluster(this::clusterChanged);
        ClusterListener listener =
                new ClusterListener(client.getListenerService(), messages, cluster, new Events(), log);
        this.coordinator = new ClientCoordinator(client, messages, cluster, listener);
        Clock clock = SystemClock.unlessReplacedIn(client.getUserContext());
        this.sequencers = new Sequencers(
                backupCount,
                coordinator,
                clock,
                leases,
                attaches,
                log,
                new BlockSequences(
                        backupCount, new ClientCounters(coordinator, listener), clock, BlockThreads.INSTANCE));
        this.metrics = new ClientMetrics(sequencers, possibleDuplicates);
    }

    private ThreadFactory threads(String what) {
        return task -> {
            Thread thread = new Thread(task, client.getName() + ".snowcast." + what);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Whether this is a Hazelcast client, running or not. */
    public static boolean isClient(HazelcastInstance hazelcast) {
        return hazelcast instanceof HazelcastClientProxy;
    }

    /**
     * Returns the {@code Snowcast} of a client.
     *
     * @param backupCount the number of backups asked for; if empty, whatever it was made with, or 1
     * @throws IllegalArgumentException if it was made with another number of backups
     */
    public static Snowcast snowcast(HazelcastInstance hazelcast, OptionalInt backupCount) {
        HazelcastClientInstanceImpl client = ((HazelcastClientProxy) hazelcast).client;
        if (client == null || !client.getLifecycleService().isRunning()) {
            throw new HazelcastInstanceNotActiveException();
        }
        ClientSnowcast own = (ClientSnowcast) client.getUserContext()
                .computeIfAbsent(NAME, name -> start(client, backupCount.orElse(Sequencers.DEFAULT_BACKUP_COUNT)));
        return own.sequencers.requireBackupCount(backupCount);
    }

    private static ClientSnowcast start(HazelcastClientInstanceImpl client, int backupCount) {
        ClientSnowcast started = new ClientSnowcast(client, backupCount);
        Future<?> unused = started.leases.scheduleWithFixedDelay(
                started::keep, KEEP_PERIOD_MILLIS, KEEP_PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        client.getMetricsRegistry().registerDynamicMetricsProvider(started.metrics);
        // Runs while the connections are open. Lifecycle listeners are told on another thread, which is mostly too
        // late.
        client.disposeOnClientShutdown(started::shutDown);
        return started;
    }

    private void keep() {
        try {
            if (client.getLifecycleService().isRunning()) {
                sequencers.leaseKeeper().keep();
            } else {
                shutDown(); // also a client that was shut down while this object was made
            }
        } catch (RuntimeException e) {
            // Thrown on, it would end the repetition, and with it all leases.
            log.warning("Could not look after the leases; the next try follows", e);
        }
    }

    private void clusterChanged() {
        sequencers.fence("this client came to another cluster");
        sequencers.blockSequences().fence();
    }

    private final class Events implements ClusterListener.Events {
        private static final int MAX_REMEMBERED = 10_000;

        /** Every member that this client is connected to tells the same. Guarded by this object's monitor. */
        private final Set<Record> told = new HashSet<>();

        @Override
        public void destroyed(Destroyed destroyed) {
            if (destroyed.isSequencer()) {
                sequencers.seal(destroyed.name(), destroyed.incarnation());
            } else {
                sequencers.blockSequences().destroyed(destroyed.name(), destroyed.incarnation());
            }
        }

        @Override
        public void found(Found found) {
            List<PossibleDuplicates> ids = newOf(found.ids());
            List<PossibleDuplicateIntegers> integers = newOf(found.integers());
            possibleDuplicates.add(ids, integers);
            sequencers.tell(ids, integers);
        }

        private synchronized <T extends Record> List<T> newOf(List<T> found) {
            if (told.size() > MAX_REMEMBERED) {
                told.clear();
            }
            return found.stream().filter(told::add).toList();
        }
    }

    /** Gives the logical nodes back, also when the client is terminated: that is the same to Hazelcast. */
    private void shutDown() {
        sequencers.blockSequences().close(SHUT_DOWN, MAX_DETACH_MILLIS);
        List<DetachRequest> requests = sequencers.close(SHUT_DOWN);
        try {
            coordinator.detachWithin(requests, MAX_DETACH_MILLIS);
        } catch (RuntimeException e) {
            log.warning(
                    "Could not give back " + requests.size()
                            + " logical nodes; they are free when their leases have run out",
                    e);
        }
        client.getMetricsRegistry().deregisterDynamicMetricsProvider(metrics);
        leases.shutdownNow();
        attaches.shutdownNow();
    }

    private record ClientLog(ILogger logger) implements Log {
        @Override
        public void info(String message) {
            logger.info(message);
        }

        @Override
        public void warning(String message, @Nullable Throwable cause) {
            logger.warning(message, cause);
        }
    }
}
