// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.IntegerSequenceConfig;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.PossibleDuplicates;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.blocks.IntegerSequences;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.ClusterEvent.Destroyed;
import com.noctarius.snowcast.internal.wire.ClusterEvent.DuplicatesReported;
import com.noctarius.snowcast.store.BlockStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The {@link Snowcast} of a member, a client or a database, which differ only in the constructor arguments and in the
 * events that they report. With a database, no class of Hazelcast is loaded. Thread-safe.
 */
public class InstanceSnowcast implements Snowcast {
    private static final int DEFAULT_BACKUP_COUNT = 1;
    /** How long a shutdown waits at most for the stores to take back unused integers. */
    private static final long MAX_GIVE_BACK_MILLIS = 3_000;

    private static final int MAX_FINDINGS = 100;

    private final Log log;
    private final Coordinator coordinator;
    private final Sequencers sequencers;
    private final IntegerSequences integerSequences;
    private final Map<UUID, Consumer<PossibleDuplicates>> listeners = new ConcurrentHashMap<>();
    private final AtomicLong possibleDuplicateCount = new AtomicLong();
    /** Guarded by the monitor. */
    private List<PossibleDuplicates> findings = List.of();
    /** Why calls fail after the shutdown, for exception messages. */
    private final String whyClosed;

    private final Consumer<MetricSink> ofMember;
    private final CountedNodeIds counted;
    private volatile OptionalInt backupCount = OptionalInt.empty();

    /**
     * Makes an instance.
     *
     * @param stores returns the store of an integer sequence; throws if the sequence has none
     * @param owned returns the names in the partitions that a member owns
     * @param ofMember shows the metrics that only a member has
     */
    protected InstanceSnowcast(
            boolean isReplicated,
            Coordinator coordinator,
            Function<IntegerSequenceConfig, BlockStore> stores,
            String whyClosed,
            Clock clock,
            InstanceThreads threads,
            Log log,
            Supplier<Stream<String>> owned,
            Consumer<MetricSink> ofMember) {
        this.log = log;
        this.ofMember = ofMember;
        this.coordinator = coordinator;
        this.whyClosed = whyClosed;
        this.sequencers = new Sequencers(
                wanted -> isReplicated ? wanted.orElse(backupCount.orElse(DEFAULT_BACKUP_COUNT)) : 0,
                coordinator,
                clock,
                threads.leases(),
                threads.attaches(),
                log);
        this.counted = new CountedNodeIds(coordinator, owned, clock);
        this.integerSequences = new IntegerSequences(stores, clock);
    }

    /** Makes the instance of a member or client, whose requests go to the cluster. */
    public static InstanceSnowcast ofCluster(
            ClusterCoordinator coordinator,
            Clock clock,
            InstanceThreads threads,
            Log log,
            Supplier<Stream<String>> owned,
            Consumer<MetricSink> ofMember) {
        return new InstanceSnowcast(
                true,
                coordinator,
                IntegerSequences::storeOf,
                ClusterCoordinator.SHUT_DOWN,
                clock,
                threads,
                log,
                owned,
                ofMember);
    }

    /**
     * Returns this object. The first call decides the backup count; later calls must request the same count or none.
     *
     * @throws IllegalArgumentException if the first call decided another count
     */
    public synchronized Snowcast withBackupCount(OptionalInt wanted) {
        int present = backupCount.orElse(wanted.orElse(DEFAULT_BACKUP_COUNT));
        if (wanted.orElse(present) != present) {
            throw new IllegalArgumentException("backupCount must be " + present
                    + ", which it was first given for this HazelcastInstance: " + wanted.getAsInt());
        }
        backupCount = OptionalInt.of(present);
        return this;
    }

    // --- the API

    @Override
    public SnowcastSequencer createSequencer(SequencerConfig config) {
        return sequencers.create(config, true);
    }

    @Override
    public SnowcastSequencer createDetachedSequencer(SequencerConfig config) {
        return sequencers.create(config, false);
    }

    @Override
    public Collection<SnowcastSequencer> sequencers() {
        return List.copyOf(sequencers.created());
    }

    @Override
    public void destroySequencer(SnowcastSequencer sequencer) {
        sequencers.destroy("sequencer", sequencer);
    }

    @Override
    public NodeLease leaseNode(NodeLeaseConfig config) {
        return sequencers.lease(config);
    }

