// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.RecentMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Micrometer meters of sequencers, integer sequences and node leases. The tag {@code sequencer}, {@code sequence} or
 * {@code lease} contains the name:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.sequencer.issued}</td><td>IDs that have been returned to callers</td></tr>
 * <tr><td>{@code snowcast.sequencer.waits}</td><td>how often calls had to wait, and for how long in total</td></tr>
 * <tr><td>{@code snowcast.sequencer.lease.remaining}</td><td>for how long IDs can be generated if the lease is not
 * renewed</td></tr>
 * <tr><td>{@code snowcast.sequencer.lease}</td><td>the duration of the last grant or renewal; 0 if there is no node
 * ID</td></tr>
 * <tr><td>{@code snowcast.sequencer.node.id}</td><td>the node ID; NaN if there is none</td></tr>
 * <tr><td>{@code snowcast.sequencer.renewals}</td><td>renewals of the lease</td></tr>
 * <tr><td>{@code snowcast.sequencer.renewal.failures}</td><td>renewals that failed</td></tr>
 * <tr><td>{@code snowcast.sequencer.lease.losses}</td><td>how often the node ID was lost</td></tr>
 * <tr><td>{@code snowcast.sequencer.time.remaining}</td><td>for how long the layout's time lasts</td></tr>
 * <tr><td>{@code snowcast.sequencer.positive.remaining}</td><td>for how long IDs stay positive; NaN if they never turn
 * negative, or already have</td></tr>
 * <tr><td>{@code snowcast.sequence.issued}</td><td>integers that have been returned to callers</td></tr>
 * <tr><td>{@code snowcast.sequence.remaining}</td><td>reserved integers that are left</td></tr>
 * <tr><td>{@code snowcast.sequence.time.to.empty}</td><td>for how long the reserved integers last at the current rate;
 * NaN if no integers are used, or before the first reservation has succeeded or failed</td></tr>
 * <tr><td>{@code snowcast.sequence.block.size}</td><td>the size of the next block to reserve</td></tr>
 * <tr><td>{@code snowcast.sequence.reservations}</td><td>blocks that were reserved</td></tr>
 * <tr><td>{@code snowcast.sequence.reservation.failures}</td><td>reservations that failed</td></tr>
 * <tr><td>{@code snowcast.sequence.exhausted}</td><td>1 if the store has no integers left, else 0</td></tr>
 * <tr><td>{@code snowcast.sequence.waits}</td><td>how often calls waited for a block, and for how long in
 * total</td></tr>
 * <tr><td>{@code snowcast.lease.waits}, {@code .remaining}, {@code .node.id}, {@code .renewals},
 * {@code .renewal.failures}, {@code .losses}</td><td>for a node lease, the same as the corresponding meters of a
 * sequencer; only calls of the guarded generator count as waits</td></tr>
 * <tr><td>{@code snowcast.sequencer.nodes.attached}, {@code .expiring}, {@code .capacity}</td><td>node IDs with a lease
 * that has not ended; node IDs that were released but are not free yet; and all node IDs, granted or not. A process has
 * these meters for the sequencers that it uses, a member also for those whose partitions it owns</td></tr>
 * <tr><td>{@code snowcast.possible.duplicate.nodes}</td><td>node IDs that both sides of a network split had granted, as
 * reported by a merge</td></tr>
 * <tr><td>{@code snowcast.clock.steps}</td><td>steps of the wall clock, with the tag {@code direction}, {@code forward}
 * or {@code backward}</td></tr>
 * <tr><td>{@code snowcast.high.water.mark.writable}</td><td>1 if the high-water mark of this member can be written,
 * else 0; NaN if this member has none</td></tr>
 * <tr><td>{@code snowcast.high.water.mark.remaining}</td><td>how far the high-water mark of this member is ahead of the
 * clock; NaN if this member has none</td></tr>
 * </table>
 *
 * <p>The last four meters concern a whole {@code Snowcast}. Their tag {@code snowcast} contains the name of the
 * {@code Snowcast} bean.
 *
 * <p>A sequencer, integer sequence or node lease that is created later gets its meters within ten seconds. The meters
 * of a destroyed or closed subject are removed within ten seconds; in the meantime, the gauges of sequencers and
 * integer sequences show NaN. Meters keep only weak references to their subjects. Thread-safe.
 */
public final class SnowcastMetrics extends BoundMeters {
    private static final String UNIT = "integers";

    /** Identifies the meters of one subject. Subjects of different kinds can have equal names. */
    private record Key(Kind kind, String name) {}

