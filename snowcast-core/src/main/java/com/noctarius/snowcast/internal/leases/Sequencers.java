// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.leases;

import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.NodeLeaseConfig;
import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.GrowingTotals;
import com.noctarius.snowcast.internal.base.GrowingTotals.Total;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.base.Names;
import com.noctarius.snowcast.internal.generator.Guard;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Creates, destroys and closes the sequencers and node leases of one instance, at most one per name. A creation locks
 * its name: see {@link Names}. Destructions and the shutdown do not wait for this lock.
 */
final class Sequencers {
    private static final String ISSUED = "issued";

    private static final List<Total<SnowcastSequencer.Stats>> TOTALS = List.of(
            Total.count(ISSUED, SnowcastSequencer.Stats::issuedCount),
            Total.count("waits", SnowcastSequencer.Stats::waitCount),
            Total.time("waitTime", SnowcastSequencer.Stats::waitTime),
            Total.count("renewals", SnowcastSequencer.Stats::renewalCount),
            Total.count("renewalFailures", SnowcastSequencer.Stats::renewalFailureCount),
            Total.count("leaseLosses", SnowcastSequencer.Stats::leaseLossCount));

    /** Returns the number of backups to use, from the backup count of a configuration. */
    private final ToIntFunction<OptionalInt> backups;

    private final Coordinator coordinator;
    private final Clock clock;
    private final Log log;
    final LeaseKeeper leaseKeeper;
    private final GrowingTotals<SnowcastSequencer.Stats> totals;

    Sequencers(
            ToIntFunction<OptionalInt> backups,
            Coordinator coordinator,
            Clock clock,
            Executor leases,
            Executor attaches,
            Log log) {
        this.backups = backups;
        this.coordinator = coordinator;
        this.clock = clock;
        this.log = log;
        this.totals = new GrowingTotals<>(TOTALS);
        this.leaseKeeper = new LeaseKeeper(
                coordinator, clock, leases, attaches, log, gone -> totals.forgotten(gone.holderStats()));
    }

    SnowcastSequencer create(SequencerConfig config, boolean isAttached) {
        Objects.requireNonNull(config, "config");
        Definition definition = Definition.of(config, backups.applyAsInt(config.backupCount()));
        if (config.layout().logicalNodeCount() > SnowcastLayout.MAX_LOGICAL_NODE_COUNT) {
            throw new IllegalArgumentException(
                    "sequencer " + config.name() + ": logicalNodeBits must be 1 to 13 in a cluster"
                            + " (more are for SnowcastSystem.standaloneSequencer): "
                            + config.layout().logicalNodeBits());
        }
        try (Names.Slot<GrantHolder> slot = leaseKeeper.names.lock(config.name(), definition.called(config.name()))) {
            GrantHolder present = present(slot, config.name(), definition);
            if (present instanceof Sequencer sequencer) {
                slot.logDifference(
                        "Sequencer " + config.name(),
                        Sequencer.settings(sequencer.config),
                        Sequencer.settings(config),
                        difference -> log.warning(difference, null));
                return sequencer;
            }
            Sequencer made =
                    new Sequencer(config, requests(config.name(), definition, config.lease()), log, leaseKeeper);
            slot.open(made, made.requests.subject, isAttached ? made::attach : () -> {});
            return made;
        }
    }

    NodeLease lease(NodeLeaseConfig config) {
        Objects.requireNonNull(config, "config");
        Definition definition =
                new Definition(0, Guard.LAYOUT, backups.applyAsInt(config.backupCount()), null, config.maxNodeCount());
        try (Names.Slot<GrantHolder> slot = leaseKeeper.names.lock(config.name(), definition.called(config.name()))) {
            GrantHolder present = present(slot, config.name(), definition);
            if (present instanceof LeasedNode lease) {
                return lease;
            }
            LeasedNode made = new LeasedNode(requests(config.name(), definition, config.lease()), log, leaseKeeper);
            slot.open(made, made.requests.subject, made::attachFirst);
            leaseKeeper.nodeLeases.add(made);
            return made;
        }
    }

    private GrantRequests requests(String name, Definition definition, @Nullable Duration lease) {
        return new GrantRequests(name, definition, lease, coordinator, clock, leaseKeeper.steadyClock);
    }

    /** Returns the holder that has the name; null if the name is free. Throws if the holder has another definition. */
    private static @Nullable GrantHolder present(Names.Slot<GrantHolder> slot, String name, Definition wanted) {
        GrantHolder present = slot.instance();
        if (present == null || present.isOver()) {
            return null;
        }
        Definition definition = present.requests.definition;
        if (!definition.equals(wanted)) {
            throw new SnowcastSequencerAlreadyRegisteredException(
                    definition.called(name) + definition.differenceTo(wanted));
        }
        return present;
    }