    @Override
    public Collection<NodeLease> nodeLeases() {
        return sequencers.leased();
    }

    @Override
    public void destroyNodeLease(NodeLease lease) {
        sequencers.destroy("lease", lease);
    }

    @Override
    public IntegerSequence createIntegerSequence(IntegerSequenceConfig config) {
        return integerSequences.create(config);
    }

    @Override
    public Collection<IntegerSequence> integerSequences() {
        return integerSequences.open();
    }

    @Override
    public UUID addPossibleDuplicatesListener(Consumer<PossibleDuplicates> listener) {
        Objects.requireNonNull(listener, "listener");
        UUID id = UUID.randomUUID();
        listeners.put(id, listener);
        return id;
    }

    @Override
    public boolean removePossibleDuplicatesListener(UUID id) {
        Objects.requireNonNull(id, "id");
        return listeners.remove(id) != null;
    }

    @Override
    public Collection<Snowcast.Metric> metrics() {
        List<Snowcast.Metric> metrics = new ArrayList<>();
        show((of, metric, unit, value) -> metrics.add(
                new Snowcast.Metric(metric, of == null ? "" : of.tag(), of == null ? "" : of.name(), value)));
        return metrics;
    }

    // --- events of the cluster

    /** Handles an event. Does not block, unless a listener of the application blocks. */
    public void happened(ClusterEvent event) {
        if (event instanceof Destroyed destroyed) {
            sequencers.leaseKeeper.destroyUpTo(destroyed.name(), destroyed.number());
        } else if (event instanceof DuplicatesReported reported) {
            possibleDuplicateCount.addAndGet(reported.ids().size());
            keepNewest(reported.ids());
            listeners.values().forEach(listener -> tell(listener, reported.ids()));
        }
    }

    private synchronized void keepNewest(List<PossibleDuplicates> found) {
        findings = Stream.concat(findings.stream(), found.stream())
                .skip(Math.max(0, findings.size() + found.size() - MAX_FINDINGS))
                .toList();
    }

    private void tell(Consumer<PossibleDuplicates> listener, List<PossibleDuplicates> found) {
        Throwable failure = null;
        for (PossibleDuplicates finding : found) {
            try {
                listener.accept(finding);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            log.warning("A listener failed: " + listener, failure);
        }
    }

    /** Returns the last possible duplicates that merges have found, at most {@code MAX_FINDINGS}. */
    public synchronized List<PossibleDuplicates> findings() {
        return findings;
    }

    /** Gives up all grants, because the process came to another cluster; the holders attach again. Does not block. */
    public void clusterChanged(String reason) {
        sequencers.clusterChanged(reason);
    }

    // --- renewals, closing, metrics

    /** Looks after all leases: see {@link LeaseKeeper#keep}. */
    public void keep() {
        sequencers.leaseKeeper.keep();
    }

    /**
     * Closes everything. Waits at most about the given time, and at most {@code MAX_GIVE_BACK_MILLIS}, for the stores
     * to take back integers; then at most about the given time for the release of the node IDs.
     */
    public void close(long atMostMillis) {
        try {
            integerSequences.close(whyClosed, Math.min(atMostMillis, MAX_GIVE_BACK_MILLIS));
        } finally {
            closeSequencers(atMostMillis); // Also if no thread can be created.
        }
    }

    private void closeSequencers(long atMostMillis) {
        List<DetachRequest> requests = sequencers.close(whyClosed);
        try {
            coordinator.detachWithin(requests, atMostMillis);
        } catch (RuntimeException | Error e) {
            // Log no stack trace, because this also happens when a client ends after its cluster.
            log.warning(
                    "Could not give back " + requests.size() + " node IDs, free after their leases: " + e.getMessage(),
                    null);
        }
    }

    /** Closes everything without releasing node IDs, and without waiting for the stores. */
    public void end() {
        integerSequences.end(whyClosed);
        List<DetachRequest> unused = sequencers.close(whyClosed);
    }

    public void show(MetricSink sink) {
        sequencers.show(sink);
        integerSequences.show(sink);
        sink.count(null, "possibleDuplicates", possibleDuplicateCount.get());
        ofMember.accept(sink);
        counted.show(sequencers.leaseKeeper.names.all().stream().filter(GrantHolder::wasCreated), sink);
    }
}