    private enum Kind {
        SNOWCAST,
        NODES,
        SEQUENCER,
        SEQUENCE,
        LEASE
    }

    /**
     * Creates a binder of the meters of a {@code Snowcast}'s sequencers, integer sequences and node leases.
     *
     * @param snowcast the {@code Snowcast}
     * @throws NullPointerException if {@code snowcast} is null
     */
    public SnowcastMetrics(Snowcast snowcast) {
        this(new KnownSequencers(Map.of("snowcast", snowcast), List::of, Map::of));
    }

    SnowcastMetrics(KnownSequencers known) {
        this(known, REFRESH_PERIOD);
    }

    SnowcastMetrics(KnownSequencers known, Duration refreshPeriod) {
        super(presentOf(known), refreshPeriod);
    }

    private static Supplier<List<Metered>> presentOf(KnownSequencers known) {
        Map<String, RecentMetrics> recent = new ConcurrentSkipListMap<>();
        return () -> {
            known.snowcasts()
                    .forEach((name, snowcast) -> recent.computeIfAbsent(name, unused -> new RecentMetrics(snowcast)));
            return present(known, recent);
        };
    }

    private static List<Metered> present(KnownSequencers known, Map<String, RecentMetrics> recent) {
        List<Metered> present = new ArrayList<>();
        recent.forEach((beanName, metrics) -> {
            present.add(new Metered(
                    new Key(Kind.SNOWCAST, beanName),
                    metrics,
                    registry -> InstanceMeters.register(registry, beanName, metrics)));
            for (String name : metrics.sequencersWith(InstanceMeters.OF_OWNED)) {
                String shown = known.prefix(beanName) + name;
                present.add(new Metered(
                        new Key(Kind.NODES, shown),
                        metrics,
                        registry -> InstanceMeters.ofNodes(registry, shown, name, metrics)));
            }
        });
        known.sequencers().forEach((name, one) -> {
            if (one.getSequencerState() != SnowcastSequenceState.Destroyed) {
                present.add(
                        new Metered(new Key(Kind.SEQUENCER, name), one, registry -> ofSequencer(registry, name, one)));
            }
        });
        known.nodeLeases()
                .forEach((name, one) -> present.add(
                        new Metered(new Key(Kind.LEASE, name), one, registry -> ofLease(registry, name, one))));
        known.sequences().forEach((name, one) -> {
            if (!one.isClosed()) {
                present.add(
                        new Metered(new Key(Kind.SEQUENCE, name), one, registry -> ofSequence(registry, name, one)));
            }
        });
        return present;
    }

    private static List<Meter> ofSequencer(MeterRegistry registry, String name, SnowcastSequencer sequencer) {
        SubjectMeters<SnowcastSequencer> meters =
                new SubjectMeters<>(registry, "snowcast.sequencer.", Tags.of("sequencer", name), sequencer);
        meters.counter(
                "issued", "IDs that calls returned", "ids", sequencerCount(SnowcastSequencer.Stats::issuedCount));
        meters.timer(
                "waits",
                "Calls that were parked, and for how long",
                sequencerCount(SnowcastSequencer.Stats::waitCount),
                sequencerCount(stats -> stats.waitTime().toNanos()));
        meters.timeGauge(
                "lease.remaining",
                "How long IDs can be generated if the lease is not renewed",
                TimeUnit.MILLISECONDS,
                unlessDestroyed(stats -> stats.leaseRemaining().toMillis()));
        meters.timeGauge(
                "lease",
                "The duration of a grant or a renewal; 0 if there is no node ID",
                TimeUnit.MILLISECONDS,
                unlessDestroyed(stats -> stats.lease().toMillis()));
        meters.gauge(
                "node.id",
                "The node ID; NaN if there is none",
                null,
                unlessDestroyed(stats -> stats.logicalNodeId().isPresent()
                        ? stats.logicalNodeId().getAsInt()
                        : Double.NaN));
        meters.timeGauge(
                "time.remaining",
                "How long the time of the layout lasts",
                TimeUnit.MILLISECONDS,
                unlessDestroyed(stats -> stats.timeRemaining().toMillis()));
        meters.timeGauge(
                "positive.remaining",
                "How long IDs are positive; NaN if they never turn negative, or already have",
                TimeUnit.MILLISECONDS,
                unlessDestroyed(stats -> stats.positiveRemaining().isPresent()
                        ? stats.positiveRemaining().get().toMillis()
                        : Double.NaN));
        meters.counter(
                "renewals", "Renewals of the lease", null, sequencerCount(SnowcastSequencer.Stats::renewalCount));
        meters.counter(
                "renewal.failures",
                "Renewals of the lease that failed",
                null,
                sequencerCount(SnowcastSequencer.Stats::renewalFailureCount));
        meters.counter(
                "lease.losses",
                "How often the node ID was lost and another one taken",
                null,
                sequencerCount(SnowcastSequencer.Stats::leaseLossCount));
        return meters.registered();
    }

