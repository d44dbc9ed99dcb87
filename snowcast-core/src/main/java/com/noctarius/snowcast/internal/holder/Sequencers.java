// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.holder;

import com.noctarius.snowcast.SequencerConfig;
import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.SnowcastLayout;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.SnowcastSequencerAlreadyRegisteredException;
import com.noctarius.snowcast.SnowcastStateException;
import com.noctarius.snowcast.internal.base.Clock;
import com.noctarius.snowcast.internal.base.ClockSteps;
import com.noctarius.snowcast.internal.base.Log;
import com.noctarius.snowcast.internal.base.MetricSink;
import com.noctarius.snowcast.internal.base.MetricSink.Subject;
import com.noctarius.snowcast.internal.holder.GrowingTotals.Total;
import com.noctarius.snowcast.internal.owner.Definition;
import com.noctarius.snowcast.internal.owner.DetachRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sequencers of one {@code HazelcastInstance}, at most one per name. A name is locked while its sequencer is created,
 * as {@link Names} says; destructions and seals wait for no lock.
 */
final class Sequencers {
    private static final List<Total<SequencerStats>> TOTALS = List.of(
            Total.count("issued", SequencerStats::issuedCount),
            Total.count("waits", SequencerStats::waitCount),
            Total.time("waitTime", SequencerStats::waitTime),
            Total.count("extensions", SequencerStats::extensionCount),
            Total.count("extensionFailures", SequencerStats::extensionFailureCount),
            Total.count("leaseLosses", SequencerStats::leaseLossCount));

    /** For sequencers whose configuration gives none. */
    private final IntSupplier backupCount;

    private final Coordinator coordinator;
    private final Clock clock;
    private final Log log;
    private final LeaseKeeper leaseKeeper;
    private final GrowingTotals<SequencerStats> totals;
    final Names<Sequencer> names;
    private volatile @Nullable String closedBecause;

    public Sequencers(
            IntSupplier backups, Coordinator coordinator, Clock clock, Executor leases, Executor attaches, Log log) {
        this.backupCount = backups;
        this.coordinator = coordinator;
        this.clock = clock;
        this.log = log;
        this.leaseKeeper = new LeaseKeeper(this, coordinator, clock, leases, attaches, log);
        this.totals = new GrowingTotals<>(TOTALS, clock);
        this.names = new Names<>(removed -> totals.forgotten(removed.stats()));
    }

    public SnowcastSequencer create(SequencerConfig config, boolean isAttached) {
        Objects.requireNonNull(config, "config");
        requireOpen(config);
        Definition definition = Definition.of(config, config.backupCount().orElseGet(backupCount));
        if (config.layout().logicalNodeCount() > SnowcastLayout.MAX_LOGICAL_NODE_COUNT) {
            throw new IllegalArgumentException(
                    "sequencer " + config.name() + ": logicalNodeBits must be 1 to 13 in a cluster"
                            + " (more are for SnowcastSystem.standaloneSequencer): "
                            + config.layout().logicalNodeBits());
        }
        try (Names.Slot<Sequencer> slot = names.lock(config.name())) {
            Sequencer present = slot.instance();
            if (present != null && present.getSequencerState() != SnowcastSequenceState.Destroyed) {
                requireSame(present, config, definition);
                return present;
            }
            Sequencer made = new Sequencer(
                    new GrantRequests(config, definition, coordinator, clock, leaseKeeper.steadyClock),
                    log,
                    leaseKeeper);
            slot.put(made);
            requireOpen(config);
            if (isAttached) {
                made.attach();
            }
            slot.keep();
            return made;
        }
    }

    private void requireSame(Sequencer present, SequencerConfig config, Definition definition) {
        if (!present.requests.definition.equals(definition)) {
            throw new SnowcastSequencerAlreadyRegisteredException(
                    "sequencer " + config.name() + present.requests.definition.differenceTo(definition));
        }
        String own = settings(present.requests.config);
        if (!own.equals(settings(config)) && !present.isDifferenceLogged) {
            present.isDifferenceLogged = true;
            log.warning(
                    "Sequencer " + config.name() + " goes on with " + own + ", as it was created with on this"
                            + " HazelcastInstance, and not with " + settings(config),
                    null);
        }
    }

    /** Returns what belongs to an instance, and not to the cluster. */
    static String settings(SequencerConfig config) {
        return "counterStart=" + config.counterStart() + ", lease=" + config.lease();
    }

