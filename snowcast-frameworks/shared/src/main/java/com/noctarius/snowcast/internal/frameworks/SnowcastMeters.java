// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.internal.frameworks;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.NodeLease;
import com.noctarius.snowcast.SnowcastSequencer;
import com.noctarius.snowcast.internal.base.RecentMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The Micrometer meters of the configured sources, with the same names, units and tags as in Spring Boot. */
public final class SnowcastMeters implements AutoCloseable {
    private final MeterRegistry registry;
    private final List<Meter> registered = new ArrayList<>();
    /** A strong reference, because the meters have only weak references to the {@code RecentMetrics}. */
    private final RecentMetrics recent;

    /** Registers the meters; {@link #close} removes them. */
    public SnowcastMeters(Sources sources, MeterRegistry registry) {
        this.registry = registry;
        this.recent = new RecentMetrics(sources.snowcast());
        bindInstance();
        sources.sequencers().forEach(one -> bindNodes(one.getSequencerName()));
        sources.nodeLeases().forEach(one -> bindNodes(one.name()));
        sources.sequencers()
                .forEach(one -> bind(new Subject<>(
                        this,
                        "snowcast.sequencer.",
                        Tags.of("sequencer", one.getSequencerName()),
                        one,
                        SnowcastSequencer::stats)));
        sources.nodeLeases()
                .forEach(one -> bindLease(new Subject<>(
                        this, "snowcast.lease.", Tags.of("lease", one.name()), one, NodeLease::stats)));
        sources.sequences()
                .forEach(one -> bindSequence(new Subject<>(
                        this,
                        "snowcast.sequence.",
                        Tags.of("sequence", one.name()),
                        one,
                        IntegerSequence::stats)));
    }

    @Override
    public void close() {
        registered.forEach(registry::remove);
    }

    private void bindInstance() {
        Tags tags = Tags.of("snowcast", "snowcast");
        Subject<RecentMetrics, RecentMetrics> of = new Subject<>(this, "snowcast.", tags, recent, Function.identity());
        of.counter("possible.duplicate.nodes", null, count("possibleDuplicates"));
        of.gauge("high.water.mark.writable", null, valueOrNaN("highWaterMarkWritable"));
        of.time("high.water.mark.remaining", valueOrNaN("highWaterMarkRemaining"));
        of.and("direction", "forward").counter("clock.steps", null, count("clockStepsForward"));
        of.and("direction", "backward").counter("clock.steps", null, count("clockStepsBackward"));
    }

    private static ToLongFunction<RecentMetrics> count(String metric) {
        return recent -> recent.total(metric).orElse(0);
    }

    private static ToDoubleFunction<RecentMetrics> valueOrNaN(String metric) {
        return recent -> orNaN(recent.total(metric));
    }

    /**
     * Registers the meters that show how many node IDs a sequencer or node lease has, and how many of them are attached
     * or expiring. A meter is NaN while its number is not known.
     */
    private void bindNodes(String name) {
        Subject<RecentMetrics, RecentMetrics> of = new Subject<>(
                this, "snowcast.sequencer.nodes.", Tags.of("sequencer", name), recent, Function.identity());
        of.gauge("attached", null, one -> orNaN(one.ofSequencer("attachedNodeIds", name)));
        of.gauge("expiring", null, one -> orNaN(one.ofSequencer("expiringNodeIds", name)));
        of.gauge("capacity", null, one -> orNaN(one.ofSequencer("nodeIds", name)));
    }

    private static double orNaN(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : Double.NaN;
    }

    private static void bind(Subject<SnowcastSequencer, SnowcastSequencer.Stats> of) {
        of.counter("issued", "ids", SnowcastSequencer.Stats::issuedCount);
        of.timer("waits", SnowcastSequencer.Stats::waitCount, SnowcastSequencer.Stats::waitTime);
        of.time("lease.remaining", stats -> millis(stats.leaseRemaining()));
        of.time("lease", stats -> millis(stats.lease()));
        of.gauge("node.id", null, stats -> orNaN(stats.logicalNodeId()));
        of.time("time.remaining", stats -> millis(stats.timeRemaining()));
        of.time(
                "positive.remaining",
                stats -> stats.positiveRemaining().map(SnowcastMeters::millis).orElse(Double.NaN));
        of.counter("renewals", null, SnowcastSequencer.Stats::renewalCount);
        of.counter("renewal.failures", null, SnowcastSequencer.Stats::renewalFailureCount);
        of.counter("lease.losses", null, SnowcastSequencer.Stats::leaseLossCount);
    }