    private static List<Meter> ofLease(MeterRegistry registry, String name, NodeLease lease) {
        SubjectMeters<NodeLease> meters =
                new SubjectMeters<>(registry, "snowcast.lease.", Tags.of("lease", name), lease);
        meters.timer(
                "waits",
                "Calls of the guarded generator that were parked, and for how long",
                one -> one.stats().waitCount(),
                one -> one.stats().waitTime().toNanos());
        meters.timeGauge(
                "remaining",
                "How long the node ID can be used if the lease is not renewed",
                TimeUnit.MILLISECONDS,
                one -> one.stats().leaseRemaining().toMillis());
        meters.gauge(
                "node.id",
                "The node ID; NaN if there is none",
                null,
                one -> one.stats().nodeId().isPresent() ? one.stats().nodeId().getAsInt() : Double.NaN);
        meters.counter(
                "renewals", "Renewals of the lease", null, one -> one.stats().renewalCount());
        meters.counter(
                "renewal.failures",
                "Renewals of the lease that failed",
                null,
                one -> one.stats().renewalFailureCount());
        meters.counter(
                "losses",
                "How often the node ID was lost and another one taken",
                null,
                one -> one.stats().leaseLossCount());
        return meters.registered();
    }

    private static ToLongFunction<SnowcastSequencer> sequencerCount(ToLongFunction<SnowcastSequencer.Stats> count) {
        return one -> count.applyAsLong(one.stats());
    }

    private static ToDoubleFunction<SnowcastSequencer> unlessDestroyed(
            ToDoubleFunction<SnowcastSequencer.Stats> value) {
        return one -> {
            SnowcastSequencer.Stats stats = one.stats();
            return stats.state() == SnowcastSequenceState.Destroyed ? Double.NaN : value.applyAsDouble(stats);
        };
    }

    private static List<Meter> ofSequence(MeterRegistry registry, String name, IntegerSequence sequence) {
        SubjectMeters<IntegerSequence> meters =
                new SubjectMeters<>(registry, "snowcast.sequence.", Tags.of("sequence", name), sequence);
        meters.counter(
                "issued", "Integers that calls returned", UNIT, sequenceCount(IntegerSequence.Stats::issuedCount));
        meters.gauge(
                "remaining",
                "Integers that calls can return without the store",
                UNIT,
                unlessClosed(IntegerSequence.Stats::remaining));
        meters.timeGauge(
                "time.to.empty",
                "How long the remaining integers last at the present rate; NaN if none are used",
                TimeUnit.MILLISECONDS,
                unlessClosed(SnowcastMetrics::millisToEmpty));
        meters.gauge(
                "block.size",
                "The size of the next block to reserve",
                UNIT,
                unlessClosed(IntegerSequence.Stats::blockSize));
        meters.counter(
                "reservations",
                "Blocks that were reserved",
                null,
                sequenceCount(IntegerSequence.Stats::reservationCount));
        meters.counter(
                "reservation.failures",
                "Reservations that failed",
                null,
                sequenceCount(IntegerSequence.Stats::failureCount));
        meters.gauge(
                "exhausted",
                "1 if the store has no integer left, else 0",
                null,
                unlessClosed(stats -> stats.isExhausted() ? 1 : 0));
        meters.timer(
                "waits",
                "Calls that waited for a block, and for how long",
                sequenceCount(IntegerSequence.Stats::waitCount),
                sequenceCount(stats -> stats.waitTime().toNanos()));
        return meters.registered();
    }

    private static ToLongFunction<IntegerSequence> sequenceCount(ToLongFunction<IntegerSequence.Stats> count) {
        return one -> count.applyAsLong(one.stats());
    }

    private static ToDoubleFunction<IntegerSequence> unlessClosed(ToDoubleFunction<IntegerSequence.Stats> value) {
        return one -> one.isClosed() ? Double.NaN : value.applyAsDouble(one.stats());
    }

    private static double millisToEmpty(IntegerSequence.Stats stats) {
        Duration toEmpty = stats.timeToEmpty();
        return toEmpty.equals(IntegerSequence.Stats.ENDLESS) ? Double.NaN : toEmpty.toMillis();
    }
}