    private void requireOpen(SequencerConfig config) {
        String reason = closedBecause;
        if (reason != null) {
            throw new SnowcastStateException("sequencer " + config.name() + " cannot be created: " + reason);
        }
    }

    public Collection<SnowcastSequencer> created() {
        return List.copyOf(names.all().stream().filter(Sequencer::wasCreated).toList());
    }

    public void destroy(SnowcastSequencer sequencer) {
        Objects.requireNonNull(sequencer, "sequencer");
        if (!(sequencer instanceof Sequencer own) || own.requests.coordinator != coordinator) {
            throw new IllegalArgumentException(
                    "sequencer must have been created by the same HazelcastInstance: " + sequencer);
        }
        DetachRequest unused = own.destroyedUpTo(own.state().incarnation());
        coordinator.destroy(own.getSequencerName(), own.state().incarnation());
        names.forget(own.getSequencerName(), own);
        if (unused != null) {
            own.giveBack(unused);
        }
    }

    /**
     * Makes the instance of that name Destroyed if it belongs to an incarnation up to the given one, and gives its grant
     * back: until the owner hears of it, the name can be created again only above all that was granted. Does not block.
     */
    public void seal(String name, long incarnation) {
        Sequencer sequencer = names.find(name);
        if (sequencer == null) {
            return;
        }
        DetachRequest unused = sequencer.destroyedUpTo(incarnation);
        if (unused != null) {
            leaseKeeper.giveBackSoon(sequencer, unused);
        }
        if (sequencer.getSequencerState() == SnowcastSequenceState.Destroyed) {
            names.forget(name, sequencer);
        }
    }

    /** Seals the attachments of all sequencers, since the cluster does not know their grants; they attach again. */
    public void clusterChanged(String reason) {
        names.all().forEach(sequencer -> sequencer.clusterChanged(reason));
    }

    /** Seals all sequencers for good, as Detached, and refuses new ones. Returns what to give back to the cluster. */
    public List<DetachRequest> close(String reason) {
        closedBecause = reason;
        return names.all().stream()
                .flatMap(sequencer -> Stream.ofNullable(sequencer.close(reason)))
                .toList();
    }

    /** Shows as metrics each for itself, as long as they are few enough for that, and all together. */
    public void show(MetricSink sink) {
        int size = names.size();
        sink.count(null, "sequencers", size);
        totals.showAll(size, names::all, Sequencer::stats, (each, stats) -> show(each, stats, sink), sink);
        showFirstEnds(sink);
        ClockSteps.Seen steps = leaseKeeper.clockSteps.seen();
        sink.count(null, "clockStepsForward", steps.forward());
        sink.count(null, "clockStepsBackward", steps.backward());
        sink.millis(null, "largestClockStepForward", steps.maxForwardMillis());
        sink.millis(null, "largestClockStepBackward", steps.maxBackwardMillis());
    }

    /** Shows the least of all, so that it is there also where they are too many to be shown one by one. */
    private void showFirstEnds(MetricSink sink) {
        Instant now = Instant.ofEpochMilli(clock.medianMillis());
        List<Sequencer> created =
                names.all().stream().filter(Sequencer::wasCreated).toList();
        created.stream()
                .map(each -> each.timeRemaining(now))
                .min(Comparator.naturalOrder())
                .ifPresent(left -> sink.millis(null, "timeRemaining", left.toMillis()));
        created.stream()
                .flatMap(each -> each.positiveRemaining(now).stream())
                .min(Comparator.naturalOrder())
                .ifPresent(left -> sink.millis(null, "positiveRemaining", left.toMillis()));
    }

    private void show(Sequencer sequencer, SequencerStats stats, MetricSink sink) {
        if (sequencer.wasCreated()) {
            Subject subject = Subject.sequencer(sequencer.getSequencerName());
            totals.show(subject, stats, sink);
            sink.millis(subject, "leaseRemaining", stats.leaseRemaining().toMillis());
            sink.millis(subject, "timeRemaining", stats.timeRemaining().toMillis());
            stats.positiveRemaining().ifPresent(left -> sink.millis(subject, "positiveRemaining", left.toMillis()));
            sink.count(subject, "logicalNodeId", stats.logicalNodeId().orElse(-1));
        }
    }

    public LeaseKeeper leaseKeeper() {
        return leaseKeeper;
    }
}
