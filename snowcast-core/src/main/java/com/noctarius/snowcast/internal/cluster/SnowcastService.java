// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.MigrationAwareService;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionReplicationEvent;
import com.hazelcast.internal.services.GracefulShutdownAwareService;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.internal.services.MembershipAwareService;
import com.hazelcast.internal.services.MembershipServiceEvent;
import com.hazelcast.internal.services.SplitBrainHandlerService;
import com.hazelcast.internal.services.SplitBrainProtectionAwareService;
import com.hazelcast.internal.util.executor.ExecutorType;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.executionservice.ExecutionService;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.block.BlockSequences;
import com.noctarius.snowcast.internal.block.BlockThreads;
import com.noctarius.snowcast.internal.clock.Clock;
import com.noctarius.snowcast.internal.clock.SystemClock;
import com.noctarius.snowcast.internal.floor.DurableFloor;
import com.noctarius.snowcast.internal.floor.FloorMark;
import com.noctarius.snowcast.internal.metrics.PossibleDuplicateCounts;
import com.noctarius.snowcast.internal.sequencer.Log;
import com.noctarius.snowcast.internal.sequencer.Sequencers;
import com.noctarius.snowcast.internal.table.DetachRequest;
import com.noctarius.snowcast.internal.table.TableRules;
import com.noctarius.snowcast.internal.wire.Destroyed;
import com.noctarius.snowcast.internal.wire.Found;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The member side of snowcast: the partition containers that this member owns or backs up, and the sequencers of its
 * {@code HazelcastInstance}.
 *
 * <p>Whether the data of a partition was lost is decided here, on the partition's thread, before any operation runs as
 * owner: {@code PartitionLostEvent} comes later, and for a complete loss to another member.
 *
 * <ul>
 *   <li>Promotion of a backup: it goes on with its copy, if it has one, and each table starts over that was not
 *       replicated to that replica.
 *   <li>Arrival by migration: the data came with it.
 *   <li>Neither: the first owner since the cluster formed, told by a partition version that counts first assignments
 *       only, starts empty. Any other owner without data has lost it.
 *   <li>Promotion without a copy: if the version shows that it was a replica from the first assignment on, nothing was ever
 *       created that it had to acknowledge, and it starts empty. Else the data is lost.
 * </ul>
 */