    /** Returns the sequencers that were attached, and were not destroyed. */
    List<Sequencer> created() {
        return leaseKeeper.names.all().stream()
                .flatMap(each -> each instanceof Sequencer made && made.wasCreated() ? Stream.of(made) : Stream.empty())
                .toList();
    }

    List<NodeLease> leased() {
        return List.copyOf(
                leaseKeeper.nodeLeases.stream().filter(each -> !each.isOver()).toList());
    }

    private GrantHolder own(String parameter, Object sequencerOrLease) {
        Objects.requireNonNull(sequencerOrLease, parameter);
        if (sequencerOrLease instanceof GrantHolder own && own.requests.source == coordinator) {
            return own;
        }
        throw new IllegalArgumentException(
                parameter + " must have been created by the same Snowcast: " + sequencerOrLease);
    }

    /** {@code parameter} is the name of the parameter {@code sequencerOrLease} in the API. */
    void destroy(String parameter, Object sequencerOrLease) {
        GrantHolder own = own(parameter, sequencerOrLease);
        DetachRequest release = own.destroy();
        long incarnation = own.state().incarnation();
        try {
            // Incarnation 0: the holder was never attached, so there is nothing to destroy.
            if (incarnation != 0 && !coordinator.destroy(own.requests.name, incarnation)) {
                log.warning(
                        own.requests.subjectInLog + ": only this instance was destroyed, because its data was lost"
                                + " or replaced; if other processes use the name, they continue. To end them too,"
                                + " create the name again, and destroy the new instance",
                        null);
            }
        } finally {
            leaseKeeper.forget(own);
            if (release != null) {
                own.release(release);
            }
        }
    }

    /** Seals all grants, because this instance is now in another cluster. The holders attach again. */
    void clusterChanged(String reason) {
        leaseKeeper.names.all().forEach(holder -> holder.clusterChanged(reason));
    }

    /** Makes all holders Detached permanently, and rejects new ones. Returns the requests that release their grants. */
    List<DetachRequest> close(String reason) {
        return leaseKeeper.names.close(reason).stream()
                .flatMap(sequencer -> Stream.ofNullable(sequencer.close(reason)))
                .toList();
    }

    /** Shows the metrics of all holders together and, if there are not too many, of each holder. */
    void show(MetricSink sink) {
        leaseKeeper.forgetDestroyed();
        int leases = leased().size();
        sink.count(null, "sequencers", leaseKeeper.names.size() - leases);
        sink.count(null, "nodeLeases", leases);
        totals.showAll(leaseKeeper.names, GrantHolder::holderStats, (each, stats) -> show(each, stats, sink), sink);
        showFirstEnds(sink);
        ClockSteps.Seen steps = leaseKeeper.clockSteps.seen();
        sink.count(null, "clockStepsForward", steps.forward());
        sink.count(null, "clockStepsBackward", steps.backward());
        sink.millis(null, "largestClockStepForward", steps.maxForwardMillis());
        sink.millis(null, "largestClockStepBackward", steps.maxBackwardMillis());
    }

    /** Shows the shortest remaining times of all sequencers, even if there are too many to show each of them. */
    private void showFirstEnds(MetricSink sink) {
        Instant now = Instant.ofEpochMilli(clock.medianMillis());
        List<Sequencer> created = created();
        created.stream()
                .map(each -> each.timeRemaining(now))
                .min(Comparator.naturalOrder())
                .ifPresent(left -> sink.millis(null, "timeRemaining", left.toMillis()));
        created.stream()
                .flatMap(each -> each.positiveRemaining(now).stream())
                .min(Comparator.naturalOrder())
                .ifPresent(left -> sink.millis(null, "positiveRemaining", left.toMillis()));
    }

    private void show(GrantHolder holder, SnowcastSequencer.Stats stats, MetricSink sink) {
        if (!holder.wasCreated()) {
            return;
        }
        boolean isLease = holder instanceof LeasedNode;
        Subject subject = isLease ? Subject.nodeLease(holder.requests.name) : Subject.sequencer(holder.requests.name);
        totals.show(subject, stats, isLease ? withoutIssued(sink) : sink);
        sink.millis(subject, "leaseRemaining", stats.leaseRemaining().toMillis());
        sink.count(subject, "logicalNodeId", stats.logicalNodeId().orElse(-1));
        if (!isLease) {
            sink.millis(subject, "timeRemaining", stats.timeRemaining().toMillis());
            stats.positiveRemaining().ifPresent(left -> sink.millis(subject, "positiveRemaining", left.toMillis()));
        }
    }

    /** Omits the issued IDs of node leases: a guard does not count IDs, because that would double its cost. */
    private static MetricSink withoutIssued(MetricSink sink) {
        return (of, metric, unit, value) -> {
            if (!metric.equals(ISSUED)) {
                sink.take(of, metric, unit, value);
            }
        };
    }
}