    private static void bindLease(Subject<NodeLease, NodeLease.Stats> of) {
        of.timer("waits", NodeLease.Stats::waitCount, NodeLease.Stats::waitTime);
        of.time("remaining", stats -> millis(stats.leaseRemaining()));
        of.gauge("node.id", null, stats -> orNaN(stats.nodeId()));
        of.counter("renewals", null, NodeLease.Stats::renewalCount);
        of.counter("renewal.failures", null, NodeLease.Stats::renewalFailureCount);
        of.counter("losses", null, NodeLease.Stats::leaseLossCount);
    }

    private static void bindSequence(Subject<IntegerSequence, IntegerSequence.Stats> of) {
        String unit = "integers";
        of.counter("issued", unit, IntegerSequence.Stats::issuedCount);
        of.gauge("remaining", unit, IntegerSequence.Stats::remaining);
        of.time("time.to.empty", stats -> millisToEmpty(stats.timeToEmpty()));
        of.gauge("block.size", unit, IntegerSequence.Stats::blockSize);
        of.counter("reservations", null, IntegerSequence.Stats::reservationCount);
        of.counter("reservation.failures", null, IntegerSequence.Stats::failureCount);
        of.gauge("exhausted", null, stats -> stats.isExhausted() ? 1 : 0);
        of.timer("waits", IntegerSequence.Stats::waitCount, IntegerSequence.Stats::waitTime);
    }

    private static double millisToEmpty(Duration toEmpty) {
        return toEmpty.equals(IntegerSequence.Stats.ENDLESS) ? Double.NaN : millis(toEmpty);
    }

    private static double millis(Duration duration) {
        return duration.toMillis();
    }

    private static double orNaN(OptionalInt nodeId) {
        return nodeId.isPresent() ? nodeId.getAsInt() : Double.NaN;
    }

    private void add(Meter meter) {
        registered.add(meter);
    }

    /**
     * An object whose values are shown by meters, with the prefix of the meters' names and with the tags of the meters.
     */
    private record Subject<T, S>(
            SnowcastMeters all, String prefix, Tags tags, T subject, Function<T, S> stats) {
        Subject<T, S> and(String key, String value) {
            return new Subject<>(all, prefix, tags.and(key, value), subject, stats);
        }

        void counter(String name, @Nullable String unit, ToLongFunction<S> count) {
            all.add(FunctionCounter.builder(prefix + name, subject, one -> count.applyAsLong(stats.apply(one)))
                    .baseUnit(unit)
                    .tags(tags)
                    .register(all.registry));
        }

        void gauge(String name, @Nullable String unit, ToDoubleFunction<S> value) {
            all.add(Gauge.builder(prefix + name, subject, one -> value.applyAsDouble(stats.apply(one)))
                    .baseUnit(unit)
                    .tags(tags)
                    .register(all.registry));
        }

        void time(String name, ToDoubleFunction<S> millis) {
            all.add(TimeGauge.builder(
                            prefix + name,
                            subject,
                            TimeUnit.MILLISECONDS,
                            one -> millis.applyAsDouble(stats.apply(one)))
                    .tags(tags)
                    .register(all.registry));
        }

        void timer(String name, ToLongFunction<S> count, Function<S, Duration> total) {
            all.add(FunctionTimer.builder(
                            prefix + name,
                            subject,
                            one -> count.applyAsLong(stats.apply(one)),
                            one -> total.apply(stats.apply(one)).toNanos(),
                            TimeUnit.NANOSECONDS)
                    .tags(tags)
                    .register(all.registry));
        }
    }
}
