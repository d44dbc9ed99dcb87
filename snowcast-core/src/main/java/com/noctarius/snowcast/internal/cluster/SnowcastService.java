// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.cluster;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.internal.partition.MigrationAwareService;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.PartitionReplicationEvent;
import com.hazelcast.internal.services.GracefulShutdownAwareService;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.internal.services.MembershipAwareService;
import com.hazelcast.internal.services.MembershipServiceEvent;
import com.hazelcast.internal.services.SplitBrainHandlerService;
import com.hazelcast.internal.services.SplitBrainProtectionAwareService;
import com.hazelcast.logging.ILogger;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.SystemClock;
import com.noctarius.snowcast.internal.cluster.StatusReader.Holders;
import com.noctarius.snowcast.internal.hazelcast.HazelcastMetrics;
import com.noctarius.snowcast.internal.leases.ClusterCoordinator;
import com.noctarius.snowcast.internal.leases.InstanceSnowcast;
import com.noctarius.snowcast.internal.leases.InstanceThreads;
import com.noctarius.snowcast.internal.owner.ContainerSnapshot;
import com.noctarius.snowcast.internal.owner.HighWaterMark;
import com.noctarius.snowcast.internal.wire.ClusterEvent;
import com.noctarius.snowcast.internal.wire.Peer;
import com.noctarius.snowcast.status.ClusterStatus;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The service of snowcast on a member. Hazelcast calls it when the member starts and ends, and when partitions move.
 */
