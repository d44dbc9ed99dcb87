// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.IntegerSequence;
import com.noctarius.snowcast.Snowcast;
import com.noctarius.snowcast.SnowcastSequenceState;
import com.noctarius.snowcast.SnowcastSequencer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer's meters of sequencers and integer sequences, each with its name as the tag {@code sequencer} or {@code
 * sequence}:
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
 * <tr><td>{@code snowcast.sequence.issued}</td><td>integers that were handed out</td></tr>
 * <tr><td>{@code snowcast.sequence.remaining}</td><td>integers that can be had without the store</td></tr>
 * <tr><td>{@code snowcast.sequence.time.to.empty}</td><td>how long these last at the present rate; NaN if none are
 * used</td></tr>
 * <tr><td>{@code snowcast.sequence.block.size}</td><td>integers that the next reservation asks for</td></tr>
 * <tr><td>{@code snowcast.sequence.reservations}</td><td>blocks that were reserved</td></tr>
 * <tr><td>{@code snowcast.sequence.reservation.failures}</td><td>reservations that failed</td></tr>
 * <tr><td>{@code snowcast.sequence.waits}</td><td>how often, and how long all together, calls waited for a
 * block</td></tr>
 * </table>
 *
 * <p>Those that are created later get their meters within ten seconds, and those that were destroyed or closed lose theirs;
 * until then their gauges show NaN. Meters keep neither alive. Thread-safe.
 */
public final class SnowcastMetrics implements MeterBinder, AutoCloseable {
    private static final Log LOG = LogFactory.getLog(SnowcastMetrics.class);
    private static final Duration REFRESH_PERIOD = Duration.ofSeconds(10);

    private final KnownSequencers known;
    private final Duration refreshPeriod;
    /** Not a monitor: a registry may do what it likes when meters come and go. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The meters that there are, for each registry. Guarded by the lock. */
    private final Map<MeterRegistry, Map<Key, Bound>> registries = new HashMap<>();
    /** Null until there is a registry, and after the end. Guarded by the lock. */
    private @Nullable ScheduledExecutorService refreshes;
    /** Guarded by the lock. */
    private boolean isClosed;

    /** A sequencer and an integer sequence can have one name. */
    private record Key(boolean isSequencer, String name) {}

    /** The meters of a sequencer or integer sequence. */
    private record Bound(WeakReference<Object> metered, List<Meter> meters) {
        boolean isOf(@Nullable Object other) {
            return other != null && metered.refersTo(other);
        }
    }

    /**
     * Makes meters of the sequencers and integer sequences of a {@code HazelcastInstance}.
     *
     * @param snowcast has them
     * @throws NullPointerException if {@code snowcast} is null
     */
    public SnowcastMetrics(Snowcast snowcast) {
        this(new KnownSequencers(Map.of("snowcast", snowcast), List::of, List::of));
    }

    SnowcastMetrics(KnownSequencers known) {
        this(known, REFRESH_PERIOD);
    }

    SnowcastMetrics(KnownSequencers known, Duration refreshPeriod) {
        this.known = known;
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

    /** Adds meters of new sequencers and integer sequences, removes those of destroyed and closed ones. */
    void refresh() {
        lock.lock();
        try {
            Map<Key, Object> present = new LinkedHashMap<>();
            known.sequencers().forEach((name, one) -> {
                if (one.getSequencerState() != SnowcastSequenceState.Destroyed) {
                    present.put(new Key(true, name), one);
                }
            });
            known.sequences().forEach((name, one) -> {
                if (!one.isClosed()) {
                    present.put(new Key(false, name), one);
                }
            });
            registries.forEach((registry, bound) -> refresh(registry, bound, present));
        } finally {
            lock.unlock();
        }
    }

    private static void refresh(MeterRegistry registry, Map<Key, Bound> bound, Map<Key, Object> present) {
        bound.entrySet().removeIf(entry -> {
            boolean isGone = !entry.getValue().isOf(present.get(entry.getKey()));
            if (isGone) {
                entry.getValue().meters().forEach(registry::remove);
            }
            return isGone;
        });
        present.forEach((key, one) -> bound.computeIfAbsent(
                key, unused -> new Bound(new WeakReference<>(one), meters(registry, key.name(), one))));
    }

    private static List<Meter> meters(MeterRegistry registry, String name, Object metered) {
        return metered instanceof SnowcastSequencer sequencer
                ? SequencerMeters.register(registry, name, sequencer)
                : SequenceMeters.register(registry, name, (IntegerSequence) metered);
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
