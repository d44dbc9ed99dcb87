// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.client;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.spi.properties.HazelcastProperty;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.hazelcast.HazelcastMetrics;
import com.noctarius.snowcast.internal.hazelcast.SnowcastProperty;
import com.noctarius.snowcast.internal.leases.InstanceSnowcast;
import com.noctarius.snowcast.internal.leases.InstanceThreads;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.internal.wire.RequestType;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates the {@code Snowcast} of a Hazelcast client, and closes it when the client is shut down. */
public final class ClientSnowcast {
    private static final String NAME = "snowcast:client";
    /** The period of the checks of leases: a quarter of the shortest lease that a sequencer may request. */
    private static final long KEEP_PERIOD_MILLIS = 250;
    /** How long a shutdown waits for the release of node IDs. */
    private static final long MAX_DETACH_MILLIS = 3_000;

    private static final int MAX_SEEN = 10_000;

    private final HazelcastClientInstanceImpl client;
    private final ClientTransport transport;
    private final InstanceSnowcast snowcast;
    private final InstanceThreads threads;
    private final HazelcastMetrics metrics;
    /** Recent possible duplicates, so that each finding counts once. Guarded by the monitor. */
    private final Set<PossibleDuplicates> seen = new HashSet<>();

    private ClientSnowcast(HazelcastClientInstanceImpl client) {
        this.client = client;
        Log log = client.getLoggingService().getLogger(ClientSnowcast.class)::log;
        this.threads = new InstanceThreads(client.getName(), log);
        ClientMessages messages = new ClientMessages(client.getSerializationService(), this::clusterChanged);
        ClusterListener listener = new ClusterListener(client.getListenerService(), messages, this::happened, log);
        this.transport = new ClientTransport(client, messages, listener);
        Clock clock = SystemClock.unlessReplacedIn(client.getUserContext());
        this.snowcast = InstanceSnowcast.ofCluster(transport, clock, threads, log, Stream::empty, sink -> {});
        this.metrics = new HazelcastMetrics(
                snowcast::show,
                HazelcastMetrics.maxNamed(client.getProperties()
                        .getString(new HazelcastProperty(SnowcastProperty.MAX_NAMED_METRICS.key()))));
    }

    /** Throws if a member or client was shut down. Not in {@code SnowcastSystem}, which must load without Hazelcast. */
    public static void requireRunning(HazelcastInstance hazelcast) {
        if (!hazelcast.getLifecycleService().isRunning()) {
            throw new HazelcastInstanceNotActiveException("the HazelcastInstance was shut down; if another one has"
                    + " replaced it, ask for the Snowcast of that one");
        }
    }

    /** Returns the {@code Snowcast} of a client; null for a member. See {@link InstanceSnowcast#withBackupCount}. */
    public static @Nullable Snowcast snowcast(HazelcastInstance hazelcast, OptionalInt backupCount) {
        ClientSnowcast own = of(hazelcast);
        return own == null ? null : own.snowcast.withBackupCount(backupCount);
    }

    /** Returns the status of a client's cluster; null for a member. */
    public static @Nullable ClusterStatus status(HazelcastInstance hazelcast) {
        ClientSnowcast own = of(hazelcast);
        return own == null
                ? null
                : own.transport.ask(
                        RequestType.CLUSTER_STATUS, RequestType.STATUS_SUBJECT, RequestType.Nothing.NOTHING);
    }

    private static @Nullable ClientSnowcast of(HazelcastInstance hazelcast) {
        HazelcastClientProxy known = clientOf(hazelcast);
        if (known == null) {
            return null;
        }
        HazelcastClientInstanceImpl client = known.client;
        if (client == null || !client.getLifecycleService().isRunning()) {
            throw new HazelcastInstanceNotActiveException();
        }
        return (ClientSnowcast) client.getUserContext().computeIfAbsent(NAME, name -> start(client));
    }

    /**
     * Returns Hazelcast's own client object; null for a member. If another library has wrapped the client in a proxy,
     * looks the client up by its name. A member may have the same name, but not the same user context.
     */
    @SuppressWarnings("ReferenceEquality") // Two user contexts may be equal.
    private static @Nullable HazelcastClientProxy clientOf(HazelcastInstance hazelcast) {
        HazelcastInstance known = hazelcast instanceof HazelcastClientProxy
                ? hazelcast
                : HazelcastClient.getHazelcastClientByName(hazelcast.getName());
        return known instanceof HazelcastClientProxy client && known.getUserContext() == hazelcast.getUserContext()
                ? client
                : null;
    }

    private static ClientSnowcast start(HazelcastClientInstanceImpl client) {
        ClientSnowcast started = new ClientSnowcast(client);
        started.threads.start(KEEP_PERIOD_MILLIS, started::keep);
        client.getMetricsRegistry().registerDynamicMetricsProvider(started.metrics);
        // This runs while the connections are open. Lifecycle listeners run on another thread, usually too late.
        client.disposeOnClientShutdown(started::shutDown);
        return started;
    }

    private void keep() {
        if (client.getLifecycleService().isRunning()) {
            snowcast.keep();
        } else {
            shutDown(); // The client was shut down while this object was created.
        }
    }

    private void clusterChanged() {
        snowcast.clusterChanged("this client came to another cluster");
    }

    /** Handles an event. All members to which this client is connected send the same finding, which counts once. */
    private void happened(ClusterEvent event) {
        snowcast.happened(
                event instanceof DuplicatesReported reported ? new DuplicatesReported(newOf(reported.ids())) : event);
    }

    private synchronized List<PossibleDuplicates> newOf(List<PossibleDuplicates> found) {
        if (seen.size() > MAX_SEEN) {
            seen.clear();
        }
        return found.stream().filter(seen::add).toList();
    }

    /** Releases this client's node IDs, even if it is terminated: Hazelcast treats this like a shutdown. */
    private void shutDown() {
        snowcast.close(MAX_DETACH_MILLIS);
        client.getMetricsRegistry().deregisterDynamicMetricsProvider(metrics);
        threads.end();
    }
}