public final class SnowcastService
        implements ManagedService,
                MigrationAwareService,
                MembershipAwareService,
                GracefulShutdownAwareService,
                SplitBrainProtectionAwareService,
                SplitBrainHandlerService {
    /** The name of the service. */
    public static final String NAME = "snowcast:service";

    /** The name of operations that no split-brain protection stops. */
    static final String UNPROTECTED = "";

    private static final String LEASE_EXECUTOR = "snowcast:leases";
    private static final String ATTACH_EXECUTOR = "snowcast:attaches";
    private static final String CLIENT_EXECUTOR = "snowcast:clients";
    private static final int LEASE_QUEUE = 1_000;
    private static final int ATTACH_THREADS = 4;
    private static final int ATTACH_QUEUE = 100_000;
    private static final int CLIENT_THREADS = 4;
    private static final int CLIENT_QUEUE = 100_000;
    private static final String SHUT_DOWN = "the HazelcastInstance was shut down";
    /** How long a shutdown may take for giving integers back. */
    private static final long MAX_GIVE_BACK_MILLIS = 3_000;

    private static final int KEEPS_PER_LEASE = 10;
    /** A quarter of the shortest lease that a sequencer may ask for. */
    private static final long MAX_KEEP_PERIOD_MILLIS = 250;

    private final NodeEngine nodeEngine;
    private final Settings settings;
    private final ILogger logger;
    private final Clock clock;
    private final UnansweredConnections unanswered;
    private final MemberCoordinator coordinator;
    private final MemberCounters counters;
    private final Peers peers;
    private final @Nullable DurableFloor floor;
    private final ServiceMetrics metrics;
    private final AtomicBoolean reserving = new AtomicBoolean();
    private final PossibleDuplicateCounts possibleDuplicates = new PossibleDuplicateCounts();

    /** By partition; null where this member has none. Each entry is used on its partition's thread only. */
    private volatile AtomicReferenceArray<@Nullable PartitionContainer> containers = new AtomicReferenceArray<>(0);

    /** What tells clients of destructions, by registration. */
    private final Map<UUID, Consumer<byte[]>> clientListeners = new ConcurrentHashMap<>();

    private volatile @Nullable ClientRequests clientRequests;
    private volatile @Nullable Sequencers sequencers;
    private volatile @Nullable Future<?> keeping;

    /** Set while this member moves to the winning side of a split, or leaves in order: no operation of an owner runs. */
    private volatile boolean resting;

    SnowcastService(NodeEngine nodeEngine, Settings settings, @Nullable DurableFloor floor) {
        this.nodeEngine = nodeEngine;
        this.settings = settings;
        this.logger = nodeEngine.getLogger(SnowcastService.class);
        this.clock = SystemClock.unlessReplacedIn(nodeEngine.getConfig().getUserContext());
        this.unanswered = new UnansweredConnections(clock);
        this.coordinator = new MemberCoordinator(nodeEngine, logger);
        this.counters = new MemberCounters(coordinator);
        this.floor = floor;
        this.peers = new Peers(nodeEngine, settings, floor == null ? FloorMark.NONE : floor.former(), clock, logger);
        this.metrics = new ServiceMetrics(this, new NodeIdMetrics(this, nodeEngine, clock));
    }

    /**
     * Returns the {@code Snowcast} of a member.
     *
     * @param backupCount the number of backups asked for; if empty, whatever it was made with, or 1
     * @throws IllegalArgumentException if it was made with another number of backups
     */
    public static Snowcast snowcast(HazelcastInstance hazelcast, OptionalInt backupCount) {
        if (!hazelcast.getLifecycleService().isRunning()) {
            throw new HazelcastInstanceNotActiveException();
        }
        if (!(hazelcast.getUserContext().get(NAME) instanceof SnowcastService service)) {
            throw new SnowcastException(
                    "must be a Hazelcast client, or a member with snowcast on its class path: " + hazelcast);
        }
        return service.snowcast(backupCount);
    }

    private synchronized Snowcast snowcast(OptionalInt backupCount) {
        Sequencers present = sequencers;
        if (present == null) {
            present = new Sequencers(
                    backupCount.orElse(Sequencers.DEFAULT_BACKUP_COUNT),
                    coordinator,
                    clock,
                    nodeEngine.getExecutionService().getExecutor(LEASE_EXECUTOR),
                    nodeEngine.getExecutionService().getExecutor(ATTACH_EXECUTOR),
                    new ServiceLog(logger),
                    new BlockSequences(
                            backupCount.orElse(Sequencers.DEFAULT_BACKUP_COUNT),
                            counters,
                            clock,
                            BlockThreads.INSTANCE));
            sequencers = present;
        }
        return present.requireBackupCount(backupCount);
    }

    // --- life of the member

    @Override
    public void init(NodeEngine engine, Properties properties) {
        containers = new AtomicReferenceArray<>(engine.getPartitionService().getPartitionCount());
        engine.getHazelcastInstance().getUserContext().put(NAME, this);
        ((NodeEngineImpl) engine).getMetricsRegistry().registerDynamicMetricsProvider(metrics);
        if (settings.isLeaseShort()) {
            logger.warning(
                    Settings.LEASE_MILLIS.getName() + "=" + settings.rules().leaseMillis()
                            + " is below four times the backup time-out: one lost backup can let a lease run out");
        }
        ExecutionService execution = engine.getExecutionService();
        execution.register(LEASE_EXECUTOR, 1, LEASE_QUEUE, ExecutorType.CACHED);
        execution.register(ATTACH_EXECUTOR, ATTACH_THREADS, ATTACH_QUEUE, ExecutorType.CACHED);
        execution.register(CLIENT_EXECUTOR, CLIENT_THREADS, CLIENT_QUEUE, ExecutorType.CACHED);
        clientRequests = new ClientRequests(engine, coordinator, counters, execution.getExecutor(CLIENT_EXECUTOR));
        long period = Math.min(settings.rules().leaseMillis() / KEEPS_PER_LEASE, MAX_KEEP_PERIOD_MILLIS);
        keeping = execution.scheduleWithRepetition(LEASE_EXECUTOR, this::keep, period, period, TimeUnit.MILLISECONDS);
    }

    private void keep() {
        try {
            unanswered.close((NodeEngineImpl) nodeEngine);
            peers.ask();
            peers.endIsolation(this::loseAll);
            reserveFloor();
            makeContainers();
            Sequencers present = sequencers;
            if (present != null) {
                present.leaseKeeper().keep();
            }
        } catch (RuntimeException e) {
            // Thrown on, it would end the repetition, and with it all leases.
            logger.warning("Could not look after the leases; the next try follows", e);
        }
    }

    /**
     * Gives every partition that this member owns a container, and its backups a copy, soon after the partition was
     * assigned: later a new partition could not be told from one whose data was lost. Those of a cluster that was started
     * anew begin as soon as it is known where.
     */
    private void makeContainers() {
        InternalPartitionService partitions = partitions();
        if (!partitions.isPartitionAssignmentDone()) {
            return;
        }
        boolean canBegin = peers.beginning() != null;
        for (int partitionId = 0; partitionId < containers.length(); partitionId++) {
            PartitionContainer container = containers.get(partitionId);
            if ((container == null || (canBegin && container.isCold()))
                    && partitions.getPartition(partitionId, false).isLocal()) {
                coordinator.makeContainer(partitionId);
            }
        }
    }

    /** Nothing is written before something can be granted: a mark that was closed in order would be lost. */
    private void reserveFloor() {
        DurableFloor present = floor;
        FloorMark beginning = present == null ? null : peers.beginning();
        if (present != null
                && beginning != null
                && partitions().isPartitionAssignmentDone()
                && present.isReserveDue(clusterMillis())
                && reserving.compareAndSet(false, true)) {
            nodeEngine.getExecutionService().execute(ATTACH_EXECUTOR, () -> {
                try {
                    present.reserve(beginning, clusterMillis());
                } catch (IOException e) {
                    logger.warning("Could not write the durable floor; no grant reaches beyond the former one", e);
                } finally {
                    reserving.set(false);
                }
            });
        }
    }

    /** The last member of the cluster knows all that was granted. */
    private void closeFloor() {
        DurableFloor present = floor;
        int dataMembers = nodeEngine
                .getClusterService()
                .getMembers(MemberSelectors.DATA_MEMBER_SELECTOR)
                .size();
        FloorMark beginning = peers.beginning();
        if (present == null || beginning == null || dataMembers > 1) {
            return;
        }
        resting = true;
        AtomicLong used = new AtomicLong();
        AtomicInteger known = new AtomicInteger();
        onPartitionThreads(partitionId -> {
            PartitionContainer container = containers.get(partitionId);
            InternalPartition partition = partitions().getPartition(partitionId, false);
            // A backup of a member that has just crashed may have forgotten grants until it is promoted.
            if (container != null && !container.isCold() && partition.isLocal() && !partition.isMigrating()) {
                used.accumulateAndGet(container.usedUntilMillis(), Math::max);
                known.incrementAndGet();
            }
        });
        if (known.get() == containers.length()) {
            try {
                present.close(beginning, used.get(), clusterMillis());
            } catch (IOException e) {
                logger.warning("Could not lower the durable floor; the next start waits longer than it need", e);
            }
        }
    }

    /** Runs an action for each partition on its thread, and waits for all. */
    private void onPartitionThreads(IntConsumer action) {
        OperationServiceImpl operations = (OperationServiceImpl) nodeEngine.getOperationService();
        CountDownLatch done = new CountDownLatch(containers.length());
        for (int partition = 0; partition < containers.length(); partition++) {
            int partitionId = partition;
            operations.execute(new PartitionSpecificRunnable() {
                @Override
                public int getPartitionId() {
                    return partitionId;
                }

                @Override
                public void run() {
                    try {
                        action.accept(partitionId);
                    } finally {
                        done.countDown();
                    }
                }
            });
        }
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void memberAdded(MembershipServiceEvent event) {
        askPeersSoon();
    }

    @Override
    public void memberRemoved(MembershipServiceEvent event) {
        askPeersSoon();
    }

    /** And makes containers while it can be told that there were none. */
    private void askPeersSoon() {
        nodeEngine.getExecutionService().execute(LEASE_EXECUTOR, () -> {
            peers.ask();
            makeContainers();
        });
    }

    @Override
    public @Nullable String getSplitBrainProtectionName(String operationName) {
        SplitBrainProtectionConfig protection = settings.protection();
        return protection == null || operationName.equals(UNPROTECTED) ? null : protection.getName();
    }

    /**
     * Called on a member of the losing side before it forgets its data. What it owned is united with the winning side's
     * afterwards; its own sequencers attach anew.
     */
    @Override
    public Runnable prepareMergeRunnable() {
        resting = true; // Nothing is granted that the snapshots do not have.
        UUID former = peers.thisMember();
        Map<Integer, ContainerSnapshot> owned = new ConcurrentHashMap<>();
        onPartitionThreads(partitionId -> {
            PartitionContainer container = containers.get(partitionId);
            // By address: this member's UUID is already that of its next life.
            PartitionReplica owner =
                    partitions().getPartition(partitionId, false).getReplica(0);
            if (container != null && owner != null && owner.address().equals(nodeEngine.getThisAddress())) {
                owned.put(partitionId, container.snapshotFor(0));
            }
        });
        return () -> {
            if (new SplitBrainMerge(coordinator, counters, logger).merge(owned.values())) {
                peers.merged(former);
            }
        };
    }

    private void tellClients(Supplier<byte[]> event) {
        if (!clientListeners.isEmpty()) {
            byte[] encoded = event.get();
            clientListeners.values().forEach(listener -> listener.accept(encoded));
        }
    }

    /** Tells the listeners of this member and of the clients that are connected to it. */
    void tell(Found found) {
        possibleDuplicates.add(found.ids(), found.integers());
        tellClients(() -> clientRequests().encodeFound(found));
        Sequencers present = sequencers;
        if (present != null) {
            present.tell(found.ids(), found.integers());
        }
    }

    /** Returns the sequencers of this member; null if there has not been one. */
    @Nullable
    Sequencers sequencers() {
        return sequencers;
    }

    /** Returns how much may exist twice, as far as it was told. */
    PossibleDuplicateCounts possibleDuplicates() {
        return possibleDuplicates;
    }

    /** Fails operations of an owner that is about to forget what it owns. */
    void requireNotResting() {
        if (resting) {
            throw new RetryableHazelcastException("this member leaves its cluster");
        }
    }

    @Override
    public boolean onShutdown(long timeout, TimeUnit unit) {
        Sequencers present = sequencers;
        if (present != null) {
            present.blockSequences().close(SHUT_DOWN, Math.min(unit.toMillis(timeout), MAX_GIVE_BACK_MILLIS));
            List<DetachRequest> requests = present.close(SHUT_DOWN);
            try {
                coordinator.detachWithin(requests, unit.toMillis(timeout));
            } catch (RuntimeException e) {
                logger.warning(
                        "Could not give back " + requests.size()
                                + " logical nodes; they are free when their leases have run out",
                        e);
            }
        }
        closeFloor();
        return true;
    }

    @Override
    public void shutdown(boolean terminate) {
        ((NodeEngineImpl) nodeEngine).getMetricsRegistry().deregisterDynamicMetricsProvider(metrics);
        Future<?> task = keeping;
        if (task != null) {
            task.cancel(false);
        }
        Sequencers present = sequencers;
        if (present != null) {
            present.blockSequences().end(SHUT_DOWN);
            present.close(SHUT_DOWN);
        }
    }

    @Override
    public void reset() {
        peers.reset();
        containers = new AtomicReferenceArray<>(containers.length());
        Sequencers present = sequencers;
        if (present != null) {
            present.fence("this member joins another cluster");
            present.blockSequences().fence();
        }
        resting = false;
    }

    // --- partitions

    /** Makes the container of a partition that has never had an owner since the cluster was started. */
    private PartitionContainer newContainer() {
        boolean unknown = settings.coldStartWaitMillis() > 0 || floor != null;
        return unknown ? PartitionContainer.cold() : new PartitionContainer();
    }

    /** Ends the wait of a container after a start of the whole cluster, as soon as it is known where to begin. */
    void begin(PartitionContainer container) {
        beginIfKnown(container);
        if (container.isCold()) {
            throw new RetryableHazelcastException("after the start of the cluster, the durable floors of "
                    + settings.floorMembers() + " members are awaited");
        }
    }

    /** As {@link #begin}; does nothing if it is not known yet. */
    void beginIfKnown(PartitionContainer container) {
        FloorMark beginning = container.isCold() ? peers.beginning() : null;
        if (beginning != null) {
            long wait = settings.coldStartWaitMillis();
            container.begin(Math.max(wait == 0 ? 0 : clusterMillis() + wait, beginning.untilMillis()));
        }
    }

    /** Fails an operation that grants before the durable floor was written for the first time. */
    void requireReserved() {
        if (floor != null && floor.untilMillis() == 0) {
            throw new RetryableHazelcastException("the durable floor was not written yet");
        }
    }

    /** Returns whatever this member has of a partition; what is in it is for the partition's thread. */
    @Nullable
    PartitionContainer container(int partitionId) {
        return containers.get(partitionId);
    }

    /** Returns the container of a partition whose owner this member is. */
    PartitionContainer ownedContainer(int partitionId) {
        PartitionContainer container = containers.get(partitionId);
        if (container == null) {
            container = isFirstAssigned(partitionId)
                    ? newContainer()
                    : lost(partitionId, "this member became its owner without its data");
            containers.set(partitionId, container);
        }
        return container;
    }

    /**
     * Whether the replicas are those of the first assignment, or came later by migration; maybe without the owner.
     *
     * <p>Every change of a replica counts up the version: as many changes as replicas means additions only. The master takes
     * an owner that is gone out before a backup is promoted, which is one change more and one replica less. Not so if a
     * member took the place of one that was gone, as while the cluster may not migrate: it has no data. Seen in the middle of
     * a change the version is one too low, which can make first assignments look like more, and the other way round only
     * when an owner is replaced by another one directly: by migration, with its data.
     */
    private boolean isFirstAssigned(int partitionId) {
        InternalPartition partition = partitions().getPartition(partitionId, false);
        PartitionReplica[] replicas = partition.getReplicasCopy();
        int first = replicas[0] == null ? 1 : 0;
        int end = first;
        while (end < replicas.length && replicas[end] != null) {
            end++;
        }
        boolean isDense = Arrays.stream(replicas, end, replicas.length).allMatch(Objects::isNull);
        return isDense && partition.version() == end + first;
    }

    /** Gives up what this member has of all partitions: while it stood still, others may have changed theirs and be gone. */
    private void loseAll() {
        onPartitionThreads(partitionId -> {
            if (containers.get(partitionId) != null) {
                containers.set(partitionId, lost());
            }
        });
    }

    private PartitionContainer lost(int partitionId, String how) {
        PartitionContainer container = lost();
        logger.warning("The sequencers and integer sequences of partition " + partitionId + " are lost: " + how
                + ". Present holders of sequencers go on; new ones are attached after "
                + Instant.ofEpochMilli(container.recoveringUntilMillis())
                + ". Integer sequences without a parent store fail until somebody says where to go on");
        return container;
    }

    private PartitionContainer lost() {
        // A clock that was set back: what was granted before the start may lie further ahead than what was lost.
        FloorMark beginning = peers.beginning();
        long nowMillis = clusterMillis();
        return PartitionContainer.lost(
                nowMillis,
                Math.max(
                        nowMillis + settings.rules().recoveryMillis(),
                        beginning == null ? 0 : beginning.untilMillis()));
    }

    /** Returns the container for this member's copy of a partition. */
    PartitionContainer backupContainer(int partitionId) {
        PartitionContainer container = containers.get(partitionId);
        if (container == null) {
            container = PartitionContainer.cold(); // The owner, who has sent something, says in it since when.
            containers.set(partitionId, container);
        }
        return container;
    }

    /**
     * Fails an operation, before it changes anything, if fewer replicas than it wants would hear of it. Hazelcast
     * itself counts a missing replica as one that has acknowledged.
     */
    void requireBackups(int partitionId, int backupCount) {
        InternalPartitionService partitions = partitions();
        InternalPartition partition = partitions.getPartition(partitionId, false);
        int wanted = Math.min(backupCount, partitions.getMaxAllowedBackupCount());
        int live = 0;
        for (int index = 1; index <= wanted; index++) {
            PartitionReplica replica = partition.getReplica(index);
            if (replica != null
                    && nodeEngine.getClusterService().getMember(replica.address(), replica.uuid()) != null) {
                live++;
            }
        }
        if (live < wanted) {
            throw new RetryableHazelcastException(
                    "partition " + partitionId + " has " + live + " of " + wanted + " backups at present");
        }
    }

    @Override
    public @Nullable Operation prepareReplicationOperation(PartitionReplicationEvent event) {
        if (event.getReplicaIndex() > IPartition.MAX_BACKUP_COUNT) {
            return null;
        }
        PartitionContainer container = ownedContainer(event.getPartitionId());
        return new ReplicationOperation(container.snapshotFor(event.getReplicaIndex()));
    }

    @Override
    public void beforeMigration(PartitionMigrationEvent event) {
        if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION) {
            PartitionContainer container = containers.get(event.getPartitionId());
            if (event.getCurrentReplicaIndex() == -1) {
                // What is left of an earlier time as replica is not to be mixed with what comes now.
                containers.set(event.getPartitionId(), null);
            } else if (container != null) {
                container.setCopied(false);
            } else if (event.getNewReplicaIndex() == 0 && isFirstAssigned(event.getPartitionId())) {
                // The owner goes before it has sent anything.
                containers.set(event.getPartitionId(), newContainer());
            }
        }
    }

    @Override
    public void commitMigration(PartitionMigrationEvent event) {
        int partitionId = event.getPartitionId();
        if (event.getMigrationEndpoint() == MigrationEndpoint.SOURCE) {
            if (event.getNewReplicaIndex() == -1) {
                containers.set(partitionId, null);
            }
            return;
        }
        PartitionContainer container = containers.get(partitionId);
        boolean promoted = event.getNewReplicaIndex() == 0
                && event.getCurrentReplicaIndex() > 0
                && (container == null || !container.isCopied());
        if (promoted && container == null) {
            containers.set(partitionId, lost(partitionId, "its owner left and this member had no copy yet"));
        } else if (promoted) {
            container.promoted(event.getCurrentReplicaIndex(), clusterMillis(), rules());
        }
    }

    @Override
    public void rollbackMigration(PartitionMigrationEvent event) {
        if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION && event.getCurrentReplicaIndex() == -1) {
            containers.set(event.getPartitionId(), null);
        }
    }

    // --- for operations

    void seal(Destroyed destroyed) {
        tellClients(() -> clientRequests().encodeDestroyed(destroyed));
        Sequencers present = sequencers;
        if (present != null) {
            if (destroyed.isSequencer()) {
                present.seal(destroyed.name(), destroyed.incarnation());
            } else {
                present.blockSequences().destroyed(destroyed.name(), destroyed.incarnation());
            }
        }
    }

    TableRules rules() {
        DurableFloor present = floor;
        return present == null ? settings.rules() : settings.rules().withDurableUntil(present.untilMillis());
    }

    Peers peers() {
        return peers;
    }

    long clusterMillis() {
        return nodeEngine.getClusterService().getClusterClock().getClusterTime();
    }

    // --- for clients

    ClientRequests clientRequests() {
        return Objects.requireNonNull(clientRequests, "clients cannot connect before the service was started");
    }

    void addClientListener(UUID registrationId, Consumer<byte[]> listener) {
        clientListeners.put(registrationId, listener);
    }

    boolean removeClientListener(UUID registrationId) {
        return clientListeners.remove(registrationId) != null;
    }

    private InternalPartitionService partitions() {
        return (InternalPartitionService) nodeEngine.getPartitionService();
    }

    private record ServiceLog(ILogger logger) implements Log {
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