public final class SnowcastService
        implements SnowcastOperation.Services,
                ManagedService,
                MigrationAwareService,
                MembershipAwareService,
                GracefulShutdownAwareService,
                SplitBrainProtectionAwareService,
                SplitBrainHandlerService {
    private static final int KEEPS_PER_LEASE = 10;
    /** The longest period of the checks: a quarter of the shortest lease that a sequencer may request. */
    private static final long MAX_KEEP_PERIOD_MILLIS = 250;

    private final NodeEngineImpl nodeEngine;
    private final Settings settings;
    private final ILogger logger;
    private final UnansweredConnections unanswered;
    private final HazelcastTime hazelcastTime;
    final OtherMembers otherMembers;
    private final GrantBounds bounds;
    private final Containers containers;
    private final OwnerCheck ownerCheck;
    /** Null if this member has no high-water mark. */
    final @Nullable MarkKeeper markKeeper;

    private final MemberTransport transport;
    private final ContainerMaker containerMaker;
    private final LosingSide losingSide;
    private final InstanceThreads threads;
    private final Holders holders = new Holders();
    final ClientRequests clientRequests;
    private final InstanceSnowcast snowcast;
    private final HazelcastMetrics metrics;

    SnowcastService(NodeEngineImpl nodeEngine, Settings settings, @Nullable DurableHighWaterMark highWaterMark) {
        this.nodeEngine = nodeEngine;
        this.settings = settings;
        this.logger = nodeEngine.getLogger(SnowcastService.class);
        Clock clock = SystemClock.unlessReplacedIn(nodeEngine.getConfig().getUserContext());
        this.unanswered = new UnansweredConnections(clock);
        this.hazelcastTime = new HazelcastTime(nodeEngine, new ClockSteps(SystemClock.INSTANCE));
        Supplier<HighWaterMark> ownMark = highWaterMark == null ? () -> HighWaterMark.NONE : highWaterMark::latest;
        this.otherMembers =
                new OtherMembers(nodeEngine, settings, ownMark, clock, logger, SnowcastOperation.PeerOperation::new);
        this.bounds =
                new GrantBounds(nodeEngine, otherMembers.clusterClock()::millis, settings, otherMembers, highWaterMark);
        this.containers = new Containers(nodeEngine, bounds, logger);
        this.ownerCheck = new OwnerCheck(nodeEngine, settings, otherMembers, bounds, containers);
        this.markKeeper = highWaterMark == null
                ? null
                : new MarkKeeper(highWaterMark, nodeEngine, settings, otherMembers, containers, ownerCheck, logger);
        this.threads = new InstanceThreads(nodeEngine.getHazelcastInstance().getName(), logger::log);
        this.transport = new MemberTransport(nodeEngine, logger);
        this.containerMaker = new ContainerMaker(nodeEngine, otherMembers, containers, transport, logger);
        this.losingSide = new LosingSide(nodeEngine, settings, otherMembers, containers, transport, logger);
        this.clientRequests = new ClientRequests(nodeEngine, transport, this::status);
        this.snowcast = InstanceSnowcast.ofCluster(
                transport,
                clock,
                threads,
                logger::log,
                containers::ownedNames,
                markKeeper == null ? sink -> {} : markKeeper::show);
        this.metrics = new HazelcastMetrics(snowcast::show, settings.maxNamedMetrics());
    }

    /** Returns the {@code Snowcast} of a member: see {@link InstanceSnowcast#withBackupCount}. */
    public static Snowcast snowcast(HazelcastInstance hazelcast, OptionalInt backupCount) {
        return of(hazelcast).snowcast.withBackupCount(backupCount);
    }

    public static ClusterStatus status(HazelcastInstance hazelcast) {
        return of(hazelcast).status();
    }

    private static SnowcastService of(HazelcastInstance hazelcast) {
        if (!(hazelcast.getUserContext().get(NAME) instanceof SnowcastService service)) {
            String incomplete = ServiceFiles.incomplete(ServiceFiles.class.getClassLoader());
            throw new SnowcastException("must be a Hazelcast client, or a member with snowcast on its class path: "
                    + hazelcast + (incomplete == null ? "" : ". " + incomplete));
        }
        return service;
    }

    // --- start and end of the member

    @Override
    public void init(NodeEngine engine, Properties properties) {
        containers.reset();
        engine.getHazelcastInstance().getUserContext().put(NAME, this);
        nodeEngine.getMetricsRegistry().registerDynamicMetricsProvider(metrics);
        settings.warnings().forEach(logger::warning);
        engine.getHazelcastInstance().getLifecycleService().addLifecycleListener(event -> {
            // Hazelcast calls onShutdown too late: when the partitions are already migrating.
            if (event.getState() == LifecycleState.SHUTTING_DOWN) {
                containerMaker.makeMissingBeforeLeaving();
            }
        });
        long period = Math.min(settings.rules().leaseMillis() / KEEPS_PER_LEASE, MAX_KEEP_PERIOD_MILLIS);
        threads.start(period, this::lookAfterCluster, snowcast::keep);
    }

    private void lookAfterCluster() {
        hazelcastTime.adjust();
        unanswered.close(nodeEngine);
        otherMembers.ask();
        otherMembers.memberWatch().seekOrGoOn(bounds::clusterMillis, containers::discard);
        if (markKeeper != null) {
            markKeeper.writeIfDue(threads.marks());
        }
        containerMaker.makeDue();
    }

    @Override
    public void memberAdded(MembershipServiceEvent event) {
        askPeersSoon();
    }

    @Override
    public void memberRemoved(MembershipServiceEvent event) {
        losingSide.removed(event.getMember().getUuid());
        askPeersSoon();
    }

    /** Asks the other members, and makes containers while a new partition can still be recognized. */
    private void askPeersSoon() {
        threads.leases().execute(() -> {
            otherMembers.ask();
            containerMaker.makeDue();
        });
    }

    @Override
    public boolean onShutdown(long timeout, TimeUnit unit) {
        long timeoutMillis = unit.toMillis(timeout);
        snowcast.close(timeoutMillis);
        if (markKeeper != null) {
            markKeeper.awaitHandOver(timeoutMillis);
            if (losingSide.hasSentAll()) {
                markKeeper.closeIfLast();
            }
        }
        return true;
    }

    @Override
    public void shutdown(boolean terminate) {
        nodeEngine.getMetricsRegistry().deregisterDynamicMetricsProvider(metrics);
        snowcast.end();
        threads.end();
        if (markKeeper != null && !terminate && losingSide.hasSentAll()) {
            markKeeper.leaveIfHandedOver();
        }
    }

    @Override
    public void reset() {
        losingSide.reset();
        otherMembers.reset();
        containers.reset();
        snowcast.clusterChanged("this member joins another cluster"); // Seals the grants of all holders.
        ownerCheck.joined();
    }

    // --- splits

    @Override
    public @Nullable String getSplitBrainProtectionName(String operationName) {
        return operationName.equals(RequestOperation.UNPROTECTED)
                ? null
                : settings.setup().protection();
    }

    /**
     * Hazelcast calls this on a member of the losing side of a split, then {@link #reset}, and then the returned task
     * in the winning cluster, which sends the data there.
     */
    @Override
    public Runnable prepareMergeRunnable() {
        ownerCheck.leave(); // From here on, this member makes no grant that the snapshots would lack.
        return losingSide.leave();
    }

    // --- partitions

    @Override
    public @Nullable Operation prepareReplicationOperation(PartitionReplicationEvent event) {
        ContainerSnapshot snapshot = containers.snapshotFor(event);
        UUID ownUuid = nodeEngine.getLocalMember().getUuid(); // Hazelcast does not set the sender of this operation.
        return snapshot == null ? null : new SnowcastOperation.ReplicationOperation(snapshot).setCallerUuid(ownUuid);
    }

    @Override
    public void beforeMigration(PartitionMigrationEvent event) {
        containers.beforeMigration(event);
    }

    @Override
    public void commitMigration(PartitionMigrationEvent event) {
        containers.commitMigration(event);
    }

    @Override
    public void rollbackMigration(PartitionMigrationEvent event) {
        containers.rollbackMigration(event);
    }

    // --- for operations

    @Override
    public Containers containers() {
        return containers;
    }

    @Override
    public GrantBounds bounds() {
        return bounds;
    }

    @Override
    public Peer answer(UUID asking, Optional<UUID> formerUuid) {
        return otherMembers.answer(asking, formerUuid);
    }

    @Override
    public OwnerCheck ownerCheck() {
        return ownerCheck;
    }

    @Override
    public void happened(ClusterEvent event) {
        clientRequests.send(event);
        snowcast.happened(event);
    }

    // --- for the status

    private ClusterStatus status() {
        HazelcastInstance member = nodeEngine.getHazelcastInstance();
        return new StatusReader(member, transport, bounds, holders).read(snowcast.findings());
    }

    public ClusterCoordinator transport() {
        return transport;
    }
}
