// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.SequencerStats;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer's meters of sequencers, each with the tag {@code sequencer}, its name:
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>meter</th><th>counts or shows</th></tr>
 * <tr><td>{@code snowcast.sequencer.issued}</td><td>IDs that calls returned</td></tr>
 * <tr><td>{@code snowcast.sequencer.waits}</td><td>how often, and how long all together, calls were parked</td></tr>
 * <tr><td>{@code snowcast.sequencer.lease.remaining}</td><td>how long IDs can be generated without the cluster</td></tr>
 * <tr><td>{@code snowcast.sequencer.logical.node}</td><td>the logical node ID; NaN if there is none</td></tr>
 * <tr><td>{@code snowcast.sequencer.extensions}</td><td>extensions of the lease</td></tr>
 * <tr><td>{@code snowcast.sequencer.extension.failures}</td><td>extensions that failed</td></tr>
 * <tr><td>{@code snowcast.sequencer.refusals}</td><td>how often a logical node was lost and another one taken</td></tr>
 * </table>
 *
 * <p>Sequencers that are created later get their meters within ten seconds, and those that were destroyed lose theirs;
 * until then their gauges show NaN. Meters keep no sequencer alive. Thread-safe.
 */
public final class SnowcastMetrics implements MeterBinder, AutoCloseable {
    private static final Log LOG = LogFactory.getLog(SnowcastMetrics.class);
    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(10);
    private static final String PREFIX = "snowcast.sequencer.";

    private final KnownSequencers sequencers;
    private final Duration refreshPeriod;
    /** Not a monitor: a registry may do what it likes when meters come and go. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The meters of sequencers by name, for each registry. Guarded by the lock. */
    private final Map<MeterRegistry, Map<String, Bound>> registries = new HashMap<>();
    /** Null until there is a registry, and after the end. Guarded by the lock. */
    private @Nullable ScheduledExecutorService refreshes;
    /** Guarded by the lock. */
    private boolean isClosed;

    /** The meters of a sequencer. */
    private record Bound(WeakReference<SnowcastSequencer> sequencer, List<Meter> meters) {
        boolean isOf(@Nullable SnowcastSequencer other) {
            return other != null && sequencer.refersTo(other);
        }
    }

    /**
     * Makes meters of the sequencers of a {@code HazelcastInstance}.
     *
     * @param snowcast has the sequencers
     * @throws NullPointerException if {@code snowcast} is null
     */
    public SnowcastMetrics(Snowcast snowcast) {
        this(new KnownSequencers(Map.of("snowcast", snowcast), List::of));
    }

    SnowcastMetrics(KnownSequencers sequencers) {
        this(sequencers, REFRESH_PERIOD);
    }

    SnowcastMetrics(KnownSequencers sequencers, Duration refreshPeriod) {
        this.sequencers = sequencers;
        this.refreshPeriod = refreshPeriod;
    }

    /**
     * Registers the meters, and keeps them up to date until this object is closed.
     *
     * @param registry where
     * @throws NullPointerException if {@code registry} is null
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        lock.lock();
        try {
            if (!isClosed && registries.putIfAbsent(registry, new HashMap<>()) == null) {
                refresh();
                startRefreshes();
            }
        } finally {
            lock.unlock();
        }
    }

    private void startRefreshes() {
        if (refreshes == null) {
            refreshes = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "snowcast.metrics");
                thread.setDaemon(true);
                return thread;
            });
            long periodMillis = refreshPeriod.toMillis();
            Future<?> unused = refreshes.scheduleWithFixedDelay(
                    this::refreshOrLog, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void refreshOrLog() {
        try {
            refresh();
        } catch (RuntimeException e) {
            // Thrown on, it would end the repetition.
            LOG.warn("The meters of the sequencers could not be brought up to date; the next try follows", e);
        }
    }

    /** Adds meters of new sequencers, removes those of destroyed ones. */
    void refresh() {
        lock.lock();
        try {
            Map<String, SnowcastSequencer> present = sequencers.byName();
            present.values().removeIf(SnowcastMetrics::isDestroyed);
            registries.forEach((registry, bound) -> refresh(registry, bound, present));
        } finally {
            lock.unlock();
        }
    }

