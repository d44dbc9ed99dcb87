// SPDX-License-Identifier: Apache-2.0
package com.noctarius.snowcast.spring;

import com.noctarius.snowcast.internal.base.Threads;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A meter binder for subjects, such as sequencers, that the application creates and closes while it runs. A periodic
 * task adds and removes the meters in each registry. Keeps only weak references to the subjects. Thread-safe.
 */
abstract class BoundMeters implements MeterBinder, AutoCloseable {
    static final Duration REFRESH_PERIOD = Duration.ofSeconds(10);

    private static final Log LOG = LogFactory.getLog(BoundMeters.class);

    private final Supplier<? extends Collection<Metered>> present;
    private final Duration refreshPeriod;
    /** Not a monitor, because a virtual thread that blocks in a monitor pins its carrier thread before JDK 24. */
    private final ReentrantLock lock = new ReentrantLock();
    /** For each registry, its meters by the keys of their subjects. Guarded by the lock. */
    private final Map<MeterRegistry, Map<Object, Bound>> registries = new HashMap<>();
    /** Null until there is a registry, and after {@link #close()}. Guarded by the lock. */
    private @Nullable ScheduledThreadPoolExecutor refreshes;
    /** Guarded by the lock. */
    private boolean isClosed;

    /** A subject with meters. The meters of a new subject replace the meters of an old subject with the same key. */
    record Metered(Object key, Object subject, Function<MeterRegistry, List<Meter>> meters) {}

    private record Bound(WeakReference<Object> subject, List<Meter> meters) {
        boolean isOf(@Nullable Metered other) {
            return other != null && subject.refersTo(other.subject());
        }
    }

    /**
     * Creates the binder. The binder periodically calls {@code present}, which returns the subjects that currently
     * exist.
     */
    BoundMeters(Supplier<? extends Collection<Metered>> present, Duration refreshPeriod) {
        this.present = present;
        this.refreshPeriod = refreshPeriod;
    }

    /**
     * Registers the meters of the current subjects, and updates the set of meters until this object is closed.
     *
     * @param registry the registry of the meters
     * @throws NullPointerException if {@code registry} is null
     */
    @Override
    public final void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        lock.lock();
        try {
            if (!isClosed && registries.putIfAbsent(registry, new HashMap<>()) == null) {
                startRefreshes(); // Before refresh(): if it throws, a later refresh adds the meters.
                refresh();
            }
        } finally {
            lock.unlock();
        }
    }

    private void startRefreshes() {
        if (refreshes == null) {
            refreshes = new ScheduledThreadPoolExecutor(1, Threads.daemons("snowcast.metrics"));
            long periodMillis = refreshPeriod.toMillis();
            Future<?> unused = refreshes.scheduleWithFixedDelay(
                    this::refreshOrLog, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
        }
    }

    private void refreshOrLog() {
        try {
            refresh();
        } catch (RuntimeException | Error e) {
            // Catch everything, because the executor stops a periodic task that throws, for example an
            // OutOfMemoryError.
            LOG.warn("The meters of snowcast could not be brought up to date; the next try follows", e);
        }
    }

    /** Adds the meters of new subjects, and removes the meters of subjects that no longer exist. */
    final void refresh() {
        lock.lock();
        try {
            Map<Object, Metered> byKey = new LinkedHashMap<>();
            present.get().forEach(one -> byKey.put(one.key(), one));
            registries.forEach((registry, bound) -> refresh(registry, bound, byKey));
        } finally {
            lock.unlock();
        }
    }

    private static void refresh(MeterRegistry registry, Map<Object, Bound> bound, Map<Object, Metered> present) {
        bound.entrySet().removeIf(entry -> {
            boolean isGone = !entry.getValue().isOf(present.get(entry.getKey()));
            if (isGone) {
                entry.getValue().meters().forEach(registry::remove);
            }
            return isGone;
        });
        present.forEach((key, one) -> bound.computeIfAbsent(
                key,
                unused -> new Bound(
                        new WeakReference<>(one.subject()), one.meters().apply(registry))));
    }

    /** Removes the meters, and stops the periodic task. Further calls have no effect. */
    @Override
    public final void close() {
        ScheduledThreadPoolExecutor ended;
        lock.lock();
        try {
            isClosed = true;
            registries.forEach((registry, bound) ->
                    bound.values().forEach(one -> one.meters().forEach(registry::remove)));
            registries.clear();
            ended = refreshes;
            refreshes = null;
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            ended.shutdownNow();
            Threads.awaitEnd(List.of(ended)); // Wait without the lock, because a running refresh may need the lock.
        }
    }
}