    private static void refresh(
            MeterRegistry registry, Map<String, Bound> bound, Map<String, SnowcastSequencer> present) {
        bound.entrySet().removeIf(entry -> {
            boolean isGone = !entry.getValue().isOf(present.get(entry.getKey()));
            if (isGone) {
                entry.getValue().meters().forEach(registry::remove);
            }
            return isGone;
        });
        present.forEach((name, sequencer) -> bound.computeIfAbsent(
                name, unused -> new Bound(new WeakReference<>(sequencer), meters(registry, name, sequencer))));
    }

    /** Micrometer refers to the sequencer weakly. */
    private static List<Meter> meters(MeterRegistry registry, String name, SnowcastSequencer sequencer) {
        Tags tags = Tags.of("sequencer", name);
        return List.of(
                counter("issued", sequencer, SequencerStats::issuedCount)
                        .description("IDs that calls returned")
                        .baseUnit("ids")
                        .tags(tags)
                        .register(registry),
                FunctionTimer.builder(
                                PREFIX + "waits",
                                sequencer,
                                one -> one.getStats().waitCount(),
                                one -> one.getStats().waitTime().toNanos(),
                                TimeUnit.NANOSECONDS)
                        .description("Calls that were parked, and for how long")
                        .tags(tags)
                        .register(registry),
                TimeGauge.builder(
                                PREFIX + "lease.remaining",
                                sequencer,
                                TimeUnit.MILLISECONDS,
                                unlessDestroyed(stats -> stats.leaseRemaining().toMillis()))
                        .description("How long IDs can be generated without the cluster")
                        .tags(tags)
                        .register(registry),
                Gauge.builder(PREFIX + "logical.node", sequencer, unlessDestroyed(SnowcastMetrics::logicalNode))
                        .description("The logical node ID; NaN if there is none")
                        .tags(tags)
                        .register(registry),
                counter("extensions", sequencer, SequencerStats::extensionCount)
                        .description("Extensions of the lease")
                        .tags(tags)
                        .register(registry),
                counter("extension.failures", sequencer, SequencerStats::extensionFailureCount)
                        .description("Extensions of the lease that failed")
                        .tags(tags)
                        .register(registry),
                counter("refusals", sequencer, SequencerStats::refusalCount)
                        .description("How often the logical node was lost and another one taken")
                        .tags(tags)
                        .register(registry));
    }

    private static FunctionCounter.Builder<SnowcastSequencer> counter(
            String name, SnowcastSequencer sequencer, ToLongFunction<SequencerStats> count) {
        return FunctionCounter.builder(PREFIX + name, sequencer, one -> count.applyAsLong(one.getStats()));
    }

    private static ToDoubleFunction<SnowcastSequencer> unlessDestroyed(ToDoubleFunction<SequencerStats> value) {
        return one -> {
            SequencerStats stats = one.getStats();
            return stats.state() == SnowcastSequenceState.Destroyed ? Double.NaN : value.applyAsDouble(stats);
        };
    }

    private static double logicalNode(SequencerStats stats) {
        return stats.logicalNodeId().isPresent() ? stats.logicalNodeId().getAsInt() : Double.NaN;
    }

    private static boolean isDestroyed(SnowcastSequencer sequencer) {
        return sequencer.getSequencerState() == SnowcastSequenceState.Destroyed;
    }

    /** Removes the meters. Further calls have no effect. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            registries.forEach((registry, bound) ->
                    bound.values().forEach(one -> one.meters().forEach(registry::remove)));
            registries.clear();
            if (refreshes != null) {
                refreshes.shutdownNow();
                refreshes = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
